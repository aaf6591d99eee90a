import type { Db } from "#db/client.ts";
import {
  type Device,
  findReachPerOwner,
  recordDeviceFailed,
  recordDeviceReached,
  removeDeadDevice,
} from "#db/reminders/push/push-subscriptions.server.ts";
import { testMessage } from "#domain/reminders/push-message.ts";
import { itemAt } from "#domain/required.ts";
import type { PushOutcome, SendPush } from "#platform/outbound/web-push.ts";

type PushTestError = { endpoint_hash: string; status: number | null; error: string };
export type PushTestResult = { sent: number; errors: PushTestError[] };

/** Sends a test to all devices of a person and returns those that failed. Both processes may do it. */
export async function sendTestPush(
  db: Db,
  send: SendPush,
  ownerId: string,
  now: Date,
): Promise<PushTestResult> {
  const { devices } = itemAt(await findReachPerOwner(db, [ownerId]), 0);
  if (devices.length === 0)
    db.emit("push_send_no_subscriptions", { resource: { type: "user", id: ownerId } });
  const errors = await Promise.all(devices.map((device) => testDevice(db, send, device, now)));
  const failed = errors.filter((error) => error !== null);
  const result = { sent: devices.length - failed.length, errors: failed };
  db.emit("push_test_result", {
    sent: result.sent,
    errors: failed.length,
    resource: { type: "user", id: ownerId },
  });
  return result;
}

async function testDevice(db: Db, send: SendPush, device: Device, now: Date): Promise<PushTestError | null> {
  const outcome = await send(device, testMessage(device.locale));
  if (outcome.result === "delivered") {
    await recordDeviceReached(db, device, now);
    return null;
  }
  if (outcome.result === "gone") await removeDeadDevice(db, device);
  else await recordDeviceFailed(db, device, null, now);
  const { endpoint_hash } = device;
  return { endpoint_hash, status: outcome.status ?? null, error: describeOutcome(outcome) };
}

const describeOutcome = (outcome: PushOutcome) => ("error" in outcome ? outcome.error : outcome.result);
