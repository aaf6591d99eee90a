import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { MongoServerError } from "mongodb";
import { afterAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#app/main/api-table.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { required } from "#domain/required.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { isIn, listWritings, type Marks } from "#tests/support/private-words/marks.ts";
import { openPushService } from "#tests/support/reminders/push-service.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb, signed, type Visitor } from "#tests/support/web.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { runJob } from "#worker/run-job.ts";

/** A day in the product with marked words in every field. Administrators must see none of them. */
const WORDS = {
  firstName: "Zohara-Qx7",
  userName: "zq_handle_81",
  fileName: "qz secret plans 44.py",
  code: "qz_wages = 'סוד כמוס 55'",
  tag: "qz-tag-19",
  description: "qz describes 73",
  note: "qz note: לקנות חלב 21",
  board: "qz board 64",
  search: "qz looked for 38",
  email: "zohara.qz@marked.example",
  endpoint: "qzEndpointOfDevice93",
  agent: "qzBrowser/9.1",
  instructions: "qz instructs 27",
  tokenName: "qz laptop 88",
  question: "qz asks why 15",
  announcement: "qz announces 52",
  unknownPath: "qz-no-such-page-31",
};
const MARKS: Marks & typeof WORDS = { ...WORDS };

const pair = generateVapidPair();
const many = { RATE_LIMIT_WRITES_PER_MINUTE: "100000", RATE_LIMIT_REQUESTS_PER_MINUTE: "100000" };
const web = await openTestWeb({
  ...many,
  VAPID_PUBLIC_KEY: pair.publicKey,
  VAPID_PRIVATE_KEY: pair.privateKey,
  PUSH_ALLOW_LOOPBACK: "1",
  LOG_LEVEL: "debug",
});
const service = await openPushService(pair.publicKey);
afterAll(() => service.close());

const refusals: string[] = [];
const words = Object.values(MARKS).join(" | ");
const toBody = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const HEADERS = {
  "Content-Type": "application/json",
  "User-Agent": MARKS.agent,
  Referer: `http://x/${MARKS.unknownPath}`,
  "X-Forwarded-For": MARKS.email,
};

/** Refusals to strangers and error messages must not contain them either. */
async function ask(who: Visitor, method: string, path: string, body?: unknown): Promise<Response> {
  const init = { method, headers: HEADERS, ...(body === undefined ? {} : { body: toBody(body) }) };
  const response = await who.ask(path, init);
  if (response.status >= (who === stranger ? 400 : 500)) refusals.push(await response.clone().text());
  return response;
}

const dana = await web.visitor().logIn("41", { first_name: MARKS.firstName, username: MARKS.userName });
const stranger = web.visitor();
const admin = await web.visitor().logIn(ADMIN_ID);

/** A person uses the product as intended. */
async function live(): Promise<void> {
  const name = encodeURIComponent(MARKS.fileName);
  const saved = await ask(dana, "PUT", `/api/files/${name}`, `${MARKS.code}\n# ${MARKS.email}\n`);
  const { file_id } = await saved.json();
  await dana.submit("/files/actions", {
    intent: `describe:${file_id}`,
    description: `${MARKS.description} ${MARKS.email}`,
    tags: MARKS.tag,
  });
  for (const path of [
    `/files?q=${encodeURIComponent(MARKS.search)}`,
    `/file/${file_id}`,
    `/md/${file_id}`,
    "/files",
  ])
    await dana.page(path);
  await ask(dana, "GET", `/api/files?q=${encodeURIComponent(MARKS.search)}`);
  const content = `${MARKS.note} ${MARKS.email}`;
  const { note } = await (await ask(dana, "POST", `/api/sticky-notes/${file_id}`, { content })).json();
  await ask(dana, "GET", `/api/sticky-notes/search?q=${encodeURIComponent(MARKS.note)}`);
  await ask(dana, "POST", `/api/sticky-notes/note/${note?.id}/reminder`, { preset: "in_1_hour" });
  await ask(dana, "POST", "/api/note-boards", { name: MARKS.board });
  const { subscription } = service.browser("dana");
  const endpoint = `http://127.0.0.1:9/${MARKS.endpoint}`;
  await ask(dana, "POST", "/api/push/subscribe", { ...subscription, endpoint });
  await ask(dana, "POST", "/api/push/test", { via: "local" });
  await ask(dana, "POST", "/api/push/sw-report", { step: MARKS.email, status: MARKS.firstName });
  await dana.submit("/settings", {
    intent: "agents",
    instructions: MARKS.instructions,
    text: MARKS.instructions,
  });
  await ask(dana, "GET", "/api/agent/primer");
  await ask(dana, "POST", "/api/ai/explain", { code: MARKS.code, question: MARKS.question });
  for (const tool of ["format", "check"])
    await ask(dana, "POST", `/api/code/${tool}`, { code: `${MARKS.code}\n(`, language: "python" });
  const { url } = await (await ask(dana, "POST", `/api/share/${file_id}`, {})).json();
  await ask(stranger, "GET", new URL(url, web.url).pathname);
  await ask(stranger, "GET", `/file/${file_id}`);
  const { shares } = await (await ask(dana, "GET", "/api/shares")).json();
  await ask(dana, "DELETE", `/api/shares/${shares[0].share_id ?? shares[0].id}`);
  await ask(dana, "POST", `/api/file/${file_id}/trash`, {});
}

/** Secrets that give access are marks too. */
async function holdSecrets(): Promise<void> {
  const wish = { intent: "create", name: MARKS.tokenName, scope: "write", lifetime: "90" };
  MARKS.token = /cs_[\w-]{43}/.exec(await (await dana.submit("/settings/tokens", wish)).text())?.[0] ?? "";
  const bearing = { ...HEADERS, Authorization: `Bearer ${MARKS.token}` };
  await web.visitor().ask("/api/me", { headers: bearing });
  await web
    .visitor()
    .ask("/api/me", { headers: { ...bearing, Authorization: `Bearer cs_${"q".repeat(43)}` } });
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: MARKS.note, arguments: MARKS },
  };
  const accept = { ...bearing, Accept: "application/json, text/event-stream" };
  await web.visitor().ask("/mcp", { method: "POST", headers: accept, body: JSON.stringify(call) });
  const { _id } = required(await web.db.tokens.findOne({ user_id: "41" }));
  await dana.submit("/settings/tokens", { intent: "revoke", id: _id.toHexString() });
  const feeds = await (await dana.submit("/settings/feeds", { intent: "make" })).text();
  MARKS.feed = /\/feeds\/([\w-]+)\/reminders/.exec(feeds)?.[1] ?? "";
  await web.visitor().ask(`/feeds/${MARKS.feed}/reminders.ics`);
  await web.visitor().ask(`/feeds/${MARKS.feed}/nothing.txt`);
  MARKS.session = [...dana.cookies.values()].sort((a, b) => b.length - a.length)[0] ?? "";
  const login = signed({ id: "42", first_name: MARKS.firstName, username: MARKS.email, auth_date: 1 });
  await ask(web.visitor(), "POST", "/auth/messenger", login);
  await ask(web.visitor(), "POST", "/auth/messenger", { ...login, hash: "0".repeat(64) });
  await admin.submit("/admin/announcements", { intent: "create", text: MARKS.announcement, link: "" });
  const announcement = required(await web.db.announcements.findOne({}));
  const announcement_id = announcement._id.toHexString();
  await admin.submit("/admin/announcements", { intent: "activate", announcement_id });
}

