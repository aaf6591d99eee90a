import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { NOON } from "#tests/support/store.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { openTestWeb, type TestWeb, type Visitor } from "#tests/support/web.ts";
import { startWorker } from "#tests/support/workers/worker-process.ts";

const pair = generateVapidPair();
const VAPID = { VAPID_PUBLIC_KEY: pair.publicKey, VAPID_PRIVATE_KEY: pair.privateKey };
const web = await openTestWeb({ ...VAPID, PUSH_ALLOW_LOOPBACK: "1" });
const strict = await openTestWeb({ VAPID_PUBLIC_KEY: pair.publicKey });
const bare = await openTestWeb();
const service = await openPushService(pair.publicKey);
afterAll(() => service.close());

const subscribe = (visitor: Visitor, name: string, subscription = service.browser(name).subscription) =>
  visitor.send("POST", "/api/push/subscribe", subscription);
const hashes = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.send("GET", "/api/push/subscriptions")).body.subscriptions.map(
    ({ endpoint_hash }: { endpoint_hash: string }) => endpoint_hash,
  );
const refusal = (status: number, error: string, more: object = {}) => ({
  status,
  body: { ok: false, error, ...more },
});

describe("a browser", () => {
  it("gets the key to subscribe with, if there is one", async () => {
    const key = async (place: TestWeb) => (await place.person()).send("GET", "/api/push/public-key");
    expect((await key(web)).body).toEqual({ ok: true, vapidPublicKey: pair.publicKey });
    expect(await key(bare)).toMatchObject(refusal(503, "push_not_configured"));
  });

  it("subscribes, again without becoming two, is listed by its hash alone, and unsubscribes", async () => {
    const dana = await web.person();
    const { subscription } = service.browser("two");
    for (let i = 0; i < 2; i += 1) expect((await subscribe(dana, "two")).status).toBe(201);

    const { subscriptions } = (await dana.send("GET", "/api/push/subscriptions")).body;
    const moments = { created_at: "2037-11-14T12:00:00.000+00:00", last_success_at: null };
    expect(subscriptions).toMatchObject([moments]);
    const { endpoint_hash } = subscriptions[0];
    for (const secret of [subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth])
      expect(JSON.stringify(subscriptions)).not.toContain(secret);
    expect((await web.events("push_subscribed")).at(-1)).toMatchObject({ endpoint_hash });

    const { endpoint } = subscription;
    for (const removed of [1, 0])
      expect((await dana.send("DELETE", "/api/push/subscribe", { endpoint })).body).toEqual({
        ok: true,
        removed,
      });
    expect(await web.events("push_unsubscribed")).toMatchObject([{ endpoint_hash }]);
    expect(web.log.join("")).not.toContain("/push/two");
  });

  it("subscribed many times at once is one", async () => {
    const dana = await web.person();
    const answers = await Promise.all(Array.from({ length: 8 }, () => subscribe(dana, "three")));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await hashes(dana)).toHaveLength(1);
  });

  it("belongs to the last person who subscribed it, and nobody else can remove it", async () => {
    const [first, second] = [await web.person(), await web.person()];
    const { endpoint } = service.browser("four").subscription;
    await subscribe(first, "four");
    await subscribe(second, "four");
    expect([await hashes(first), await hashes(second)].map(({ length }) => length)).toEqual([0, 1]);

    const removal = await first.send("DELETE", "/api/push/subscribe", { endpoint });
    expect(removal.body).toMatchObject({ removed: 0 });
    const [endpoint_hash = ""] = await hashes(second);
    await first.submit("/settings/devices", { intent: "remove", endpoint_hash });
    expect(await hashes(second)).toHaveLength(1);
  });

  it("is refused with invalid keys", async () => {
    const dana = await web.person();
    const { endpoint, keys } = service.browser("seven").subscription;
    for (const wrong of [
      { p256dh: keys.p256dh, auth: "short" },
      { p256dh: keys.auth, auth: keys.auth },
      { p256dh: `BA${keys.p256dh.slice(2, -4)}AAAA`, auth: keys.auth },
    ])
      expect(await subscribe(dana, "seven", { endpoint, keys: wrong })).toMatchObject(
        refusal(400, "invalid_subscription"),
      );
    expect(await hashes(dana)).toEqual([]);
  });

  it("is one of twenty at most", async () => {
    const dana = await web.person();
    for (let i = 0; i < 20; i += 1) expect((await subscribe(dana, `eight-${i}`)).status).toBe(201);
    expect(await subscribe(dana, "eight-more")).toMatchObject(refusal(409, "too_many_devices", { max: 20 }));

    const removal = await dana.send("DELETE", "/api/push/subscriptions/delete-all");
    expect(removal.body).toEqual({ ok: true, removed: 20 });
    expect((await web.events("push_subscriptions_delete_all")).at(-1)).toMatchObject({ count: 20 });
  });

  it("that was idle for longer than the given time is removed", async () => {
    const dana = await web.person();
    await subscribe(dana, "nine-old");
    web.clock.pass(20 * DAY_MS);
    await dana.logIn(dana.id);
    await subscribe(dana, "nine-new");
    const cleanup = async (body?: object) =>
      (await dana.send("POST", "/api/push/subscriptions/cleanup", body)).body;
    expect(await cleanup()).toEqual({ ok: true, removed: 0 });
    expect(await cleanup({ older_than_days: 10 })).toEqual({ ok: true, removed: 1 });
    expect(await cleanup({ older_than_days: -1 })).toMatchObject({ ok: false, error: "invalid_payload" });
    web.clock.set(NOON);
    expect((await web.events("push_subscriptions_cleanup")).map(({ count }) => count)).toEqual([0, 1]);
  });
});

