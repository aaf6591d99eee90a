import { describe, expect, it } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { newVapidPair } from "#platform/outbound/vapid.ts";
import { bearer, givenCredentials, givenFeed, givenOpenShare } from "#tests/support/accounts/credentials.ts";
import { newPersonId } from "#tests/support/given.ts";
import { until } from "#tests/support/test-runs/until.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";
import { startPlainWorker } from "#tests/support/workers/plain-worker.ts";

const STORED_ADMIN = "801";
const web = await openTestWeb({
  VAPID_PUBLIC_KEY: newVapidPair().publicKey,
});
const admin = await web.person(ADMIN_ID);
const change = (intent: string, user_id: string, by = admin) =>
  by.send("POST", "/admin/users", new URLSearchParams({ intent, user_id }));
const lock = (id: string) => change("lock", id);

/** Each way in, to the status it answers with. */
type Entry = {
  id: string;
  here: Visitor;
  token: string;
  feed: string;
  share: string;
  link: string;
  reader: Visitor;
};
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const agentHeaders = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const logIn = async (id: string) => {
  const visitor = web.visitor();
  return visitor.logIn(id).then(
    () => new Response(null, { status: 200 }),
    (error: Error) => new Response(error.message.replace("Not logged in: ", ""), { status: 403 }),
  );
};
const ENTRIES: [name: string, ask: (entry: Entry) => Promise<Response>, status: number][] = [
  ["a page", ({ here }) => here.page("/files"), 403],
  ["a page as JSON", ({ here }) => here.ask("/settings/sessions"), 403],
  [
    "a form",
    ({ here }) =>
      here.ask("/settings/sessions", { method: "POST", body: new URLSearchParams({ intent: "end_others" }) }),
    403,
  ],
  ["the API by session", ({ here }) => here.ask("/api/files"), 403],
  ["the API that asks for nobody", ({ here }) => here.ask("/api/me"), 403],
  ["the API by token", ({ token }) => web.visitor().ask("/api/files", bearer(token)), 403],
  ["a feed", ({ feed }) => web.visitor().ask(`/feeds/${feed}/reminders.ics`), 403],
  [
    "an agent",
    ({ token }) =>
      web.visitor().ask("/mcp", {
        method: "POST",
        body: JSON.stringify(CALL),
        headers: { ...bearer(token).headers, ...agentHeaders },
      }),
    403,
  ],
  ["signing in", ({ id }) => logIn(id), 403],
  ["a share", ({ share, reader }) => reader.page(`/share/${share}`), 404],
  ["a share's text", ({ share, reader }) => reader.ask(`/share/${share}/raw`), 404],
  ["a link of several files", ({ link }) => web.visitor().page(`/shared/${link}`), 404],
  ["a link's zip", ({ link }) => web.visitor().ask(`/shared/${link}/zip`), 404],
];

async function givenEntries(): Promise<Entry> {
  const here = await web.person();
  const opened = await givenOpenShare(web, here);
  const file_ids = [await here.saveFile("linked.py")];
  const { token: link } = (await here.send("POST", "/api/files/create-share-link", { file_ids })).body;
  const { secret: token } = await web.given.token(here.id);
  const entry = { id: here.id, here, token, feed: await givenFeed(here), link };
  return { ...entry, share: opened.id, reader: opened.reader };
}

describe("a locked account", () => {
  it.each(ENTRIES)("is shut to %s at once, and open again once it is unlocked", async (_, ask, status) => {
    const entry = await givenEntries();
    expect((await ask(entry)).status).toBe(200);

    expect((await lock(entry.id)).status).toBe(200);

    const shut = await ask(entry);
    expect(shut.status).toBe(status);
    const isPage = shut.headers.get("Content-Type")?.startsWith("text/html");
    if (status === 403 && !isPage) expect(await shut.json()).toMatchObject({ error: "account_locked" });
    expect((await change("unlock", entry.id)).status).toBe(200);
    expect((await ask(entry)).status).toBe(200);
  });

  it("says so on a page of its own, in both languages, with the way out", async () => {
    const here = await web.person();
    const { id } = here;
    await here.submit("/preferences", { next: "/files", locale: "he" });
    await lock(id);

    const hebrew = (await here.show("/files")).html;
    here.cookies.set("locale", "en");
    const english = (await here.show("/files")).html;

    expect(hebrew).toContain("החשבון נעול");
    expect(hebrew).toContain('action="/logout"');
    expect(english).toContain("Account locked");
    expect((await here.submit("/logout", {})).status).toBe(303);
    expect((await here.page("/login")).status).toBe(200);
  });

  it("keeps its credentials", async () => {
    const id = newPersonId();
    const held = await givenCredentials(web, id);
    await lock(id);
    expect(await held.device()).toBe(404);
    await change("unlock", id);
    for (const kind of ["session", "token", "feed", "device", "share_password"] as const)
      expect([kind, await held[kind]()]).toEqual([kind, 200]);
  });

  it("has its queued programs refused", async () => {
    const here = await web.person();
    const { id } = here;
    await web.db.users.updateOne({ _id: id }, { $set: { role: "premium" } });
    const run = () => here.send("POST", "/api/code/run", { code: "print(1)" });
    const answer = run();
    await until(async () => (await web.db.job_runs.countDocuments({ job_id: "code_run" })) > 0, 10_000);
    await lock(id);

    await startPlainWorker(web, web.databaseUrl);

    expect(await answer).toMatchObject({ status: 403, body: { error: "account_locked" } });
    await change("unlock", id);
    expect((await run()).status).toBe(200);
  });

  it("is announced when it is locked and when it is unlocked, once each", async () => {
    const { id } = await web.person();
    for (const intent of ["lock", "lock", "unlock", "unlock"]) await change(intent, id);
    const about = ({ resource }: { resource?: { id: string } }) => resource?.id === toEventPerson(id);
    expect((await web.events("account_locked")).filter(about)).toHaveLength(1);
    expect((await web.events("account_unlocked")).filter(about)).toHaveLength(1);
  });
});

describe("locking", () => {
  it("is shown in the list, with the way back", async () => {
    const { id } = await web.person();
    await admin.submit("/admin/users", { intent: "lock", user_id: id });
    const page = (await admin.show(`/admin/users?q=${id}`)).html;
    expect(page).toContain("Account locked");
    expect(page).toMatch(/status-failed[^>]*>Locked</);
    expect(page).toContain('value="unlock"');
    expect(page).not.toContain('value="lock"');
  });

  it("is refused for oneself, for administrators by appointment and for nobody", async () => {
    const other = await web.person(STORED_ADMIN);
    await web.db.users.updateOne({ _id: STORED_ADMIN }, { $set: { role: "admin" } });
    const refusals: [user_id: string, status: number, error: string][] = [
      [STORED_ADMIN, 409, "own_account"],
      [ADMIN_ID, 409, "appointed_admin"],
      ["404404", 404, "user_not_found"],
    ];
    for (const [user_id, status, error] of refusals) {
      expect(await change("lock", user_id, other)).toMatchObject({ status, body: { error } });
    }
    expect((await admin.ask("/api/files")).status).toBe(200);
    expect((await other.ask("/api/files")).status).toBe(200);
    expect((await other.show(`/admin/users?q=${ADMIN_ID}`)).html).not.toContain('value="lock"');
  });
});
