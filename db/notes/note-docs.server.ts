import type { NoteDoc } from "#db/notes/documents.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { required } from "#domain/required.ts";

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
  if (note.kind === "file") return { kind: "file", file_id: required(note.file_id, "file of a note") };
  if (note.kind === "board") return { kind: "board", board_id: required(note.board_id, "board of a note") };
  const repo_name = required(note.repo_name, "repository of a note");
  return { kind: "repo", repo_name, repo_path: required(note.repo_path, "path of a note") };
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
