import { describe, expect, it, onTestFinished } from "vitest";
import { required } from "#domain/required.ts";
import { BOT_TOKEN, openTestWeb, signed, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  PREMIUM_USER_IDS: "42",
  MESSENGER_BOT_NAME: "shelf_bot",
  RATE_LIMIT_WRITES_PER_MINUTE: "1000",
});
const nowSeconds = Math.floor(web.clock().getTime() / 1000);
const fields = { id: 666666666, first_name: "John", auth_date: nowSeconds };

const json = (body: unknown) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
const post = (body: unknown, path = "/auth/messenger") => web.visitor().ask(path, json(body));

async function expectRefused(body: unknown, code: string) {
  const visitor = web.visitor();
  const response = await visitor.ask("/auth/messenger", json(body));
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ success: false, error: "Invalid authentication", code });
  expect(visitor.cookies.size).toBe(0);
}

describe("a sign-in by the widget", () => {
  it("is accepted with the hash that other implementations compute", async () => {
    const known = {
      id: 666666666,
      auth_date: 1543194375,
      first_name: "John",
      last_name: "Doe",
      username: "username",
      photo_url: "https://t.me/i/userpic/320/username.jpg",
      hash: "f03799ceb77ffef8981fb6909bba75b3ff19e2ca16b543c1219bb4f69ad6ef42",
    };
    const noon = web.clock();
    web.clock.set(new Date(1543194375 * 1000));
    const response = await post(known);
    web.clock.set(noon);
    expect(BOT_TOKEN).toBe(`777777777:${"a".repeat(35)}`);
    expect(await response.json()).toEqual({ success: true, redirect: "/dashboard" });
  });

  it("answers JSON with the cookie, and the session is there", async () => {
    const visitor = web.visitor();
    const response = await visitor.ask("/auth/messenger", json(signed(fields)));

    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[^;]+; Path=\/; Max-Age=2592000; SameSite=Lax; HttpOnly$/),
    ]);
    expect(await (await visitor.ask("/api/me")).json()).toMatchObject({
      ok: true,
      authenticated: true,
      user: { id: "666666666", first_name: "John" },
      role: "regular",
      has_seen_welcome_modal: false,
    });
  });

  it("is accepted with names in Hebrew", async () => {
    const visitor = await web.visitor().logIn("77", { first_name: "דנה", last_name: "כהן־לוי" });
    expect(await (await visitor.ask("/api/me")).json()).toMatchObject({
      user: { first_name: "דנה", last_name: "כהן־לוי" },
    });
  });

  it("is accepted with further fields as long as they are signed", async () => {
    expect((await post(signed({ ...fields, language_code: "he", is_bot: "false" }))).status).toBe(200);
    await expectRefused({ ...signed(fields), language_code: "he" }, "invalid_hash");
  });

  it.each([
    ["another id", { id: 5 }],
    ["another name", { first_name: "Jane" }],
    ["a later date", { auth_date: nowSeconds + 1 }],
    ["another hash", { hash: "0".repeat(64) }],
  ])("is refused with %s than was signed", async (_, change) => {
    await expectRefused({ ...signed(fields), ...change }, "invalid_hash");
  });

  it("is refused when it was signed by another bot", async () => {
    await expectRefused(signed(fields, "1:other"), "invalid_hash");
  });

  it("is refused when its hash is in upper case", async () => {
    const login = signed(fields);
    await expectRefused({ ...login, hash: login.hash.toUpperCase() }, "invalid_hash");
  });

  it("is refused when a value could be read as two fields", async () => {
    const ambiguous = signed({ auth_date: nowSeconds, first_name: "Bob\nid=999", id: 5 });
    const twin = signed({ auth_date: nowSeconds, first_name: "Bob", id: "999\nid=5" });
    expect(twin.hash).toBe(ambiguous.hash);
    await expectRefused(ambiguous, "invalid_hash");
    await expectRefused(twin, "invalid_hash");
  });

  it("is refused a day and a second after it was made, and more than five minutes before", async () => {
    expect((await post(signed({ ...fields, auth_date: nowSeconds - 86_400 }))).status).toBe(200);
    expect((await post(signed({ ...fields, auth_date: nowSeconds + 300 }))).status).toBe(200);
    await expectRefused(signed({ ...fields, auth_date: nowSeconds - 86_401 }), "auth_expired");
    await expectRefused(signed({ ...fields, auth_date: nowSeconds + 301 }), "auth_expired");
  });

  it.each(["id", "auth_date", "hash"])("is refused without %s", async (name) => {
    await expectRefused({ ...signed(fields), [name]: undefined }, "missing_field");
  });

  it.each([
    ["a list for a name", { first_name: ["John"] }],
    ["an object for an id", { id: { $gt: "" } }],
    ["true for a date", { auth_date: true }],
  ])("is refused with %s", async (_, change) => {
    await expectRefused({ ...signed(fields), ...change }, "invalid_hash");
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a string", '"x"'],
    ["nothing", ""],
  ])("is refused as a bad payload when it is %s", async (_, body) => {
    const response = await web
      .visitor()
      .ask("/auth/messenger", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_payload" });
  });

  it("is told to the log by its reason alone", async () => {
    const noon = web.clock();
    web.clock.set(new Date(noon.getTime() + 60_000));
    await expectRefused({ ...signed(fields), first_name: "Mallory" }, "invalid_hash");
    web.clock.set(noon);
    const events = await web.events("auth_refused");
    expect(events.at(-1)).toMatchObject({ reason: "invalid_hash", severity: "warn" });
    expect(web.log.join("")).not.toContain("Mallory");
  });
});

