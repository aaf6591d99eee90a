import type { ObjectId } from "mongodb";
import type { NoteKind, TargetedNote, TargetFields } from "#domain/notes/note.ts";
import type { KeptAnchor } from "#domain/notes/note-locating.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";

/** A note as it is kept, and as the rest of the product sees it. */
export type NoteDoc = NoteFields &
  TargetFields & {
    _id: ObjectId;
    user_id: string;
    kind: NoteKind;
    /** Where it is, as one string; the fields of its target say the same in parts. */
    target: string;
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
    /** Where a note of a board was before, on a file. What takes its move back puts it there again. */
    left?: LeftPlace;
    /** The reminder that was deleted with it, to come back with it. */
    kept_reminder?: { remind_at: Date };
    /** Where it was made for the reminder of a file: its `updated_at` then. Both are the same until somebody changes it. */
    made_for_reminder?: Date;
  };

export type LeftPlace = Pick<
  NoteDoc,
  | Exclude<keyof TargetedNote, "board_id">
  | "line_start"
  | "line_end"
  | "anchor_id"
  | "anchor_text"
  | "anchor"
  | "mode"
  | "position"
>;

export type PastContent = { content: string; updated_at: Date };
