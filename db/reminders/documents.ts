import type { ObjectId } from "mongodb";
import type { ReminderStatus } from "#domain/reminders/reminder-state.ts";

/**
 * One record per note, under the note's own id: setting a reminder again writes to the same record. Every change of it says in
 * its filter what it believes, so of two at once one wins and the other is refused.
 *
 * `expires_at` is a date while the note's file is in the trash: the reminder is out of sight, and goes with the file.
 * `push_at` is there while a push is owed, see reminder-pushes.server.ts.
 */
export type ReminderDoc = {
  /** The note's id. */
  _id: ObjectId;
  user_id: string;
  file_id: ObjectId | null;
  remind_at: Date;
  status: ReminderStatus;
  ack_at: Date | null;
  created_at: Date;
  /** When it was last set, put off, acknowledged or reopened. */
  changed_at?: Date;
  expires_at: Date | null;
  push_at?: Date;
  push_claim?: string | null;
  push_attempts: number;
  push_sent_to: string[];
};