describe("the service worker", () => {
  it("is served for the whole site, fresh each time, and may talk to us alone", async () => {
    const answer = await web.visitor().ask("/sw.js");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/javascript/);
    expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    expect(answer.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
  });

  it("reports its steps, and nothing else gets into the record", async () => {
    const me = await web.person("10");
    const report = (body: object) => me.send("POST", "/api/push/sw-report", body);
    expect((await report({ step: "shown" })).body).toEqual({ ok: true });
    expect((await report({ step: "snoozed", status: 200, note: "secret words" })).status).toBe(200);
    expect((await report({ step: "Secret words!" })).status).toBe(400);
    const resource = { type: "user", id: toEventPerson("10") };
    expect(await web.events("sw_push_report")).toMatchObject([
      { step: "shown", resource },
      { step: "snoozed", status: "200", resource },
    ]);
    expect(JSON.stringify(await web.db.events.find({}).toArray())).not.toContain("secret words");
  });
});

describe("a test notification", () => {
  const test = (visitor: Visitor, body?: object) => visitor.send("POST", "/api/push/test", body);

  it("sent from the web process reaches every device, and names the one that refused it", async () => {
    const dana = await web.person();
    await subscribe(dana, "eleven-a");
    await subscribe(dana, "eleven-b");
    service.answers("eleven-b", { status: 403 });

    expect(await test(dana, { via: "local" })).toMatchObject({
      status: 200,
      body: { ok: true, sent: 1, errors: [{ status: 403, error: "http_403" }] },
    });
    expect((await web.events("push_test_result")).at(-1)).toMatchObject({ sent: 1, errors: 1 });
    expect(await web.events("push_test_local_error")).toMatchObject([{ error: "http_403" }]);
    expect(required(service.received.at(-1)).message.data).toEqual({ type: "push_test" });
  });

  it("without devices says that nothing was sent, and refuses an unknown way", async () => {
    const dana = await web.person();
    expect((await test(dana, { via: "local" })).body).toEqual({ ok: true, sent: 0, errors: [] });
    expect((await web.events("push_send_no_subscriptions")).at(-1)).toMatchObject({
      resource: { type: "user", id: toEventPerson(dana.id) },
    });
    expect((await test(dana, { via: "pigeon" })).status).toBe(400);
  });

  it("cannot be sent from a process without the private key", async () => {
    const answer = await test(await strict.person(), { via: "local" });
    expect(answer).toMatchObject(refusal(503, "push_not_configured"));
    expect(await strict.events("push_send_missing_vapid_private")).toHaveLength(1);
  });

  itDrawn("a test by a worker", 3)(
    "is refused without a worker, and sent by one as soon as it is there",
    async () => {
      onTestFinished(() => web.clock.set(NOON));
      const dana = await web.person();
      await subscribe(dana, "fourteen");
      expect(await test(dana, {})).toMatchObject(refusal(503, "push_worker_unavailable"));
      expect((await web.events("push_test_worker_error")).at(-1)).toMatchObject({ error: "no_worker" });

      const worker = startWorker(web, { PUSH_ALLOW_LOOPBACK: "1", ...VAPID });
      await worker.line(/internal_worker_started/);
      // A real worker's heartbeat uses the machine's clock.
      web.clock.set(new Date());
      expect((await test(dana)).body).toEqual({ ok: true, sent: 1, errors: [] });
      service.answers("fourteen", { status: 500 });
      expect((await test(dana)).body).toMatchObject({ sent: 0, errors: [{ status: 500 }] });
      expect((await web.events("push_test_worker_error")).at(-1)).toMatchObject({ error: "http_500" });
      worker.child.kill("SIGTERM");
      expect(await worker.exit).toEqual({ code: 0, signal: null });
      expect(worker.lines.join("\n")).not.toContain("/push/fourteen");
    },
  );
});

