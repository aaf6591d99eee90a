import { z } from "zod";
import { testPush } from "#app/reminders/push-test.server.ts";
import { checkSubscription, deviceShape, toHashKey, toWireDevice } from "#app/reminders/push-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, done, ok, removed } from "#app/web/api/shapes.server.ts";
import {
  listDevices,
  removeDevice,
  removeIdleDevices,
  removeOwnerDevices,
  setSubscription,
} from "#db/reminders/push/push-subscriptions.server.ts";
import { deviceKind } from "#domain/accounts/device.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#domain/time/durations.ts";

const ENDPOINT_MAX = 2_048;
const address = z.string().min(1).max(ENDPOINT_MAX);
const subscription = z.object({
  endpoint: address,
  keys: z.object({ p256dh: z.string().max(200), auth: z.string().max(100) }),
});
const cleanup = z
  .object({ older_than_days: z.number().int().min(0).max(3_650).default(30) })
  .default({ older_than_days: 30 });
const step = z.string().regex(/^[a-z0-9_]{1,40}$/);
const swReport = z.object({ step, status: z.union([step, z.number().int()]).optional() });
const pushTest = z.object({ via: z.enum(["worker", "local"]).default("worker") }).default({ via: "worker" });

const testError = z.object({ endpoint_hash: z.string(), status: z.int().nullable(), error: z.string() });
const testShape = z.object({ ok, sent: count, errors: z.array(testError) });

/** The devices that get a person's notifications. No answer, event or log names an endpoint, because it is a secret of its device. */
export const pushEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/push/public-key",
    gate: "user",
    summary: "Get the public key for push subscriptions",
    refuses: ["push_not_configured"],
    returns: { 200: z.object({ ok, vapidPublicKey: z.string() }) },
    answer: async ({ services: { env } }) =>
      env.vapid.publicKey
        ? { ok: true, vapidPublicKey: env.vapid.publicKey }
        : Refusal("push_not_configured"),
  }),
  endpoint({
    method: "POST",
    path: "/api/push/subscribe",
    gate: "user",
    summary: "Add a device",
    refuses: ["endpoint_not_allowed", "invalid_subscription", "too_many_devices"],
    returns: { 201: z.object({ ok, subscription: deviceShape }) },
    body: subscription,
    answer: async ({ request, context, services: { db, env, clock }, signedIn, body }) => {
      const refusal = checkSubscription(body, env);
      if (refusal) return refusal;
      const subscription = {
        endpoint: body.endpoint,
        ...body.keys,
        locale: await context.locale(),
        ...deviceKind(request.headers.get("User-Agent") ?? ""),
      };
      const device = await setSubscription(
        db,
        signedIn.user,
        subscription,
        toHashKey(env),
        clock(),
        signedIn.sessionId,
      );
      return isRefusal(device)
        ? device
        : Response.json({ ok: true, subscription: toWireDevice(device) }, { status: 201 });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/push/subscribe",
    gate: "user",
    summary: "Remove a device",
    returns: { 200: removed },
    body: z.object({ endpoint: address }),
    answer: async ({ services: { db }, signedIn, body: { endpoint } }) => ({
      ok: true,
      removed: await removeDevice(db, signedIn.user.id, { endpoint }),
    }),
  }),
  endpoint({
    method: "GET",
    path: "/api/push/subscriptions",
    gate: "user",
    summary: "List devices",
    returns: { 200: z.object({ ok, subscriptions: z.array(deviceShape), count }) },
    answer: async ({ services: { db }, signedIn }) => {
      const devices = await listDevices(db, signedIn.user);
      return { ok: true, subscriptions: devices.map(toWireDevice), count: devices.length };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/push/subscriptions/cleanup",
    gate: "user",
    summary: "Remove devices unused for a long time",
    returns: { 200: removed },
    body: cleanup,
    answer: async ({ services: { db, clock }, signedIn, body: { older_than_days } }) => {
      const since = new Date(clock().getTime() - older_than_days * DAY_MS);
      return { ok: true, removed: await removeIdleDevices(db, signedIn.user.id, since) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/push/subscriptions/delete-all",
    gate: "user",
    summary: "Remove all devices",
    returns: { 200: removed },
    answer: async ({ services: { db }, signedIn }) => ({
      ok: true,
      removed: await removeOwnerDevices(db, signedIn.user.id),
    }),
  }),
  endpoint({
    method: "POST",
    path: "/api/push/sw-report",
    gate: "user",
    summary: "Report how a notification was handled",
    returns: { 200: done },
    body: swReport,
    answer: async ({ services: { db }, signedIn, body: { step, status } }) => {
      db.emit("sw_push_report", {
        step,
        ...(status === undefined ? {} : { status: String(status) }),
        resource: { type: "user", id: signedIn.user.id },
      });
      return { ok: true };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/push/test",
    gate: "user",
    summary: "Send a test notification to all devices",
    refuses: ["push_not_configured", "push_worker_unavailable"],
    returns: { 200: testShape },
    body: pushTest,
    answer: async ({ services, signedIn, body: { via } }) => {
      const result = await testPush(services, signedIn.user.id, via);
      return isRefusal(result) ? result : { ok: true, ...result };
    },
  }),
]);
