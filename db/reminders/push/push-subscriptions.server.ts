import { createHmac } from "node:crypto";
import { ObjectId } from "mongodb";
import { findAccountStates, isCredentialActive } from "#db/accounts/account-state.server.ts";
import { hasSession, removeDevicesOfSessions, sessionKey } from "#db/accounts/session-devices.server.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { PushSubscriptionDoc } from "#db/reminders/push/documents.ts";
import { type CredentialOwner, hasSameEpoch } from "#domain/accounts/credential.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

export type Device = Omit<PushSubscriptionDoc, "_id"> & { id: string };
type NewDevice = Pick<PushSubscriptionDoc, "endpoint" | "p256dh" | "auth" | "locale" | "browser" | "system">;

const DEVICES_MAX = 20;
const HASH_CHARACTERS = 32;
const FAILING_MAX_MS = 30 * DAY_MS;
// A success is recorded at most this often, because its time is only shown to people.
const SUCCESS_EVERY_MS = MINUTE_MS;

export function hashEndpoint(key: string, endpoint: string): string {
  return createHmac("sha256", key)
    .update(`push endpoint\n${endpoint}`)
    .digest("hex")
    .slice(0, HASH_CHARACTERS);
}

/** Subscribes a browser or renews its subscription. An endpoint belongs to one browser and so to one person: the last one who subscribed it. */
export async function setSubscription(
  db: Db,
  owner: CredentialOwner,
  device: NewDevice,
  hashKey: string,
  now: Date,
  sessionId: string | null = null,
): Promise<Device | Refusal> {
  const { id: ownerId, credential_epoch: epoch } = owner;
  const endpoint_hash = hashEndpoint(hashKey, device.endpoint);
  const devices = await listDevices(db, owner);
  const isRenewal = devices.some(({ endpoint }) => endpoint === device.endpoint);
  if (!isRenewal && devices.length >= DEVICES_MAX) return Refusal("too_many_devices", { max: DEVICES_MAX });
  const upsert = () =>
    db.push_subscriptions.findOneAndUpdate(
      { endpoint: device.endpoint },
      {
        $set: {
          ...device,
          user_id: ownerId,
          endpoint_hash,
          session_key: sessionId && sessionKey(sessionId),
          active_at: now,
          failing_since: null,
          not_before: null,
          epoch,
        },
        $setOnInsert: { created_at: now, last_success_at: null },
      },
      { upsert: true, returnDocument: "after" },
    );
  // If two subscriptions of a browser collide, the unique endpoint lets one insert, and the other renews it.
  const doc = (await skipDuplicate(upsert())) ?? (await upsert());
  db.emit("push_subscribed", { endpoint_hash });
  // The session may have ended in between, and its other devices been removed.
  const isSessionValid = sessionId === null || (await hasSession(db, ownerId, sessionId));
  if (!isSessionValid) await removeDevicesOfSessions(db, ownerId, { sessionId });
  return toDevice(required(doc, "device after an upsert"));
}

/** Oldest first. */
export async function listDevices(db: Db, owner: CredentialOwner): Promise<Device[]> {
  const docs = await db.push_subscriptions
    .find({ user_id: owner.id })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return docs.filter((device) => hasSameEpoch(device, owner)).map(toDevice);
}

/** The devices on which a person can be reached now. A locked account is not reached, but keeps its devices. */
export type Reach = { isLocked: boolean; devices: Device[] };

/** Returns the reach of each person, in their order. */
export async function findReachPerOwner(db: Db, ownerIds: readonly string[]): Promise<Reach[]> {
  const [accounts, docs] = await Promise.all([
    findAccountStates(db, ownerIds),
    db.push_subscriptions
      .find({ user_id: { $in: [...new Set(ownerIds)] } })
      .sort({ created_at: 1, _id: 1 })
      .toArray(),
  ]);
  const active = docs.filter((device) => isCredentialActive(device, accounts.get(device.user_id)));
  const devicesByOwner = Map.groupBy(active.map(toDevice), ({ user_id }) => user_id);
  return ownerIds.map((ownerId) => ({
    isLocked: accounts.get(ownerId)?.isLocked ?? false,
    devices: devicesByOwner.get(ownerId) ?? [],
  }));
}