describe("the ways to sign in", () => {
  const form = (login: object) =>
    Object.fromEntries(Object.entries(login).map(([name, value]) => [name, String(value)]));

  it("include a plain form, which goes on to the dashboard", async () => {
    const visitor = web.visitor();
    const response = await visitor.submit("/auth/messenger", form(signed(fields)));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect((await visitor.page("/dashboard")).status).toBe(200);
  });

  let logins = 0;
  /** Another one each time: what came back in an address is good once. */
  function freshLogin() {
    logins += 1;
    return signed({ ...fields, login: logins });
  }

  /** The address that the widget of a page returns to, with what the messenger adds. */
  async function returnPath(visitor: Visitor, next = "", login: object = freshLogin()): Promise<string> {
    const html = await (
      await visitor.page(next ? `/login?next=${encodeURIComponent(next)}` : "/login")
    ).text();
    const url = new URL(required(required(/data-auth-url="([^"]*)"/.exec(html))[1]).replaceAll("&amp;", "&"));
    for (const [name, value] of Object.entries(form(login))) url.searchParams.append(name, value);
    return url.pathname + url.search;
  }

  it("include the widget's redirect, whose query is signed but for our own next and state", async () => {
    const visitor = web.visitor();
    const response = await visitor.page(await returnPath(visitor, "/files?lang=go"));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/files?lang=go"]);
    expect(visitor.cookies.has("session")).toBe(true);
    const script = web.visitor();
    expect(await (await script.ask(await returnPath(script, "/files?lang=go"))).json()).toEqual({
      success: true,
      redirect: "/files?lang=go",
    });
  });

  it("do not include a redirect that another browser began, or none: it leads to the login and says why", async () => {
    const attacker = web.visitor();
    const path = await returnPath(attacker, "/files");
    const stateless = path.replace(/state=[^&]*&/, "");
    const begun = web.visitor();
    await begun.page("/login");
    const cases: [Visitor, string][] = [
      [web.visitor(), path],
      [begun, path],
      [begun, stateless],
      [begun, path.replace(/state=[^&]*/, "state=")],
    ];
    for (const [visitor, forged] of cases) {
      const answer = await visitor.page(forged, { headers: { "Sec-Fetch-Site": "cross-site" } });
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/login?next=%2Ffiles"]);
      expect(visitor.cookies.has("session")).toBe(false);
      const login = await (await visitor.page("/login")).text();
      expect(login).toContain("This login expired or began in another browser.");
    }
    const script = await web.visitor().ask(stateless);
    expect([script.status, await script.json()]).toEqual([
      401,
      { success: false, error: "Invalid authentication", code: "unknown_login_state" },
    ]);
    expect((await attacker.page(path)).status).toBe(303);
  });

  it("take a state once, for as long as a login may take, and share it between the pages of a browser", async () => {
    const visitor = web.visitor();
    const login = freshLogin();
    const [first, second] = [await returnPath(visitor, "", login), await returnPath(visitor, "", login)];
    expect(second).toBe(first);
    expect((await visitor.page(first)).headers.get("Location")).toBe("/dashboard");
    await visitor.submit("/logout", {});
    expect((await visitor.page(second)).headers.get("Location")).toBe("/login");
  });

  it("take what came back in an address once, by whatever way, until it is too old; its own session may show it again", async () => {
    const login = freshLogin();
    const visitor = web.visitor();
    const path = await returnPath(visitor, "/files", login);
    expect((await visitor.page(path)).headers.get("Location")).toBe("/files");
    expect((await visitor.page(path)).headers.get("Location")).toBe("/files");
    expect(visitor.cookies.has("session")).toBe(true);

    const thief = web.visitor();
    expect((await thief.page(await returnPath(thief, "", login))).headers.get("Location")).toBe("/login");
    expect(await (await thief.page("/login")).text()).toContain("This login was already used.");
    const posted = await thief.ask("/auth/messenger", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(login),
    });
    expect([posted.status, (await posted.json()).code]).toEqual([401, "login_used"]);
    expect(thief.cookies.has("session")).toBe(false);
    await visitor.submit("/logout", {});
    expect((await visitor.page(path)).headers.get("Location")).toBe("/login?next=%2Ffiles");
  });

  describe("take what was posted once", () => {
    const later = (seconds: number) => {
      const before = web.clock();
      web.clock.set(new Date(before.getTime() + seconds * 1000));
      onTestFinished(() => web.clock.set(before));
    };
    const postFrom = async (visitor: Visitor, login: object) => {
      const response = await visitor.ask("/auth/messenger", json(login));
      return [response.status, (await response.json()).code];
    };

    it("and not from another browser, by whatever way, until it is too old", async () => {
      const login = freshLogin();
      expect(await postFrom(web.visitor(), login)).toEqual([200, undefined]);
      const thief = web.visitor();
      const path = await returnPath(thief, "", login);

      later(11);

      expect(await postFrom(thief, login)).toEqual([401, "login_used"]);
      expect((await thief.submit("/auth/messenger", form(login))).status).toBe(401);
      expect((await thief.page(path)).headers.get("Location")).toBe("/login");
      expect(thief.cookies.has("session")).toBe(false);
      expect(await postFrom(thief, freshLogin())).toEqual([200, undefined]);
    });

    it("but the browser that it logged in may post it again, until it logs out", async () => {
      const login = freshLogin();
      const visitor = web.visitor();
      expect(await postFrom(visitor, login)).toEqual([200, undefined]);

      later(11);

      expect(await postFrom(visitor, login)).toEqual([200, undefined]);
      await visitor.submit("/logout", {});
      expect(await postFrom(visitor, login)).toEqual([401, "login_used"]);
    });

    it("but the browser of another person may not", async () => {
      const login = freshLogin();
      await postFrom(web.visitor(), login);
      const other = await web.visitor().logIn("515");

      later(11);

      expect(await postFrom(other, login)).toEqual([401, "login_used"]);
      expect(await (await other.ask("/api/me")).json()).toMatchObject({ user: { id: "515" } });
    });

    it("and over a network not even at once, not from the same place", async () => {
      const proxied = await openTestWeb({ TRUST_PROXY: "1" });
      const login = freshLogin();
      const postVia = async (address: string) => {
        const { headers, ...rest } = json(login);
        const sent = { ...rest, headers: { ...headers, "X-Forwarded-For": address } };
        return (await proxied.visitor().ask("/auth/messenger", sent)).status;
      };
      expect(await postVia("192.0.2.7")).toBe(200);
      expect(await postVia("198.51.100.9")).toBe(401);
      expect(await postVia("192.0.2.7")).toBe(401);
      expect((await proxied.visitor().ask("/auth/messenger", json(login))).status).toBe(401);
    });

    it("and in production not even from this machine", async () => {
      const production = await openTestWeb({ NODE_ENV: "production" });
      const login = freshLogin();
      expect(await postFrom(production.visitor(), login)).toEqual([200, undefined]);
      expect(await postFrom(production.visitor(), login)).toEqual([401, "login_used"]);
    });

    it("but two of this machine that were signed within one second are alike, and both are good", async () => {
      const login = freshLogin();
      const tabs = await Promise.all([postFrom(web.visitor(), login), postFrom(web.visitor(), login)]);
      expect(tabs).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
    });
  });

  it("change nothing by HEAD", async () => {
    const visitor = web.visitor();
    const path = await returnPath(visitor, "", signed({ ...fields, id: 31337 }));
    expect((await visitor.page(path, { method: "HEAD" })).status).toBe(302);
    expect(visitor.cookies.has("session")).toBe(false);
    expect(await web.db.users.countDocuments({ _id: "31337" })).toBe(0);
    expect((await visitor.page(path)).status).toBe(303);
    expect(await web.db.users.countDocuments({ _id: "31337" })).toBe(1);
  });

  it.each([
    "/logout",
    "/logout/",
    "/LOGOUT?x",
    "/%6cogout",
    "/a/../logout",
    "/logout#x",
    "/login?next=/logout",
    "/auth/messenger?id=1",
    "/%61uth/messenger",
  ])("never lead to %s, which would undo or repeat it", async (next) => {
    const query = `?next=${encodeURIComponent(next)}`;
    const visitor = web.visitor();
    const posted = await visitor.submit(`/auth/messenger${query}`, form(signed(fields)));
    expect(posted.headers.get("Location")).toBe("/dashboard");
    expect((await visitor.page(`/login${query}`)).headers.get("Location")).toBe("/dashboard");
    const html = await (await web.visitor().page(`/login${query}`)).text();
    expect(html).toMatch(/data-auth-url="[^"]*\/auth\/messenger\?state=[\w-]+"/);
  });

  it("refuse a query that says a field twice", async () => {
    const visitor = web.visitor();
    const refused = await visitor.ask(`${await returnPath(visitor)}&id=5`);
    expect([refused.status, (await refused.json()).code]).toEqual([401, "invalid_hash"]);
  });

  it("show a person who failed a page, with the status", async () => {
    const response = await web.visitor().submit("/auth/messenger", form({ ...signed(fields), id: 5 }));
    expect(response.status).toBe(401);
    expect(response.headers.get("Content-Type")).toMatch(/text\/html/);
    expect(await response.text()).toContain("could not be verified");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
  ])("never lead to %s", async (next) => {
    const response = await web
      .visitor()
      .submit(`/auth/messenger?next=${encodeURIComponent(next)}`, form(signed(fields)));
    const location = new URL(required(response.headers.get("Location")), web.url);
    expect(location.origin).toBe(web.url);
  });
});