it("the page of a reminder says how the reminder reaches its person", async () => {
  const openReminder = async (place: TestWeb, visitor: Visitor) => {
    const { id } = await place.given.file(visitor.id, "due.txt");
    return (await visitor.read(`/file/${id}/reminder`)).replaceAll("<!-- -->", "");
  };
  const onBare = await openReminder(bare, await bare.person());
  expect(onBare).toContain("it shows in the bell and in Reminders");
  expect(onBare).not.toContain("Turn on notifications");

  const dana = await web.person();
  const before = await openReminder(web, dana);
  expect(before).toContain("it shows in the bell and in Reminders");
  expect(before).toContain('<a href="/settings/devices">Turn on notifications</a>');
  await subscribe(dana, "thirty-one");
  expect(await openReminder(web, dana)).toContain("your device gets a notification");
  await subscribe(dana, "thirty-one-b");
  expect(await openReminder(web, dana)).toContain("your 2 devices get a notification");
});

it("the page of devices lists, removes, cleans, empties and tests by plain forms, and says why a test cannot be sent", async () => {
  const dana = await web.person();
  await subscribe(dana, "sixteen-a");
  await subscribe(dana, "sixteen-b");
  const [first = "", second] = await hashes(dana);
  const send = (fields: Record<string, string>, visitor = dana) =>
    visitor.submit("/settings/devices", fields);
  const page = async () => await dana.read("/settings/devices");
  expect(await page()).toContain(first.slice(0, 8));

  const gone = await send({ intent: "remove", endpoint_hash: first });
  expect([gone.status, gone.headers.get("Location")]).toEqual([303, "/settings/devices"]);
  expect(await page()).toContain("1 device removed");
  expect(await hashes(dana)).toEqual([second]);
  await send({ intent: "test_local" });
  expect(await page()).toContain("Sent to 1 device");
  await send({ intent: "cleanup" });
  expect(await page()).toContain("No devices removed");
  await send({ intent: "remove_all" });
  expect(await hashes(dana)).toEqual([]);

  const refused = await send({ intent: "test_local" }, await strict.person());
  expect(refused.status).toBe(503);
  expect(await refused.text()).toMatch(/role="alert"[\s\S]*Notifications are not set up/);
});

describe("logging out", () => {
  it("takes that browser off the list, and no other", async () => {
    const here = await web.person("40");
    const otherSession = await web.person("40");
    await subscribe(here, "here-40");
    await subscribe(otherSession, "there-40");
    expect(await hashes(otherSession)).toHaveLength(2);

    await here.page("/logout");

    const remaining = await hashes(otherSession);
    expect(remaining).toHaveLength(1);
    expect((await web.events("push_unsubscribed")).at(-1)?.endpoint_hash).not.toBe(remaining[0]);
  });

  it("everywhere takes all of them, and ending the other sessions all but this one", async () => {
    const here = await web.person("41");
    const otherSession = await web.person("41");
    await subscribe(otherSession, "there-41");
    await subscribe(here, "here-41");
    await here.submit("/settings/sessions", { intent: "end_others" });
    expect(await hashes(here)).toHaveLength(1);

    await here.submit("/logout", { everywhere: "1" });

    expect(await hashes(await here.logIn("41"))).toEqual([]);
  });

  it("is different from logging in again: the same person still gets messages, another one starts without", async () => {
    const browser = await web.person("42");
    await subscribe(browser, "of-42");
    await browser.logIn("42");
    expect(await hashes(browser)).toHaveLength(1);

    await browser.logIn("43");

    expect(await hashes(browser)).toEqual([]);
    expect(await hashes(await web.person("42"))).toEqual([]);
  });

  it("leaves no device behind that was being subscribed at that moment", async () => {
    const browser = await web.person("44");
    await Promise.all([subscribe(browser, "of-44"), browser.page("/logout")]);
    expect(await hashes(await web.person("44"))).toEqual([]);
  });
});
