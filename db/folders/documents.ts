import type { Folder } from "#domain/folders/folder-tree.ts";

/** A person's folders, by id. `revision` counts the changes: a change is made onto the revision that it was decided on, or not at all. */
export type FolderTreeDoc = {
  /** The owner's id. */
  _id: string;
  revision: number;
  /** Another one after each change; a document from before there were states has none. */
  state?: string;
  folders: Record<string, Omit<Folder, "id">>;
  /** When the first of the folders in the trash expires; null where none is there. */
  expires_at: Date | null;
};
