import type { ObjectId } from "mongodb";
import type { ReminderStatus } from "#domain/reminders/reminder-state.ts";

/**
 * One record per note, with the note's id: setting a reminder again writes to the same record. Every change states in its filter what it
 * expects, so of two at once one succeeds and the other is refused. `expires_at` is set while the note's file is in the trash: the reminder
 * is hidden and is deleted with the file. `push_at` exists while a push is due, see reminder-pushes.server.ts.
 */
export type ReminderDoc = {
  _id: ObjectId;
  user_id: string;
  file_id: ObjectId | null;
  remind_at: Date;
  status: ReminderStatus;
  ack_at: Date | null;
  created_at: Date;
  /** When it was last set, snoozed, acknowledged or reopened. */
  changed_at?: Date;
  expires_at: Date | null;
  push_at?: Date;
  push_claim?: string | null;
  push_attempts: number;
  push_sent_to: string[];
};
