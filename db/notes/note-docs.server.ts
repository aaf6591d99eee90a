import type { ObjectId } from "mongodb";
import type { NoteFields, NoteKind, NoteTarget } from "#domain/notes/note.ts";
import type { KeptAnchor } from "#domain/notes/note-locating.ts";

/** A note as it is kept, and as the rest of the product sees it. */
export type NoteDoc = NoteFields & {
  _id: ObjectId;
  user_id: string;
  kind: NoteKind;
  /** Where it is, as one string; the four fields below say the same in parts. */
  target: string;
  file_id: string | null;
  board_id: string | null;
  repo_name: string | null;
  repo_path: string | null;
  created_at: Date;
  /** Different after every change: two states of a note never share a moment. */
  updated_at: Date;
  deleted_at: Date | null;
  expires_at?: Date;
  /** Numbers below the limits per person and per target; a deleted note has none. */
  user_slot?: number;
  target_slot?: number;
  /** The target again, where this note's title must be the only one of its kind there. */
  titled_in?: string;
  history?: PastContent[];
  /** What a note on a line or heading of a file remembers of it. */
  anchor: KeptAnchor | null;
  /** The reminder that was deleted with it, to come back with it. */
  kept_reminder?: { remind_at: Date };
};

export type PastContent = { content: string; updated_at: Date };
export type NoteRecord = Omit<
  NoteDoc,
  | "_id"
  | "target"
  | "deleted_at"
  | "expires_at"
  | "user_slot"
  | "target_slot"
  | "titled_in"
  | "history"
  | "kept_reminder"
> & { id: string };

/** What is read of a note unless its past is asked for. */
export const LIGHT = { history: 0 } as const;

export function toTarget(
  note: Pick<NoteDoc, "kind" | "file_id" | "board_id" | "repo_name" | "repo_path">,
): NoteTarget {
  if (note.kind === "file") return { kind: "file", file_id: note.file_id! };
  if (note.kind === "board") return { kind: "board", board_id: note.board_id! };
  return { kind: "repo", repo_name: note.repo_name!, repo_path: note.repo_path! };
}

export function toNote({
  _id,
  target: _,
  deleted_at: _d,
  expires_at: _e,
  user_slot: _u,
  target_slot: _t,
  titled_in: _i,
  history: _h,
  kept_reminder: _k,
  ...rest
}: NoteDoc): NoteRecord {
  return { id: _id.toHexString(), ...rest };
}
