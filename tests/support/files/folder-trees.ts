import type { Db } from "#db/client.ts";
import { createFolderChangesDoc } from "#db/files/folders/tree-store.server.ts";
import type { Folder } from "#domain/files/folders/folder-tree.ts";

type GivenFolder = Pick<Folder, "id" | "name"> & Partial<Folder>;

/** Makes these the only folders of a person, by one write. */
export async function givenFolders(
  db: Db,
  ownerId: string,
  folders: readonly GivenFolder[],
  now: Date,
): Promise<void> {
  const entries = folders.map(({ id, ...folder }) => [
    id,
    { parent_id: null, created_at: now, updated_at: now, deleted_at: null, expires_at: null, ...folder },
  ]);
  await db.folder_changes.deleteOne({ _id: ownerId });
  const tree = { revision: 1, folders: Object.fromEntries(entries) };
  await db.folder_trees.replaceOne({ _id: ownerId }, tree, { upsert: true });
  await createFolderChangesDoc(db, ownerId);
}
