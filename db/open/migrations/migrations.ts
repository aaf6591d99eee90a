import type { Db } from "#db/client.ts";
import { repairDerivedFields } from "#db/files/derived-fields.server.ts";
import { createFolderChangesDoc } from "#db/files/folders/tree-store.server.ts";

/** Reports progress; the total is null if unknown. */
export type TellProgress = (done: number, total: number | null) => void;

/**
 * A step to a version of the data from the versions before it. It may be interrupted at any point and then starts again, so it must find
 * what is not done. The previous release may read and write while it runs.
 */
export type Migration = { version: number; name: string; run(db: Db, tell: TellProgress): Promise<void> };

/** In the order of their versions. Released rows are never changed or removed. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 3, name: "names and tags in their order", run: repairAllFiles },
  { version: 4, name: "changes of folders apart from the tree", run: createAllFolderChanges },
];

async function createAllFolderChanges(db: Db): Promise<void> {
  const owners = await db.folder_trees.find().project<{ _id: string }>({ _id: 1 }).toArray();
  for (const { _id: owner } of owners) await createFolderChangesDoc(db, owner);
}

async function repairAllFiles(db: Db, tell: TellProgress): Promise<void> {
  const total = await db.files.estimatedDocumentCount();
  let readCount = 0;
  for (let position: string | null = null; ; ) {
    const batch = await repairDerivedFields(db, position);
    readCount += batch.looked;
    tell(readCount, total);
    if (batch.next === null) return;
    position = batch.next;
  }
}
