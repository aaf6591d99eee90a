import type { Db } from "#db/client.ts";
import { mendDerivedFields } from "#db/files/derived-fields.server.ts";
import { beginFolderChanges } from "#db/folders/tree-store.server.ts";
import { listOwnersToUpgrade, upgradeIndex } from "#db/search/segment-upgrade.server.ts";

/** Reports progress; the total is null if unknown. */
export type TellProgress = (done: number, total: number | null) => void;

/**
 * A step from one version of the data to the next. It may be interrupted at any point and then starts again, so it must find
 * what is not done. The previous release may read and write while it runs.
 */
export type Migration = { name: string; run(db: Db, tell: TellProgress): Promise<void> };

/** In order; the first leads to version 1. Released rows are never changed or removed. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "search index into segments", run: upgradeSearchIndexes },
  { name: "files in the order of their names", run: mendAllFiles },
  { name: "tags whatever their case", run: mendAllFiles },
  { name: "changes of folders apart from the tree", run: beginAllFolderChanges },
];

async function upgradeSearchIndexes(db: Db, tell: TellProgress): Promise<void> {
  const owners = await listOwnersToUpgrade(db);
  for (const [done, owner] of owners.entries()) {
    tell(done, owners.length);
    await upgradeIndex(db, owner);
  }
}

async function beginAllFolderChanges(db: Db): Promise<void> {
  const owners = await db.folder_trees.find().project<{ _id: string }>({ _id: 1 }).toArray();
  for (const { _id: owner } of owners) await beginFolderChanges(db, owner);
}

async function mendAllFiles(db: Db, tell: TellProgress): Promise<void> {
  const total = await db.files.estimatedDocumentCount();
  let readCount = 0;
  for (let position: string | null = null; ; ) {
    const batch = await mendDerivedFields(db, position);
    readCount += batch.looked;
    tell(readCount, total);
    if (batch.next === null) return;
    position = batch.next;
  }
}
