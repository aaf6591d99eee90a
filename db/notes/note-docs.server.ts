import type { NoteDoc } from "#db/notes/documents.ts";

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
  | "left"
  | "kept_reminder"
  | "made_for_reminder"
> & { id: string };

export const LIGHT = { history: 0 } as const;

export function toNote({
  _id,
  target: _,
  deleted_at: _d,
  expires_at: _e,
  user_slot: _u,
  target_slot: _t,
  titled_in: _i,
  history: _h,
  left: _l,
  kept_reminder: _k,
  made_for_reminder: _m,
  ...note
}: NoteDoc): NoteRecord {
  return { id: _id.toHexString(), ...note };
}
