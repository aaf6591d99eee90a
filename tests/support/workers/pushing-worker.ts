/** A worker's services that send to a push service of the test, and its devices. */
import { afterAll } from "vitest";
import { createOutbound } from "#platform/outbound/outbound.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { createPushSender } from "#platform/outbound/web-push.ts";
import { givenDevice } from "#tests/support/reminders/given-reminders.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { NOON, type TestStore } from "#tests/support/store.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";

type Limits = { maxAttempts: number; timeoutMs?: number };

export async function openPushing(
  store: Pick<TestStore, "db" | "clock">,
  { maxAttempts, timeoutMs = 2_000 }: Limits,
) {
  const vapid = { ...generateVapidPair(), subject: "mailto:tests@example.com" };
  const service = await openPushService(vapid.publicKey);
  const outbound = createOutbound({ allowLoopback: true });
  const send = createPushSender({ vapid, outbound, timeoutMs, clock: store.clock });
  afterAll(async () => {
    outbound.close();
    await service.close();
  });
  return {
    service,
    send,
    services: createTestServices(store, { push: { send, maxAttempts, close: () => {} } }),
    device: (owner: string, name = owner) => givenDevice(store.db, owner, service.browser(name), NOON),
    gotBy: (name: string) => service.received.filter((received) => received.device === name),
  };
}
