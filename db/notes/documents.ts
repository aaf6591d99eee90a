import type { ObjectId } from "mongodb";
import type { NoteKind, TargetedNote, TargetFields } from "#domain/notes/note.ts";
import type { KeptAnchor } from "#domain/notes/note-locating.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";

export type NoteDoc = NoteFields &
  TargetFields & {
    _id: ObjectId;
    user_id: string;
    kind: NoteKind;
    /** The target as one string; the target's fields contain its parts. */
    target: string;
    created_at: Date;
    /** Different after every change: two states of a note never have the same time. */
    updated_at: Date;
    deleted_at: Date | null;
    expires_at?: Date;
    /** Slots below the limits per person and per target; a deleted note has none. */
    user_slot?: number;
    target_slot?: number;
    /** The target, if this note's title must be unique there. */
    titled_in?: string;
    history?: PastContent[];
    /** Only for a note on a line or heading of a file. */
    anchor: KeptAnchor | null;
    /** The former place on a file of a note that was moved to a board. Undoing the move restores it. */
    left?: LeftPlace;
    /** The reminder that was deleted with it and is restored with it. */
    kept_reminder?: { remind_at: Date };
    /** For a note created for the reminder of a file: its `updated_at` at that time. Both are equal until the note is changed. */
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
