import type { Folder } from "#domain/folders/folder-tree.ts";

/** All folders of a person, by id, as they were after one of their changes. */
export type FolderTreeDoc = {
  /** The owner's id. */
  _id: string;
  revision: number;
  /** The state of that change; a document of an earlier release may have none. */
  state?: string;
  folders: Record<string, Omit<Folder, "id">>;
};

/** One write to the folders. `state` names the tree after it. */
type FolderChangeDoc = { revision: number; state: string; put: Folder[]; remove: string[] };

/** The changes of a person's folders that the tree document may not have. A change is added only to the state that it was decided on. */
export type FolderChangesDoc = {
  /** The owner's id. */
  _id: string;
  /** Counts the changes. */
  revision: number;
  /** The state after the last change; null where there is none yet. */
  state: string | null;
  /** The state before the first of `changes`. */
  base: string | null;
  changes: FolderChangeDoc[];
  /** When the first of the folders in the trash expires; null where none is there. */
  expires_at: Date | null;
};
