import type { Device } from "#db/reminders/push/push-subscriptions.server.ts";
import {
  arePushesStillClaimed,
  claimPushes,
  completePush,
  findNextPush,
  findPushedNotes,
  listDuePushes,
  type OwedPush,
  type PushedNote,
  type PushSend,
  postponePush,
  recordPushesSent,
} from "#db/reminders/reminder-pushes.server.ts";
import { type ReminderPush, reminderMessage } from "#domain/reminders/push-message.ts";
import { toPreview } from "#domain/reminders/reminder-state.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { batchCalls } from "#platform/batch-calls.ts";
import type { WorkerServices } from "#worker/job.ts";
import type { PushDelivery } from "#worker/push/delivery.ts";
import type { DeliverySource } from "#worker/push/sweep.ts";

const BATCH = 100;

/** Batched access to the store for all reminders of one sweep. */
type DeliveryLog = {
  isOwed(push: OwedPush): Promise<boolean>;
  recordSent(send: PushSend): Promise<void>;
};

function openDeliveryLog({ db }: WorkerServices): DeliveryLog {
  return {
    isOwed: batchCalls((pushes: OwedPush[]) => arePushesStillClaimed(db, pushes)),
    recordSent: batchCalls(async (sends: PushSend[]) => {
      await recordPushesSent(db, sends);
      return [];
    }),
  };
}

export function createReminderDeliveries(services: WorkerServices): DeliverySource {
  const { db, clock } = services;
  const deliveryLog = openDeliveryLog(services);
  return {
    take: async (claimedUntil) => {
      const now = clock();
      const owed = await listDuePushes(db, now, BATCH);
      const claimed = await claimPushes(db, owed, now, claimedUntil);
      const notes = await findPushedNotes(db, claimed);
      const deliveries = await Promise.all(
        claimed.map((push) => prepareDelivery(services, deliveryLog, push, notes.get(push.note_id))),
      );
      return { claimed: claimed.length, deliveries: deliveries.filter((delivery) => delivery !== null) };
    },
    nextAt: async () => (await findNextPush(db))?.push_at ?? null,
  };
}

/** A reminder whose note was deleted is settled without sending. */
async function prepareDelivery(
  services: WorkerServices,
  deliveryLog: DeliveryLog,
  push: OwedPush,
  note: PushedNote | undefined,
): Promise<PushDelivery | null> {
  if (!note) {
    await completePush(services.db, push);
    return null;
  }
  return toDelivery(services, deliveryLog, push, {
    note_id: push.note_id,
    file_id: push.file_id,
    board_id: note.board_id,
    remind_at: toTimestamp(push.remind_at),
    preview: toPreview(note.content),
  });
}

function toDelivery(
  { db }: WorkerServices,
  deliveryLog: DeliveryLog,
  push: OwedPush,
  reminder: ReminderPush,
): PushDelivery {
  const resource = { type: "note", id: push.note_id };
  const recordSent = ({ endpoint_hash }: Device, isLast: boolean) =>
    deliveryLog.recordSent({ push, endpointHash: endpoint_hash, isLast });
  return {
    userId: push.user_id,
    resource,
    attempts: push.push_attempts,
    sentTo: push.push_sent_to,
    claimedUntil: push.push_at,
    message: (locale) => reminderMessage(reminder, locale),
    announceAttempt: (attempt) => db.emit("push_send_attempt", { attempt, resource }),
    isOwed: () => deliveryLog.isOwed(push),
    recordSent: (device) => recordSent(device, false),
    settle: (_end, _attempts, last) => (last ? recordSent(last, true) : completePush(db, push)),
    postpone: (until, attempts) => postponePush(db, push, until, attempts),
  };
}
