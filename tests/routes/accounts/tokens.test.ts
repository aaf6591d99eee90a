import { describe, expect, it } from "vitest";
import { createToken, listTokens } from "#db/accounts/tokens.server.ts";
import { TOKENS_MAX } from "#domain/accounts/access-token.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { bearer } from "#tests/support/accounts/credentials.ts";
import { ADMIN_ID, openTestWeb, refusal } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_REQUESTS_PER_MINUTE: "40" });
const { db, given, clock } = web;
const dana = await web.person("50");

const send = (secret: string, method: string, path: string, body?: string) =>
  web.visitor().send(method, path, body, bearer(secret).headers);
async function openMadePage(): Promise<string> {
  const wish = { intent: "create", name: "a terminal", scope: "write", lifetime: "90" };
  return (await dana.submit("/settings/tokens", wish)).text();
}

describe("a personal access token", () => {
  it("comes with the command that logs in with it, and with a request to try, which is answered", async () => {
    const html = await openMadePage();
    const [, command = ""] = required(/value="(curl -o [^"]+)"/.exec(html));
    expect(command.replaceAll("&amp;", "&")).toBe(
      `curl -o codeshelf.mjs ${web.url}/codeshelf.mjs && node codeshelf.mjs login ${web.url}`,
    );
    const [, authorization = "", address = ""] = required(
      /value="curl -H &quot;Authorization: (Bearer cs_[\w-]{43})&quot; ([^"]+)"/.exec(html),
    );
    const answer = await fetch(address, { headers: { Authorization: authorization } });
    expect(await answer.json()).toMatchObject({ files: expect.any(Array) });
  });

  it("is shown once, kept as a digest only, and opens the JSON API", async () => {
    const [secret] = required(/cs_[\w-]{43}/.exec(await openMadePage()));

    expect((await send(secret, "PUT", "/api/files/by-token.py", "print(1)\n")).status).toBe(201);

    const byToken = { authenticated: true, user: { id: "50" }, token_scope: "write" };
    expect((await send(secret, "GET", "/api/me")).body).toMatchObject(byToken);
    expect((await dana.send("GET", "/api/me")).body).toMatchObject({ token_scope: null });
    expect(await dana.read("/settings/tokens")).not.toContain(secret);
    expect(JSON.stringify(await db.tokens.find().toArray())).not.toContain(secret);
    expect(web.log.join("\n")).not.toContain(secret);
  });

  it("says why it may not write, or not call what is for administrators", async () => {
    const { secret } = await given.token("50", "read");
    const refused = await send(secret, "PUT", "/api/files/never.py", "x");
    expect(refused).toMatchObject(refusal(403, "read_only_token"));

    await web.person(ADMIN_ID);
    const message = "Administrators' endpoints take no tokens. Log in instead.";
    const token = await given.token(ADMIN_ID);
    expect(await send(token.secret, "GET", "/api/jobs")).toMatchObject({ status: 403, body: { message } });
  });

  it("that was revoked is refused, even beside a valid cookie", async () => {
    const { token, secret } = await given.token("50");
    await dana.submit("/settings/tokens", { intent: "revoke", id: token.id });
    const answer = await dana.send("GET", "/api/files", undefined, bearer(secret).headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: "Authentication required",
      code: "auth_required",
      message: "This token is not valid.",
      redirect: "/login",
    });
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("ends after its days, and records its last use once a minute", async () => {
    const { token, secret } = await given.token("52", "write", 7);
    await web.person("52");
    const use = async () => {
      const { status } = await send(secret, "GET", "/api/files");
      const tokens = await listTokens(db, newOwner("52"));
      return { status, at: tokens.find(({ id }) => id === token.id)?.last_used_at };
    };
    expect(token.last_used_at).toBeNull();
    const first = await use();
    expect(await use()).toEqual(first);
    clock.pass(MINUTE_MS);
    expect(required((await use()).at).getTime()).toBe(required(first.at).getTime() + MINUTE_MS);

    clock.pass(7 * DAY_MS);

    expect((await send(secret, "GET", "/api/files")).status).toBe(401);
  });

  it("has one of 20 places, and any number of requests at once take no more", async () => {
    const wish = { name: "many", scope: "read", lifetimeDays: null } as const;
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => createToken(db, newOwner("56"), wish, clock())),
    );
    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(TOKENS_MAX);
    expect(await listTokens(db, newOwner("56"))).toHaveLength(TOKENS_MAX);
  });
});

describe("the data of pages", () => {
  const json = { Accept: "application/json" };

  it.each(["/reminders", "/boards", "/shares"])("%s is read with a token as JSON", async (path) => {
    const dana = await web.person();
    const script = await web.script(dana.id, "read");

    const { status, body } = await script.send("GET", path, undefined, json);

    expect([status, body.ok]).toEqual([200, true]);
    expect((await script.ask(path, { headers: { Accept: "text/html" }, redirect: "manual" })).status).toBe(
      302,
    );
  });

  it.each(["/settings/sessions", "/settings/tokens"])("%s says that it takes no token", async (path) => {
    const dana = await web.person();
    const script = await web.script(dana.id);

    const { status, body } = await script.send("GET", path, undefined, json);

    expect([status, body.code]).toEqual([403, "session_required"]);
    const stranger = await web
      .visitor()
      .send("GET", path, undefined, { ...json, Authorization: "Bearer cs_no" });
    expect(stranger.status).toBe(401);
  });
});
