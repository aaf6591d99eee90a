import { describe, expect, it } from "vitest";
import { createToken, listTokens } from "#db/accounts/tokens.server.ts";
import { TOKENS_MAX, type TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_REQUESTS_PER_MINUTE: "40",
});
const dana = await web.person("50");
const pass = (ms: number) => web.clock.set(new Date(web.clock().getTime() + ms));

async function madeBy(visitor: Visitor, fields: Record<string, string> = {}): Promise<string> {
  const wish = { intent: "create", name: "a script", scope: "write", lifetime: "90", ...fields };
  const page = await (await visitor.submit("/settings/tokens", wish)).text();
  return required(/cs_[\w-]{43}/.exec(page))[0];
}

async function given(ownerId: string, scope: TokenScope = "write", lifetimeDays: number | null = null) {
  const made = await createToken(
    web.db,
    newOwner(ownerId),
    { name: "given", scope, lifetimeDays },
    web.clock(),
  );
  if (isRefusal(made)) throw new Error("no place left");
  return made;
}

const withToken = (secret: string, path: string, init: RequestInit = {}) =>
  web.visitor().ask(path, { ...init, headers: { Authorization: `Bearer ${secret}` } });

describe("a personal access token", () => {
  it("comes with the command that logs in with it, which does not contain it", async () => {
    const wish = { intent: "create", name: "a terminal", scope: "write", lifetime: "90" };
    const page = await (await dana.submit("/settings/tokens", wish)).text();
    const [, command = ""] = required(/value="(curl -o [^"]+)"/.exec(page));
    expect(command.replaceAll("&amp;", "&")).toBe(
      `curl -o codeshelf.mjs ${web.url}/codeshelf.mjs && node codeshelf.mjs login ${web.url}`,
    );
  });

  it("comes with a request to try, which is answered", async () => {
    const wish = { intent: "create", name: "a first request", scope: "read", lifetime: "90" };
    const page = await (await dana.submit("/settings/tokens", wish)).text();
    const [, authorization = "", address = ""] = required(
      /value="curl -H &quot;Authorization: (Bearer cs_[\w-]{43})&quot; ([^"]+)"/.exec(page),
    );
    const answer = await fetch(address, { headers: { Authorization: authorization } });
    expect(await answer.json()).toMatchObject({ files: expect.any(Array) });
  });

  it("is shown once, kept as a digest only, and opens the JSON API", async () => {
    const secret = await madeBy(dana);

    const saved = await withToken(secret, "/api/files/by-token.py", { method: "PUT", body: "print(1)\n" });

    expect(saved.status).toBe(201);
    expect(await (await withToken(secret, "/api/me")).json()).toMatchObject({
      authenticated: true,
      user: { id: "50" },
      token_scope: "write",
    });
    expect((await dana.send("GET", "/api/me")).body).toMatchObject({
      authenticated: true,
      token_scope: null,
    });
    expect((await dana.show("/settings/tokens")).html).not.toContain(secret);
    expect(JSON.stringify(await web.db.tokens.find().toArray())).not.toContain(secret);
    expect(web.log.join("\n")).not.toContain(secret);
  });

  it("for reading changes nothing and says why", async () => {
    const { secret } = await given("50", "read");
    expect((await withToken(secret, "/api/files")).status).toBe(200);

    const refused = await withToken(secret, "/api/files/never.py", { method: "PUT", body: "x" });

    expect([refused.status, (await refused.json()).error]).toEqual([403, "read_only_token"]);
    const listed = (await dana.send("GET", "/api/files?q=never.py")).body;
    expect(listed.files).toEqual([]);
  });

  it("opens no page and no endpoint of administrators, not even an administrator's own", async () => {
    const admin = await web.person(ADMIN_ID);
    const { secret } = await given(ADMIN_ID);
    expect((await admin.ask("/api/jobs")).status).toBe(200);

    const refused = await withToken(secret, "/api/jobs");
    expect([refused.status, (await refused.json()).message]).toEqual([
      403,
      "Administrators' endpoints take no tokens. Log in instead.",
    ]);
    for (const path of ["/dashboard", "/trash", "/settings/tokens"])
      expect((await withToken(secret, path)).status).toBe(401);
  });

  it.each([
    ["unknown", async () => `cs_${"x".repeat(43)}`],
    ["misshapen", async () => "nonsense"],
    [
      "revoked",
      async () => {
        const { token, secret } = await given("50");
        await dana.submit("/settings/tokens", { intent: "revoke", id: token.id });
        return secret;
      },
    ],
  ])("that is %s is refused, even beside a good cookie", async (_, secretOf) => {
    const secret = await secretOf();
    const response = await dana.ask("/api/files", { headers: { Authorization: `Bearer ${secret}` } });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: "Authentication required",
      code: "auth_required",
      message: "This token is not valid.",
      redirect: "/login",
    });
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("ends when its days are over, and notes its last use once a minute", async () => {
    const { token, secret } = await given("52", "write", 7);
    await web.person("52");
    const used = async () =>
      (await listTokens(web.db, newOwner("52"))).find(({ id }) => id === token.id)?.last_used_at;
    expect(await used()).toBeNull();
    await withToken(secret, "/api/files");
    const first = await used();
    await withToken(secret, "/api/files");
    expect(await used()).toEqual(first);
    pass(MINUTE_MS);
    await withToken(secret, "/api/files");
    expect(required(await used()).getTime()).toBe(required(first).getTime() + MINUTE_MS);

    pass(7 * 24 * 60 * MINUTE_MS);

    expect((await withToken(secret, "/api/files")).status).toBe(401);
  });

  it("counts requests for its owner, wherever they come from", async () => {
    await web.person("53");
    const { secret } = await given("53");
    pass(MINUTE_MS);
    const answers = [];
    for (let i = 0; i < 45; i += 1) answers.push((await withToken(secret, "/api/me")).status);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);

    expect((await withToken((await given("54")).secret, "/api/me")).status).toBe(200);
  });
});

describe("the page of tokens", () => {
  it("refuses a name that is none and keeps what was typed", async () => {
    const long = "n".repeat(61);
    const response = await dana.submit("/settings/tokens", {
      intent: "create",
      name: long,
      scope: "read",
      lifetime: "7",
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(long);
  });

  it("revokes nobody else's", async () => {
    const { token } = await given("55");
    const response = await dana.submit("/settings/tokens", { intent: "revoke", id: token.id });
    expect(response.status).toBe(404);
    expect(await listTokens(web.db, newOwner("55"))).toHaveLength(1);
  });

  it("has 20 places, and any number of requests at once take no more", async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () =>
        createToken(web.db, newOwner("56"), { name: "many", scope: "read", lifetimeDays: null }, web.clock()),
      ),
    );
    expect(made.filter((one) => !isRefusal(one))).toHaveLength(TOKENS_MAX);
    expect(await listTokens(web.db, newOwner("56"))).toHaveLength(TOKENS_MAX);
  });
});