/** Returns for each device if it may still be sent to: not removed, and its credentials neither ended nor locked. */
export async function areDevicesActive(db: Db, devices: readonly Device[]): Promise<boolean[]> {
  const [accounts, docs] = await Promise.all([
    findAccountStates(
      db,
      devices.map(({ user_id }) => user_id),
    ),
    db.push_subscriptions.find({ _id: { $in: devices.map(({ id }) => new ObjectId(id)) } }).toArray(),
  ]);
  const docsById = new Map(docs.map((doc) => [doc._id.toHexString(), doc]));
  return devices.map(({ id, user_id }) => {
    const doc = docsById.get(id);
    return doc?.user_id === user_id && isCredentialActive(doc, accounts.get(user_id));
  });
}

export async function removeDevice(
  db: Db,
  ownerId: string,
  which: { endpoint: string } | { endpoint_hash: string },
): Promise<number> {
  const doc = await db.push_subscriptions.findOneAndDelete({ user_id: ownerId, ...which });
  if (doc) db.emit("push_unsubscribed", { endpoint_hash: doc.endpoint_hash });
  return doc ? 1 : 0;
}

export async function removeOwnerDevices(db: Db, ownerId: string): Promise<number> {
  const { deletedCount } = await db.push_subscriptions.deleteMany({ user_id: ownerId });
  db.emit("push_subscriptions_delete_all", {
    count: deletedCount,
    resource: { type: "user", id: ownerId },
  });
  return deletedCount;
}

/** Removes a person's devices that neither subscribed nor were reached since then. */
export async function removeIdleDevices(db: Db, ownerId: string, since: Date): Promise<number> {
  const idle = { user_id: ownerId, active_at: { $lt: since } };
  const { deletedCount } = await db.push_subscriptions.deleteMany(idle);
  db.emit("push_subscriptions_cleanup", {
    count: deletedCount,
    resource: { type: "user", id: ownerId },
  });
  return deletedCount;
}

/** Removes all devices that could not be reached for a month. A merely quiet device stays, because its person relies on it. */
export async function removeFailingDevices(db: Db, now: Date): Promise<number> {
  const since = new Date(now.getTime() - FAILING_MAX_MS);
  const failing = { failing_since: { $gt: new Date(0), $lt: since } };
  const { deletedCount } = await db.push_subscriptions.deleteMany(failing);
  if (deletedCount > 0) db.emit("push_subscriptions_cleanup", { count: deletedCount });
  return deletedCount;
}

/** Removes a device that no longer exists according to its push service. If it subscribed again since, it stays. */
export async function removeDeadDevice(db: Db, device: Device): Promise<boolean> {
  const { deletedCount } = await db.push_subscriptions.deleteOne({
    ...toDeviceFilter(device),
    p256dh: device.p256dh,
  });
  if (deletedCount > 0)
    db.emit("push_deleted_dead_endpoints", {
      count: deletedCount,
      resource: { type: "device", id: device.endpoint_hash },
    });
  return deletedCount > 0;
}

export const recordDeviceReached = (db: Db, device: Device, now: Date) =>
  recordDevicesReached(db, [device], now);

export async function recordDevicesReached(db: Db, devices: readonly Device[], now: Date): Promise<void> {
  const outdated = devices.filter(({ last_success_at, failing_since, not_before }) => {
    const isRecent = last_success_at && now.getTime() - last_success_at.getTime() < SUCCESS_EVERY_MS;
    return !isRecent || failing_since || not_before;
  });
  if (outdated.length === 0) return;
  const filter = {
    _id: { $in: outdated.map(({ id }) => new ObjectId(id)) },
    user_id: { $in: outdated.map(({ user_id }) => user_id) },
  };
  await db.push_subscriptions.updateMany(filter, {
    $set: { active_at: now, last_success_at: now, failing_since: null, not_before: null },
  });
}

export async function recordDeviceFailed(
  db: Db,
  device: Device,
  notBefore: Date | null,
  now: Date,
): Promise<void> {
  await db.push_subscriptions.updateOne(toDeviceFilter(device), {
    $set: { failing_since: device.failing_since ?? now, not_before: notBefore },
  });
}

const toDeviceFilter = ({ id, user_id }: Device) => ({ _id: new ObjectId(id), user_id });

function toDevice({ _id, ...device }: PushSubscriptionDoc): Device {
  return { id: _id.toHexString(), ...device };
}
