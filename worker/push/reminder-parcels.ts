import {
  claimPush,
  findPushedNotes,
  isPushOwed,
  listOwedPushes,
  type OwedPush,
  type PushedNote,
  postponePush,
  recordPushSent,
  settlePush,
} from "#db/reminder-pushes.server.ts";
import { type ReminderPush, reminderMessage } from "#domain/push-message.ts";
import { previewOf } from "#domain/reminder-state.ts";
import { toTimestamp } from "#domain/timestamp.ts";
import type { Bench } from "#worker/handlers.ts";
import type { Parcel } from "#worker/push/parcel.ts";
import type { TakeParcels } from "#worker/push/sweep.ts";

const BATCH = 100;

export const takeReminderParcels: TakeParcels = async (bench, claimedUntil) => {
  const { db, clock } = bench;
  const owed = await listOwedPushes(db, clock(), BATCH);
  const claims = await Promise.all(owed.map((push) => claimPush(db, push, claimedUntil)));
  const claimed = claims.filter((push) => push !== null);
  const notes = await findPushedNotes(db, claimed);
  const parcels = await Promise.all(
    claimed.map((push) => toParcel(bench, push, claimedUntil, notes.get(push.note_id))),
  );
  return { claimed: claimed.length, parcels: parcels.filter((parcel) => parcel !== null) };
};

/** A reminder whose note is gone is owed to nobody. */
async function toParcel(
  bench: Bench,
  push: OwedPush,
  claimedUntil: Date,
  note: PushedNote | undefined,
): Promise<Parcel | null> {
  if (!note) {
    await settlePush(bench.db, push);
    return null;
  }
  return parcelOf(bench, push, claimedUntil, {
    note_id: push.note_id,
    file_id: push.file_id,
    board_id: note.board_id,
    remind_at: toTimestamp(push.remind_at),
    preview: previewOf(note.content),
  });
}

function parcelOf({ db }: Bench, push: OwedPush, claimedUntil: Date, reminder: ReminderPush): Parcel {
  const resource = { type: "note", id: push.note_id };
  return {
    userId: push.user_id,
    resource,
    attempts: push.push_attempts,
    sentTo: push.push_sent_to,
    claimedUntil,
    message: (locale) => reminderMessage(reminder, locale),
    announceAttempt: (attempt) => db.emit("push_send_attempt", { attempt, resource }),
    isOwed: () => isPushOwed(db, push),
    recordSent: ({ endpoint_hash }) => recordPushSent(db, push, endpoint_hash),
    settle: () => settlePush(db, push),
    postpone: (until, attempts) => postponePush(db, push, until, attempts),
  };
}
