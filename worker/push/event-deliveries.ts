import type { Db } from "#db/client.ts";
import { findNote } from "#db/notes/notes.server.ts";
import {
  claimEvent,
  completeEvent,
  isEventStillClaimed,
  listDueEvents,
  type PushEvent,
  postponeEvent,
  recordEventSent,
} from "#db/reminders/push/push-events.server.ts";
import type { Locale } from "#domain/locale.ts";
import {
  fileSavedMessage,
  NOTE_NEWS_KINDS,
  type NoteNewsKind,
  noteNewsMessage,
  type PushText,
} from "#domain/reminders/push-message.ts";
import { toPreview } from "#domain/reminders/reminder-state.ts";
import type { WorkerServices } from "#worker/job.ts";
import type { PushDelivery } from "#worker/push/delivery.ts";
import type { DeliverySource } from "#worker/push/sweep.ts";

const BATCH = 100;

type WriteMessage = (locale: Locale) => PushText;
type PrepareMessage = (event: PushEvent, db: Db) => Promise<WriteMessage | null>;

/** Deleted notes are not announced. */
const prepareNoteNews =
  (kind: NoteNewsKind): PrepareMessage =>
  async ({ user_id, note_id }, db) => {
    const note = note_id ? await findNote(db, user_id, String(note_id)) : null;
    if (!note) return null;
    return (locale) =>
      noteNewsMessage(
        { kind, note_id: note.id, preview: toPreview(note.content) || (note.title ?? "") },
        locale,
      );
  };

/** Prepares the message of each kind of event; null if the event lacks data for it. */
const KINDS: Record<string, PrepareMessage> = {
  ...Object.fromEntries(NOTE_NEWS_KINDS.map((kind) => [kind, prepareNoteNews(kind)])),
  file_saved: async ({ file_id, file_name, created }) => {
    if (!file_id || !file_name) return null;
    const saved = { file_id: String(file_id), file_name, created: created === true };
    return (locale) => fileSavedMessage(saved, locale);
  },
};

export function createEventDeliveries(services: WorkerServices): DeliverySource {
  const { db, clock } = services;
  return {
    take: async (claimedUntil) => {
      const now = clock();
      const owed = await listDueEvents(db, now, BATCH);
      const claims = await Promise.all(owed.map((event) => claimEvent(db, event, now, claimedUntil)));
      const claimed = claims.filter((event) => event !== null);
      const deliveries = await Promise.all(
        claimed.map((event) => prepareDelivery(services, event, claimedUntil)),
      );
      return { claimed: claimed.length, deliveries: deliveries.filter((delivery) => delivery !== null) };
    },
    nextAt: async () => null,
  };
}

/** An event without a possible message is settled, so that it is not claimed again. */
async function prepareDelivery(
  services: WorkerServices,
  event: PushEvent,
  claimedUntil: Date,
): Promise<PushDelivery | null> {
  const { db } = services;
  const prepare = Object.hasOwn(KINDS, event.kind) ? KINDS[event.kind] : undefined;
  const message = await prepare?.(event, db);
  if (message) return toDelivery(services, event, claimedUntil, message);
  const skipped_reason = prepare ? "incomplete_event" : "unknown_kind";
  await completeEvent(db, event, { skipped_reason }, event.attempts);
  if (!prepare)
    db.emit("push_event_unknown_kind", { kind: event.kind.slice(0, 120), resource: toResource(event) });
  return null;
}

const toResource = ({ id }: PushEvent) => ({ type: "push_event", id });

function toDelivery(
  { db, clock }: WorkerServices,
  event: PushEvent,
  claimedUntil: Date,
  message: PushDelivery["message"],
): PushDelivery {
  const resource = toResource(event);
  return {
    userId: event.user_id,
    resource,
    attempts: event.attempts,
    sentTo: event.sent_to,
    claimedUntil,
    message,
    announceAttempt: (attempt) => db.emit("push_event_send_attempt", { attempt, resource }),
    isOwed: () => isEventStillClaimed(db, event),
    recordSent: ({ endpoint_hash }) => recordEventSent(db, event, endpoint_hash),
    settle: async (end, attempts, last) => {
      const outcome = end === "sent" ? { sent_at: clock() } : { skipped_reason: end };
      const settled = await completeEvent(db, event, outcome, attempts, last?.endpoint_hash);
      // Another worker that claimed the event need not send to this device again.
      if (!settled && last) await recordEventSent(db, event, last.endpoint_hash);
      if (settled && end === "delivery_failed")
        db.emit("push_event_delivery_exhausted", { attempts: attempts || 1, resource });
    },
    postpone: (until, attempts) => postponeEvent(db, event, until, attempts),
  };
}