const SKIPPED = /^\/api\/(code\/run|push\/test)$/;

/** Sends marked words wherever an endpoint or a page accepts any, mostly in the wrong field. */
async function blunder(): Promise<void> {
  const fields = Object.keys(MARKS).map((name) => [name, words]);
  const everything = Object.fromEntries([
    ...fields,
    ...["content", "code", "name", "text", "url", "file_ids", "query", "remind_at", "title", "tags"].map(
      (f) => [f, words],
    ),
  ]);
  const query = new URLSearchParams({ q: words, cursor: MARKS.search, lang: MARKS.tag, page: MARKS.note });
  const BODIES = [everything, `{"${words}`, [words]];
  for (const { method, path } of endpoints) {
    if (SKIPPED.test(path)) continue;
    const address = path.replace(/:\w+/g, encodeURIComponent(MARKS.fileName));
    for (const who of [dana, stranger])
      for (const body of method === "GET" ? [undefined] : drawCases(`${method} ${path}`, BODIES, 1))
        await ask(who, method, `${address}?${query}`, body);
  }
  for (const path of pagePaths(encodeURIComponent(MARKS.unknownPath)))
    for (const who of [dana, stranger]) {
      await who.page(`${path}?${query}`, { headers: HEADERS });
      await who.page(path, { method: "POST", body: new URLSearchParams({ intent: words, ...everything }) });
    }
}

