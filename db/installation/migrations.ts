import type { Db } from "#db/client.ts";
import { mendDerivedFields } from "#db/files/derived-fields.server.ts";
import { beginFolderChanges } from "#db/folders/tree-store.server.ts";
import { listOwnersToUpgrade, upgradeIndex } from "#db/search/segment-upgrade.server.ts";

/** Says how much is done, of how much where that is known. */
export type TellProgress = (done: number, total: number | null) => void;

/**
 * One step from a version of the data to the next. It may be cut off anywhere and is begun again then, so it looks for what is not
 * yet done. Code of the release before may still read and write while it runs.
 */
export type Migration = { name: string; run(db: Db, tell: TellProgress): Promise<void> };

/** In their order; the first leads to version 1. A row is never changed or taken out once it was released. */
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
  let looked = 0;
  for (let place: string | null = null; ; ) {
    const done = await mendDerivedFields(db, place);
    looked += done.looked;
    tell(looked, total);
    if (done.next === null) return;
    place = done.next;
  }
}
