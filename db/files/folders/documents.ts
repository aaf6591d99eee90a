import type { Folder } from "#domain/files/folders/folder-tree.ts";

/** All folders of a person by id, in the state after one of their changes. */
export type FolderTreeDoc = {
  _id: string;
  revision: number;
  /** The state of that change; documents of earlier releases may have none. */
  state?: string;
  folders: Record<string, Omit<Folder, "id">>;
};

/** A single change of the folders; `state` names the tree after it. */
type FolderChangeDoc = { revision: number; state: string; put: Folder[]; remove: string[] };

/** The changes of a person's folders that the tree document may lack. A change is added only to the state that it was decided on. */
export type FolderChangesDoc = {
  _id: string;
  revision: number;
  /** The state after the last change; null before the first. */
  state: string | null;
  /** The state before the first of `changes`. */
  base: string | null;
  changes: FolderChangeDoc[];
  /** When the first folder in the trash expires; null without any. */
  expires_at: Date | null;
};
