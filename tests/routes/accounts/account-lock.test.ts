import { describe, expect, it } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { generateVapidPair } from "#platform/outbound/vapid.ts";
import { bearer, givenFeed, givenOpenShare } from "#tests/support/accounts/credentials.ts";
import { until } from "#tests/support/test-runs/until.ts";
import { ADMIN_ID, openTestWeb, refusal } from "#tests/support/web.ts";
import { startPlainWorker } from "#tests/support/workers/plain-worker.ts";

const STORED_ADMIN = "801";
const web = await openTestWeb({
  VAPID_PUBLIC_KEY: generateVapidPair().publicKey,
});
const admin = await web.person(ADMIN_ID);
const change = (intent: string, user_id: string, by = admin) =>
  by.send("POST", "/admin/users", new URLSearchParams({ intent, user_id }));
const lock = (id: string) => change("lock", id);

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const agent = (token: string) => ({
  ...bearer(token).headers,
  Accept: "application/json, text/event-stream",
});
const statusOfLogin = (id: string) =>
  web
    .visitor()
    .logIn(id)
    .then(
      () => ({ status: 200, body: null }),
      (error: Error) => ({ status: 403, body: JSON.parse(error.message.replace("Not logged in: ", "")) }),
    );

/** Each kind of access of a new person, and its status while the account is locked. */
async function givenEntries() {
  const here = await web.person();
  const opened = await givenOpenShare(web, here);
  const file_ids = [await here.saveFile("linked.py")];
  const link = (await here.send("POST", "/api/files/create-share-link", { file_ids })).body.token;
  const { secret: token } = await web.given.token(here.id);
  const feed = await givenFeed(here);
  const anybody = web.visitor();
  const end = new URLSearchParams({ intent: "end_others" });
  const entries: [string, number, () => Promise<{ status: number; body?: unknown }>][] = [
    ["a page", 403, () => here.show("/files")],
    ["a page as JSON", 403, () => here.send("GET", "/settings/sessions")],
    ["a form", 403, () => here.send("POST", "/settings/sessions", end)],
    ["the API by session", 403, () => here.send("GET", "/api/files")],
    ["the API that asks for nobody", 403, () => here.send("GET", "/api/me")],
    ["the API by token", 403, () => anybody.send("GET", "/api/files", undefined, bearer(token).headers)],
    ["a feed", 403, () => anybody.send("GET", `/feeds/${feed}/reminders.ics`)],
    ["an agent", 403, () => anybody.send("POST", "/mcp", CALL, agent(token))],
    ["signing in", 403, () => statusOfLogin(here.id)],
    ["a share", 404, () => opened.reader.show(`/share/${opened.id}`)],
    ["a share's text", 404, () => opened.reader.send("GET", `/share/${opened.id}/raw`)],
    ["a link of several files", 404, () => anybody.show(`/shared/${link}`)],
    ["a link's zip", 404, () => anybody.send("GET", `/shared/${link}/zip`)],
  ];
  return { id: here.id, entries };
}

describe("a locked account", () => {
  it("refuses every kind of access at once, and allows it again after the unlocking", async () => {
    const { id, entries } = await givenEntries();
    for (const [name, , ask] of entries) expect((await ask()).status, name).toBe(200);

    expect((await lock(id)).status).toBe(200);

    for (const [name, status, ask] of entries) {
      const shut = await ask();
      expect(shut.status, name).toBe(status);
      if (status === 403 && name !== "a page")
        expect(shut.body, name).toMatchObject({ error: "account_locked" });
    }
    expect((await change("unlock", id)).status).toBe(200);
    for (const [name, , ask] of entries) expect((await ask()).status, name).toBe(200);
  });

  it("says so on a page of its own, in both languages, with the way out", async () => {
    const here = await web.person();
    const { id } = here;
    await here.submit("/preferences", { next: "/files", locale: "he" });
    await lock(id);

    const hebrew = await here.read("/files");
    here.cookies.set("locale", "en");
    const english = await here.read("/files");

    expect(hebrew).toContain("החשבון נעול");
    expect(hebrew).toContain('action="/logout"');
    expect(english).toContain("Account locked");
    expect((await here.submit("/logout", {})).status).toBe(303);
    expect((await here.page("/login")).status).toBe(200);
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

    expect(await answer).toMatchObject(refusal(403, "account_locked"));
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

it("locking is refused for oneself, for appointed administrators and for unknown people", async () => {
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
  expect(await other.read(`/admin/users?q=${ADMIN_ID}`)).not.toContain('value="lock"');
});
