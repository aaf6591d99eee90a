import { expect, it } from "vitest";
import { openTestWeb, signed } from "#tests/support/web.ts";

const web = await openTestWeb({
  ALERTS_TOKEN: "a token for alerts",
  CODEHOST_WEBHOOK_SECRET: "a secret for pushes",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
});

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const auth_date = Math.floor(web.clock().getTime() / 1000);

/** Requests of an unknown visitor, each with new invented values. */
const ASKED: Record<string, (i: number) => [path: string, init?: RequestInit]> = {
  "a share": (i) => [`/share/made-up-${i}`],
  "a shared text": (i) => [`/share/made-up-${i}/raw`],
  "a link": (i) => [`/shared/made-up-${i}`],
  "a file of a link": (i) => [`/shared/made-up-${i}/1/raw`],
  "a feed": (i) => [`/feeds/made-up-${i}/reminders.ics`],
  "an address": (i) => [`/made/up/${i}`],
  "an endpoint": (i) => [`/api/made-up-${i}`],
  "a file of an endpoint": (i) => [`/api/files/made-up-${i}`, { method: "PUT", body: "x" }],
  "a method": (i) => ["/", { method: `MADEUP${i}` }],
  "a token": (i) => ["/api/me", { headers: { Authorization: `Bearer cs_made-up-${i}` } }],
  "a session": (i) => ["/files", { headers: { Cookie: `session=1.made-up-${i}.x` } }],
  "a login": (i) => ["/auth/messenger", json({ ...signed({ id: i + 1, auth_date }), hash: "0".repeat(64) })],
  "a login by another bot": (i) => ["/auth/messenger", json(signed({ id: i + 1, auth_date }, `${i}:x`))],
  "a login without a state": (i) => [
    `/auth/messenger?${new URLSearchParams({ id: String(i + 1), hash: "x", state: `made-up-${i}` })}`,
  ],
  "an alert": (i) => [
    "/api/alerts/webhook",
    json({ version: "4", alerts: [] }, { Authorization: `Bearer ${i}` }),
  ],
  "a push": (i) => [
    "/api/webhooks/codehost",
    json({ i }, { "X-Hub-Signature-256": `sha256=${i}`, "X-GitHub-Delivery": `made-up-${i}` }),
  ],
  "a report": (i) => ["/api/push/sw-report", json({ step: `made-up-${i}` })],
  "a choice": (i) => [
    "/preferences",
    { method: "POST", body: new URLSearchParams({ theme: `made-up-${i}` }) },
  ],
  "a query": (i) => [`/?made-up-${i}=${i}`],
};

async function kept(): Promise<Record<string, number>> {
  await web.events("auth_refused");
  await web.timings.flush();
  const collections = Object.entries(web.mongo.collections).filter(([, store]) => "countDocuments" in store);
  expect(collections.length).toBeGreaterThan(20);
  const counts = collections.map(async ([name, collection]) => [
    name,
    await (collection as typeof web.db.files).countDocuments({}),
  ]);
  return Object.fromEntries(await Promise.all(counts));
}

async function askAll(from: number, to: number): Promise<void> {
  for (let i = from; i < to; i += 1)
    for (const makeRequest of Object.values(ASKED)) {
      const [path, init] = makeRequest(i);
      const response = await web.visitor().ask(path, init);
      await response.arrayBuffer();
    }
}

const listRoutes = async () =>
  (await web.db.request_timings.find({}).toArray()).map(({ routes }) => Object.keys(routes).sort());

it("the invented values of strangers make nothing grow, however often they ask", async () => {
  await askAll(0, 12);
  const [before, routes] = [await kept(), await listRoutes()];
  expect(before.events).toBeGreaterThan(0);
  expect(before.request_timings).toBeGreaterThan(0);

  await askAll(12, 18);

  expect(await kept()).toEqual(before);
  expect(await listRoutes()).toEqual(routes);
  expect(JSON.stringify(routes)).not.toContain("made-up");
});
