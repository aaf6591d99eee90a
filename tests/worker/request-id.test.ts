import { afterAll, expect, it } from "vitest";
import { itemAt } from "#domain/required.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const pair = generateVapidPair();
const push = {
  VAPID_PUBLIC_KEY: pair.publicKey,
  VAPID_PRIVATE_KEY: pair.privateKey,
  PUSH_ALLOW_LOOPBACK: "1",
};
const web = await openTestWeb(push);
const service = await openPushService(pair.publicKey);
afterAll(() => service.close());

it("one id goes from the request through the queue into the events and log lines of both processes", async () => {
  web.clock.set(new Date());
  const worker = startWorker(web, push);
  await worker.line(/internal_worker_started/);
  const dana = await web.visitor().logIn("31");
  const post = (path: string, body: object) =>
    dana.ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  // A device whose push service does not answer makes the web process log what the worker reported.
  const { subscription } = service.browser("gone");
  await post("/api/push/subscribe", { ...subscription, endpoint: "http://127.0.0.1:9/nobody" });

  const answer = await post("/api/push/test", { via: "worker" });

  const request_id = answer.headers.get("X-Request-Id");
  expect(await web.events("push_test_worker_error")).toMatchObject([{ request_id }]);
  worker.child.kill("SIGTERM");
  await worker.exit;
  const started = itemAt(
    (await web.events("job_started")).filter(({ job_id }) => job_id === "push_test"),
    0,
  );
  const ended = itemAt(
    (await web.events("job_completed")).filter(({ job_id }) => job_id === "push_test"),
    0,
  );
  expect([started.request_id, ended.request_id]).toEqual([request_id, request_id]);
  const lines = worker.lines.filter((line) => line.includes(`"request_id":"${request_id}"`));
  expect(lines.join("\n")).toContain('"event":"job_started"');
  expect(web.log.some((line) => line.includes(`${request_id}`))).toBe(true);
});
