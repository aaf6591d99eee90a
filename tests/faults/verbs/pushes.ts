import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import {
  claimEvent,
  completeEvent,
  createPushEvent,
  listDueEvents,
  makeEventDueAgain,
  postponeEvent,
  recordEventSent,
} from "#db/reminders/push/push-events.server.ts";
import {
  recordDeviceFailed,
  recordDevicesReached,
  removeDeadDevice,
  removeDevice,
  removeFailingDevices,
  removeIdleDevices,
  removeOwnerDevices,
  setSubscription,
} from "#db/reminders/push/push-subscriptions.server.ts";
import { sendTestPush } from "#db/reminders/push/push-test.server.ts";
import type { ShareDoc } from "#db/shares/documents.ts";
import { openShare } from "#db/shares/share-opening.server.ts";
import { saveSharedFile } from "#db/shares/share-saving.server.ts";
import { countView, createLink, createShare, removeShare } from "#db/shares/shares.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { hashPassword } from "#platform/secrets/password.ts";
import { NOON } from "#tests/support/store.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import {
  ANOTHER_NUMBER,
  givenDevice,
  givenFile,
  givenFiles,
  givenUsage,
  givenUser,
  HASH_KEY,
  LATER,
  ME,
  MONTH_AGO,
  toIds,
} from "./given.ts";

const DEVICE = {
  endpoint: "https://push.example/new",
  p256dh: "p",
  auth: "a",
  locale: "en",
  browser: "firefox",
  system: "linux",
} as const;
const WISH = { mode: "full", days: 7, lines: null, maxViews: null, password: null, once: "form 1" } as const;
const PASSWORD = await hashPassword("sesame");

const givenDevices = (db: Db) => Promise.all(["one", "two"].map((name) => givenDevice(db, name)));

async function givenEvent(db: Db) {
  await createPushEvent(
    db,
    OWNER,
    { kind: "file_saved", file_id: "f", file_name: "a.py", created: true },
    NOON,
  );
  return itemAt(await listDueEvents(db, NOON, 1), 0);
}

const givenClaimed = async (db: Db) => required(await claimEvent(db, await givenEvent(db), NOON, LATER));

async function givenShare(db: Db, more: Partial<ShareDoc> = {}) {
  const file = await givenFile(db);
  const shared = { place: 1, version: 2, file_name: "a.py", language: "python", size_bytes: 9, lines: 1 };
  const doc: ShareDoc = {
    ...{
      _id: new ObjectId().toHexString(),
      kind: "file",
      user_id: OWNER,
      slot: 0,
      mode: "full",
      lines: null,
    },
    ...{ files: [{ file_id: new ObjectId(file.id), ...shared }], password: null, views: 0, views_left: 3 },
    ...{ created_at: NOON, expires_at: null, ...more },
  };
  await db.shares.insertOne(doc);
  const { _id, slot: _, files, ...rest } = doc;
  return { id: _id, ...rest, files: [{ ...shared, file_id: file.id }] };
}

const devices = {
  "push-subscriptions/setSubscription": row(givenUser, (db) =>
    setSubscription(db, ME, DEVICE, HASH_KEY, NOON),
  ),
  "push-subscriptions/removeDevice": row(givenDevices, (db) =>
    removeDevice(db, OWNER, { endpoint: "https://push.example/one" }),
  ),
  "push-subscriptions/removeOwnerDevices": row(givenDevices, (db) => removeOwnerDevices(db, OWNER)),
  "push-subscriptions/removeIdleDevices": row(givenDevices, (db) => removeIdleDevices(db, OWNER, NOON)),
  "push-subscriptions/removeFailingDevices": row(givenDevices, (db) =>
    removeFailingDevices(db, new Date(NOON.getTime() + DAY_MS)),
  ),
  "push-subscriptions/removeDeadDevice": row((db) => givenDevice(db, "one"), removeDeadDevice),
  "push-subscriptions/recordDevicesReached": row(givenDevices, (db, reached) =>
    recordDevicesReached(db, reached, NOON),
  ),
  "push-subscriptions/recordDeviceFailed": row(
    (db) => givenDevice(db, "one", { failing_since: null }),
    (db, device) => recordDeviceFailed(db, device, LATER, NOON),
  ),
  "push-test/sendTestPush": row(
    async (db) => {
      await Promise.all([givenUser(db), givenDevices(db)]);
    },
    (db) => sendTestPush(db, async () => ({ result: "delivered" }) as never, OWNER, NOON),
  ),
};

const events = {
  "push-events/createPushEvent": row(nothing, (db) =>
    createPushEvent(db, OWNER, { kind: "file_saved", file_id: "f", file_name: "a.py", created: true }, NOON),
  ),
  "push-events/claimEvent": row(givenEvent, (db, event) => claimEvent(db, event, NOON, LATER)),
  "push-events/recordEventSent": row(givenEvent, (db, event) => recordEventSent(db, event, "h1")),
  "push-events/makeEventDueAgain": row(
    async (db) => {
      const event = await givenClaimed(db);
      await completeEvent(db, event, { skipped_reason: "delivery_failed" }, 5);
      return event.id;
    },
    (db, id) => makeEventDueAgain(db, id),
    { mayDiffer: { repeats: "what is owed already is not owed again" } },
  ),
  "push-events/completeEvent": row(givenClaimed, (db, event) =>
    completeEvent(db, event, { sent_at: NOON }, 1, "h1"),
  ),
  "push-events/postponeEvent": row(givenClaimed, (db, event) => postponeEvent(db, event, NOON, 1)),
};

const shares = {
  "shares/createShare": row(givenFile, (db, { id }) => createShare(db, OWNER, id, WISH, NOON)),
  "shares/createLink": row(
    async (db) => {
      const ids = toIds(await givenFiles(db));
      await createLink(db, OWNER, ids, 7, MONTH_AGO, { isPressed: true });
      return ids;
    },
    (db, ids) => createLink(db, OWNER, ids, 7, NOON, { isPressed: true }),
  ),
  "shares/countView": row(givenShare, (db, share) => countView(db, share, NOON)),
  "shares/removeShare": row(givenShare, (db, { id }) => removeShare(db, OWNER, id)),
  "share-opening/openShare": row(
    (db) => givenShare(db, { password: PASSWORD }),
    (db, share) => openShare(db, share, "sesame", NOON),
    { mayDiffer: { tries: "a try that failed stays taken for its minute" } },
  ),
  "share-saving/saveSharedFile": row(
    async (db) => (await Promise.all([givenShare(db), givenUsage(db, 18)]))[0],
    (db, share) => saveSharedFile(db, OWNER, share, itemAt(share.files, 0), {}, NOON),
    { mayDiffer: ANOTHER_NUMBER },
  ),
};

export const PUSH_VERBS: Record<string, VerbRow> = { ...devices, ...events, ...shares };