const KEPT_AWAY = /^(logout|settings_\.delete|settings_\.sessions|auth\.)/;

function pagePaths(unknown: string): string[] {
  return readdirSync(join(PROJECT_ROOT, "app/routes"))
    .filter((name) => !name.endsWith(".ts") && !KEPT_AWAY.test(name))
    .map((name) => name.replace(/\.tsx$/, "").split("."))
    .map((parts) => `/${parts.map((part) => part.replace(/_$/, "").replace(/^\$.*/, unknown)).join("/")}`);
}

/** The store fails, and names the values in its own error messages. */
async function breakDown(): Promise<void> {
  const scratch = web.mongo.collection("scratch");
  const twice = { _id: `${MARKS.fileName} ${MARKS.email}` as never };
  await scratch.insertOne(twice);
  const fault = await scratch.insertOne(twice).catch((error: MongoServerError) => error);
  expect(`${(fault as Error).message}`).toContain(MARKS.fileName);
  const broken = vi.spyOn(web.db.files, "find").mockImplementation(() => {
    throw fault;
  });
  await ask(dana, "GET", "/api/files");
  await dana.page("/files?category=recent");
  await ask(dana, "PUT", "/api/files/x.py", "x");
  const syntax = new SyntaxError(`Unexpected token 'q', "${MARKS.code}" is not valid JSON`);
  broken.mockImplementation(() => {
    throw syntax;
  });
  await ask(dana, "GET", "/api/files");
  broken.mockRestore();
  const fail = () => {
    throw fault;
  };
  const failing = new Proxy(web.db.files, { get: () => fail });
  const run = await triggerJob(web.db, web.queue, "trash_check", "manual", web.clock());
  const services = createTestServices(web, { db: { ...web.db, files: failing as never }, log: web.shelfLog });
  const { signal } = new AbortController();
  await runJob(services, "trash_check", { trigger: "manual", run_id: run.run_id, payload: {} }, signal);
}

await live();
await holdSecrets();
await blunder();
await breakDown();
await web.emitter.flush();
await web.timings.flush();

const readTexts = async (...names: (keyof typeof web.db)[]) =>
  JSON.stringify(
    await Promise.all(names.map((name) => (web.db[name] as typeof web.db.events).find({}).toArray())),
  );

const PLACES = {
  "stored events": await readTexts("events"),
  alerts: await readTexts("alerts", "alert_cooldowns"),
  "roll-ups": await readTexts("event_counts", "request_timings"),
  "records of runs": await readTexts("job_runs"),
  "log lines": [...web.log, ...web.emitted].join(""),
  metrics: await (await web.visitor().ask("/metrics")).text(),
  "answers to strangers and to faults": refusals.join("\n"),
};

describe("what administrators see", () => {
  it("contains data to search", async () => {
    expect(web.log.length).toBeGreaterThan(300);
    expect(refusals.length).toBeGreaterThan(100);
    for (const [place, text] of Object.entries(PLACES)) expect(text.length, place).toBeGreaterThan(200);
    const libraryText = await readTexts(
      "users",
      "files",
      "file_bodies",
      "notes",
      "boards",
      "tokens",
      "push_subscriptions",
    );
    const stored = [
      "firstName",
      "fileName",
      "code",
      "tag",
      "description",
      "note",
      "board",
      "tokenName",
      "endpoint",
    ];
    expect(stored.filter((name) => !isIn(libraryText, MARKS[name] ?? ""))).toEqual([]);
  });

  it.each(Object.keys(PLACES) as (keyof typeof PLACES)[])("has no private word in the %s", (place) => {
    const text = PLACES[place].toLowerCase();
    const leaks = Object.entries(MARKS).flatMap(([name, mark]) =>
      listWritings(mark).flatMap((writing) => {
        const index = text.indexOf(writing.toLowerCase());
        return index < 0 ? [] : [`${name}: …${text.slice(Math.max(0, index - 120), index + 80)}`];
      }),
    );
    expect(leaks).toEqual([]);
  });

  it("reports actions by ids and kinds", async () => {
    expect(await web.events("share_created")).toMatchObject([{ kind: "file", count: 1 }]);
    expect(await web.events("share_revoked")).toHaveLength(1);
    expect(await web.events("token_created")).toMatchObject([{ scope: "write" }]);
    expect(await web.events("token_revoked")).toHaveLength(1);
    expect(await web.events("announcement_activated")).toMatchObject([
      { resource: { type: "announcement" } },
    ]);
  });
});