describe("the login page", () => {
  it("carries the platform's widget and lets in its frame, here alone", async () => {
    const login = await web.visitor().page("/login?next=/files");
    const html = await login.text();
    expect(html).toContain("https://telegram.org/js/telegram-widget.js");
    expect(html).toContain('data-telegram-login="shelf_bot"');
    expect(html).toMatch(
      new RegExp(`data-auth-url="${web.url}/auth/messenger\\?next=%2Ffiles&amp;state=[\\w-]{22}"`),
    );
    expect(login.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^login=[\w-]{22}; Path=\/; Max-Age=86400; SameSite=Lax; HttpOnly$/),
    ]);
    expect(login.headers.get("Content-Security-Policy")).toContain(
      "frame-src 'self' https://oauth.telegram.org",
    );
    expect((await web.visitor().page("/")).headers.get("Content-Security-Policy")).not.toContain("telegram");
  });

  it("offers no local sign-in where a bot is configured", async () => {
    expect(await (await web.visitor().page("/login")).text()).not.toContain('name="hash"');
  });
});

describe("a session", () => {
  it("is not had with a cookie that was made up, changed or signed for something else", async () => {
    const visitor = await web.visitor().logIn("11");
    const good = required(visitor.cookies.get("session"));
    const [userId, sessionId, mac] = good.split(".");
    expect((await visitor.ask("/api/files")).status).toBe(200);
    for (const forged of [
      `12.${sessionId}.${mac}`,
      `${userId}.${sessionId}.${required(mac).slice(0, -2)}AA`,
      `${userId}.${sessionId}`,
      "x",
      "",
    ]) {
      visitor.cookies.set("session", forged);
      expect((await visitor.ask("/api/files")).status).toBe(401);
    }
  });

  it("ends on the server with the log-out: its cookie is worth nothing afterwards", async () => {
    const visitor = await web.visitor().logIn("12");
    const kept = required(visitor.cookies.get("session"));
    const response = await visitor.page("/logout");
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    expect(visitor.cookies.has("session")).toBe(false);
    const replay = web.visitor();
    replay.cookies.set("session", kept);
    expect((await replay.ask("/api/files")).status).toBe(401);
  });

  it.each([
    ["another site led there", { "Sec-Fetch-Site": "cross-site" }],
    ["a neighbour of this host led there", { "Sec-Fetch-Site": "same-site" }],
    ["an older browser came from another site", { Referer: "https://evil.example/" }],
    ["an older browser came from a page without an origin", { Origin: "null" }],
    ["an older browser came from another port", { Referer: "http://127.0.0.1:1/" }],
  ])("does not end by reading /logout when %s: a page asks first", async (_, headers) => {
    const visitor = await web.visitor().logIn("16");

    const answer = await visitor.page("/logout", { headers });

    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(await answer.text()).toMatch(/<form method="post" action="\/logout"><button/);
    const script = await visitor.ask("/logout", { headers });
    expect([script.status, (await script.json()).error]).toEqual([403, "cross_site_request"]);
    expect((await visitor.ask("/api/files")).status).toBe(200);
    expect((await visitor.submit("/logout", {})).status).toBe(303);
    expect((await visitor.ask("/api/files")).status).toBe(401);
  });

  it.each([
    ["a page of ours", { "Sec-Fetch-Site": "same-origin" }],
    ["a link of ours", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document" }],
    ["the address bar", { "Sec-Fetch-Site": "none" }],
    ["a page of ours in an older browser", { Referer: `${web.url}/files` }],
    ["a script", {}],
  ])("ends by reading /logout from %s, as ever", async (_, headers) => {
    const visitor = await web.visitor().logIn("16");
    const answer = await visitor.page("/logout", { headers });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    expect((await visitor.ask("/api/files")).status).toBe(401);
  });

  it.each(["image", "iframe", "script"])("is not ended by a part of a page: %s", async (part) => {
    const visitor = await web.visitor().logIn("16");
    const headers = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": part };
    const answer = await visitor.page("/logout", { headers });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    expect((await visitor.ask("/api/files")).status).toBe(200);
  });

  it("is not ended by HEAD", async () => {
    const visitor = await web.visitor().logIn("16");
    const answer = await visitor.page("/logout", { method: "HEAD" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    expect((await visitor.ask("/api/files")).status).toBe(200);
  });

  it("ends on every device at once when the person says so", async () => {
    const [here, there] = [await web.visitor().logIn("13"), await web.visitor().logIn("13")];
    expect((await there.ask("/api/files")).status).toBe(200);
    expect((await here.submit("/logout", { everywhere: "1" })).status).toBe(303);
    expect((await there.ask("/api/files")).status).toBe(401);
  });

  it("is renewed while it is used, at most once a day", async () => {
    const noon = web.clock();
    const visitor = await web.visitor().logIn("14");
    expect((await visitor.ask("/api/me")).headers.getSetCookie()).toEqual([]);
    web.clock.set(new Date(noon.getTime() + 86_400_001));
    expect((await visitor.ask("/api/me")).headers.getSetCookie()).toEqual([
      expect.stringContaining("Max-Age=2592000"),
    ]);
    expect((await visitor.ask("/api/me")).headers.getSetCookie()).toEqual([]);
    web.clock.set(noon);
  });

  it("shows its person's role, the environment's word first", async () => {
    const readRole = async (id: string) =>
      (await (await (await web.visitor().logIn(id)).ask("/api/me")).json()).role;
    expect([await readRole("900"), await readRole("42"), await readRole("15")]).toEqual([
      "admin",
      "premium",
      "regular",
    ]);
  });

  it("is not needed to ask who one is", async () => {
    const response = await web.visitor().ask("/api/me");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: true, authenticated: false, user: null });
  });
});
