import type { WebServices } from "#app/web/request-context.ts";
import { findRun, removePendingRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { findLatestHeartbeat } from "#db/jobs/workers.server.ts";
import { type PushTestResult, sendTestPush } from "#db/reminders/push/push-test.server.ts";
import { FINAL_STATUSES } from "#domain/jobs/job-run.ts";
import { Refusal } from "#domain/refusal.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { measurePush } from "#platform/outbound/measured-push.ts";
import { createOutbound } from "#platform/outbound/outbound.ts";
import { createPushSender } from "#platform/outbound/web-push.ts";

type PushRoute = "worker" | "local";

const LOCAL_TIMEOUT_MS = 5 * SECOND_MS;
const WORKER_TIMEOUT_MS = 12 * SECOND_MS;
const POLL_MS = 100;
const SILENCE_MAX_MS = 30 * SECOND_MS;

/** Notifies all devices of a person: through the worker, as reminders are sent, or directly from this process. */
export function testPush(
  services: WebServices,
  ownerId: string,
  via: PushRoute,
): Promise<PushTestResult | Refusal> {
  return ROUTES[via](services, ownerId);
}

const toResource = (ownerId: string) => ({ resource: { type: "user", id: ownerId } });

const ROUTES: Record<
  PushRoute,
  (services: WebServices, ownerId: string) => Promise<PushTestResult | Refusal>
> = {
  local: async ({ db, env, clock, metrics }, ownerId) => {
    const { vapid } = env;
    if (!vapid.privateKey) {
      db.emit("push_send_missing_vapid_private", toResource(ownerId));
      return Refusal("push_not_configured");
    }
    const outbound = createOutbound({ allowLoopback: env.pushAllowLoopback });
    const sender = createPushSender({ vapid, outbound, timeoutMs: LOCAL_TIMEOUT_MS, clock });
    const send = measurePush(sender, metrics);
    try {
      const result = await sendTestPush(db, send, ownerId, clock());
      for (const { error } of result.errors)
        db.emit("push_test_local_error", { error, ...toResource(ownerId) });
      return result;
    } finally {
      outbound.close();
    }
  },
  worker: async (services, ownerId) => {
    const { db } = services;
    const result = await testThroughWorker(services, ownerId);
    if ("failure" in result) {
      db.emit("push_test_worker_error", { error: result.failure, ...toResource(ownerId) });
      return Refusal("push_worker_unavailable");
    }
    for (const { error } of result.errors)
      db.emit("push_test_worker_error", { error, ...toResource(ownerId) });
    return result;
  },
};

/** Queues the test and waits for its run. A fault of the queue is thrown. */
async function testThroughWorker(
  { db, queue, clock }: WebServices,
  ownerId: string,
): Promise<PushTestResult | { failure: string }> {
  const heartbeatAt = await findLatestHeartbeat(db, new Date(clock().getTime() + SILENCE_MAX_MS));
  if (!heartbeatAt || clock().getTime() - heartbeatAt.getTime() > SILENCE_MAX_MS)
    return { failure: "no_worker" };
  const { run_id } = await triggerJob(db, queue, "push_test", "manual", clock(), { user_id: ownerId });
  const deadline = performance.now() + WORKER_TIMEOUT_MS;
  for (;;) {
    const run = await findRun(db, run_id);
    // The record of a run holds what its job returned.
    if (run?.status === "completed") return run.result as PushTestResult;
    if (run && FINAL_STATUSES.includes(run.status)) return { failure: run.error_message ?? run.status };
    if (performance.now() > deadline) {
      await removePendingRun(db, run_id);
      return { failure: "timeout" };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
