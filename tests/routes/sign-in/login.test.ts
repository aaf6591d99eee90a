import { describe, expect, it, onTestFinished } from "vitest";
import { required } from "#domain/required.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { BOT_TOKEN, openTestWeb, refusal, signed, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ PREMIUM_USER_IDS: "42", MESSENGER_BOT_NAME: "shelf_bot" });
const nowSeconds = NOON.getTime() / 1000;
const fields = { id: 666666666, first_name: "John", auth_date: nowSeconds };
const post = (login: unknown, visitor = web.visitor()) => visitor.send("POST", "/auth/messenger", login);

async function expectRefused(login: unknown, code: string) {
  const visitor = web.visitor();
  expect(await post(login, visitor)).toMatchObject(
    refusal(401, "Invalid authentication", { success: false, code }),
  );
  expect(visitor.cookies.size).toBe(0);
}

/** Sets the clock until the end of this test. */
function setClock(moment: Date) {
  web.clock.set(moment);
  onTestFinished(() => web.clock.set(NOON));
}

describe("a sign-in by the widget", () => {
  it("is accepted with the hash of other implementations", async () => {
    const login = {
      id: 666666666,
      auth_date: 1543194375,
      first_name: "John",
      last_name: "Doe",
      username: "username",
      photo_url: "https://t.me/i/userpic/320/username.jpg",
      hash: "f03799ceb77ffef8981fb6909bba75b3ff19e2ca16b543c1219bb4f69ad6ef42",
    };
    expect(BOT_TOKEN).toBe(`777777777:${"a".repeat(35)}`);
    setClock(new Date(1543194375 * 1000));
    expect((await post(login)).body).toEqual({ success: true, redirect: "/dashboard" });
  });

  it("answers JSON with the cookie, and the session is there with its person's names", async () => {
    const visitor = web.visitor();
    const answer = await post(signed({ ...fields, first_name: "דנה", last_name: "כהן־לוי" }), visitor);

    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[^;]+; Path=\/; Max-Age=2592000; SameSite=Lax; HttpOnly$/),
    ]);
    expect((await visitor.send("GET", "/api/me")).body).toMatchObject({
      ok: true,
      authenticated: true,
      user: { id: "666666666", first_name: "דנה", last_name: "כהן־לוי" },
      role: "regular",
      has_seen_welcome_modal: false,
    });
  });

  it("is accepted with further fields as long as they are signed", async () => {
    expect((await post(signed({ ...fields, language_code: "he", is_bot: "false" }))).status).toBe(200);
    await expectRefused({ ...signed(fields), language_code: "he" }, "invalid_hash");
  });

  it.each<[string, object, string]>([
    ["another id than was signed", { ...signed(fields), id: 5 }, "invalid_hash"],
    ["the signature of another bot", signed(fields, "1:other"), "invalid_hash"],
  ])("is refused with %s", async (_, login, code) => {
    await expectRefused(login, code);
  });

  it("is refused as a bad payload when it is no JSON object", async () => {
    const json = { "Content-Type": "application/json" };
    for (const body of ["{", "[]", '"x"', ""]) {
      const refused = await web.visitor().send("POST", "/auth/messenger", body, json);
      expect(refused).toMatchObject(refusal(400, "invalid_payload"));
    }
  });

  it("is logged by its reason only", async () => {
    setClock(new Date(NOON.getTime() + 60_000));
    await expectRefused({ ...signed(fields), first_name: "Mallory" }, "invalid_hash");
    const refused = (await web.events("auth_refused")).at(-1);
    expect(refused).toMatchObject({ reason: "invalid_hash", severity: "warn" });
    expect(web.log.join("")).not.toContain("Mallory");
  });
});

describe("the ways to sign in", () => {
  const form = (login: object) =>
    Object.fromEntries(Object.entries(login).map(([name, value]) => [name, String(value)]));

  it("include a plain form, which goes on to the dashboard", async () => {
    const visitor = web.visitor();
    const response = await visitor.press("/auth/messenger", form(signed(fields)));
    expect([response.status, response.location]).toEqual([303, "/dashboard"]);
    expect((await visitor.page("/dashboard")).status).toBe(200);
  });

  let logins = 0;
  /** A different login each time, because each works once. */
  function freshLogin() {
    logins += 1;
    return signed({ ...fields, login: logins });
  }

  /** The address to which a page's widget returns, with the messenger's parameters. */
  async function returnPath(visitor: Visitor, next = "", login: object = freshLogin()): Promise<string> {
    const html = await visitor.read(next ? `/login?next=${encodeURIComponent(next)}` : "/login");
    const url = new URL(required(required(/data-auth-url="([^"]*)"/.exec(html))[1]).replaceAll("&amp;", "&"));
    for (const [name, value] of Object.entries(form(login))) url.searchParams.append(name, value);
    return url.pathname + url.search;
  }

  it("include the widget's redirect, whose query is signed but for our own next and state", async () => {
    const visitor = web.visitor();
    const response = await visitor.show(await returnPath(visitor, "/files?lang=go"));
    expect([response.status, response.location]).toEqual([303, "/files?lang=go"]);
    expect(visitor.cookies.has("session")).toBe(true);
    const script = web.visitor();
    expect((await script.send("GET", await returnPath(script, "/files?lang=go"))).body).toEqual({
      success: true,
      redirect: "/files?lang=go",
    });
  });

  it("do not include a redirect that this browser did not begin: it leads to the login and says why", async () => {
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
      const login = await visitor.read("/login");
      expect(login).toContain("This login expired or began in another browser.");
    }
    expect(await web.visitor().send("GET", stateless)).toMatchObject(
      refusal(401, "Invalid authentication", { success: false, code: "unknown_login_state" }),
    );
    expect((await attacker.page(path)).status).toBe(303);
  });

  it("accept a state once, for as long as a login may take, and share it between the pages of a browser", async () => {
    const visitor = web.visitor();
    const login = freshLogin();
    const [first, second] = [await returnPath(visitor, "", login), await returnPath(visitor, "", login)];
    expect(second).toBe(first);
    expect((await visitor.show(first)).location).toBe("/dashboard");
    await visitor.submit("/logout", {});
    expect((await visitor.show(second)).location).toBe("/login");
  });

  it("accept a returned address once, until it is too old; its own session may send it again", async () => {
    const login = freshLogin();
    const visitor = web.visitor();
    const path = await returnPath(visitor, "/files", login);
    expect((await visitor.show(path)).location).toBe("/files");
    expect((await visitor.show(path)).location).toBe("/files");
    expect(visitor.cookies.has("session")).toBe(true);

    const thief = web.visitor();
    expect((await thief.show(await returnPath(thief, "", login))).location).toBe("/login");
    expect(await thief.read("/login")).toContain("This login was already used.");
    expect(await post(login, thief)).toMatchObject({ status: 401, body: { code: "login_used" } });
    expect(thief.cookies.has("session")).toBe(false);
    await visitor.submit("/logout", {});
    expect((await visitor.show(path)).location).toBe("/login?next=%2Ffiles");
  });

  describe("take what was posted once", () => {
    const later = (seconds: number) => setClock(new Date(NOON.getTime() + seconds * SECOND_MS));
    const postFrom = async (visitor: Visitor, login: object) => {
      const { status, body } = await post(login, visitor);
      return [status, body.code];
    };

    it("and not from another browser, by whatever way, until it is too old", async () => {
      const login = freshLogin();
      expect(await postFrom(web.visitor(), login)).toEqual([200, undefined]);
      const thief = web.visitor();
      const path = await returnPath(thief, "", login);

      later(11);

      expect(await postFrom(thief, login)).toEqual([401, "login_used"]);
      expect((await thief.submit("/auth/messenger", form(login))).status).toBe(401);
      expect((await thief.show(path)).location).toBe("/login");
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
      const other = await web.person("515");

      later(11);

      expect(await postFrom(other, login)).toEqual([401, "login_used"]);
      expect((await other.send("GET", "/api/me")).body).toMatchObject({ user: { id: "515" } });
    });

    it("and over a network not even at once, not from the same place", async () => {
      const proxied = await openTestWeb({ TRUST_PROXY: "1" });
      const login = freshLogin();
      const postVia = async (address?: string) => {
        const headers = address ? { "X-Forwarded-For": address } : undefined;
        return (await proxied.visitor().send("POST", "/auth/messenger", login, headers)).status;
      };
      expect(await postVia("192.0.2.7")).toBe(200);
      expect(await postVia("198.51.100.9")).toBe(401);
      expect(await postVia("192.0.2.7")).toBe(401);
      expect(await postVia()).toBe(401);
    });

    it("and in production not even from this machine", async () => {
      const production = await openTestWeb({ NODE_ENV: "production" });
      const login = freshLogin();
      expect(await postFrom(production.visitor(), login)).toEqual([200, undefined]);
      expect(await postFrom(production.visitor(), login)).toEqual([401, "login_used"]);
    });

    it("but two of this machine that were signed within one second are alike, and both are good", async () => {
      const login = freshLogin();
      const tabs = await Promise.all([web.visitor(), web.visitor()].map((tab) => postFrom(tab, login)));
      expect(tabs.map(([status]) => status)).toEqual([200, 200]);
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

  it("never lead to a page that would undo or repeat them", async () => {
    for (const next of [
      "/logout",
      "/LOGOUT?x",
      "/%6cogout",
      "/a/../logout",
      "/login?next=/logout",
      "/%61uth/messenger",
    ]) {
      const query = `?next=${encodeURIComponent(next)}`;
      const visitor = web.visitor();
      const posted = await visitor.press(`/auth/messenger${query}`, form(signed(fields)));
      expect(posted.location, next).toBe("/dashboard");
      expect((await visitor.show(`/login${query}`)).location, next).toBe("/dashboard");
      const { html } = await web.visitor().show(`/login${query}`);
      expect(html).toMatch(/data-auth-url="[^"]*\/auth\/messenger\?state=[\w-]+"/);
    }
  });

  it("refuse a query with a field twice", async () => {
    const visitor = web.visitor();
    const refused = await visitor.send("GET", `${await returnPath(visitor)}&id=5`);
    expect(refused).toMatchObject({ status: 401, body: { code: "invalid_hash" } });
  });

  it("show a person who failed a page, with the status", async () => {
    const response = await web.visitor().press("/auth/messenger", form({ ...signed(fields), id: 5 }));
    expect(response.status).toBe(401);
    expect(response.headers.get("Content-Type")).toMatch(/text\/html/);
    expect(response.html).toContain("could not be verified");
  });
});

it("the login page carries the platform's widget, lets in its frame, here alone, and offers no local sign-in", async () => {
  const { html, headers } = await web.visitor().show("/login?next=/files");
  expect(html).toContain("https://telegram.org/js/telegram-widget.js");
  expect(html).toContain('data-telegram-login="shelf_bot"');
  const address = `${web.url}/auth/messenger\\?next=%2Ffiles&amp;state=[\\w-]{22}`;
  expect(html).toMatch(new RegExp(`data-auth-url="${address}"`));
  expect(html).not.toContain('name="hash"');
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^login=[\w-]{22}; Path=\/; Max-Age=86400; SameSite=Lax; HttpOnly$/),
  ]);
  const policy = "Content-Security-Policy";
  expect(headers.get(policy)).toContain("frame-src 'self' https://oauth.telegram.org");
  expect((await web.visitor().show("/")).headers.get(policy)).not.toContain("telegram");
});

describe("a session", () => {
  const isIn = async (visitor: Visitor) => (await visitor.send("GET", "/api/files")).status === 200;

  it("does not exist for a cookie that was invented, changed or signed for something else", async () => {
    const visitor = await web.person();
    const [userId, sessionId, mac] = required(visitor.cookies.get("session")).split(".");
    expect(await isIn(visitor)).toBe(true);
    for (const forged of [
      `12.${sessionId}.${mac}`,
      `${userId}.${sessionId}.${required(mac).slice(0, -2)}AA`,
      `${userId}.${sessionId}`,
      "x",
      "",
    ]) {
      visitor.cookies.set("session", forged);
      expect(await isIn(visitor), forged).toBe(false);
    }
  });

  it("ends on the server with the log-out: its cookie is invalid afterwards", async () => {
    const visitor = await web.person();
    const cookie = required(visitor.cookies.get("session"));
    await visitor.page("/logout");
    expect(visitor.cookies.has("session")).toBe(false);
    const replay = web.visitor();
    replay.cookies.set("session", cookie);
    expect(await isIn(replay)).toBe(false);
  });

  it.each([
    ["another site led there", { "Sec-Fetch-Site": "cross-site" }],
    ["an older browser came from another site", { Referer: "https://evil.example/" }],
    ["an older browser came from another port", { Referer: "http://127.0.0.1:1/" }],
  ])("does not end by reading /logout when %s: a page asks first", async (_, headers) => {
    const visitor = await web.person();

    const page = await visitor.show("/logout", headers);

    expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(page.html).toMatch(/<form method="post" action="\/logout"><button/);
    const script = await visitor.send("GET", "/logout", undefined, headers);
    expect(script).toMatchObject(refusal(403, "cross_site_request"));
    expect(await isIn(visitor)).toBe(true);
    expect((await visitor.submit("/logout", {})).status).toBe(303);
    expect(await isIn(visitor)).toBe(false);
  });

  const OURS = { "Sec-Fetch-Site": "same-origin" };

  it.each<[string, Record<string, string>, string, boolean]>([
    ["ends by a page of ours", OURS, "GET", false],
    ["ends by a link of ours", { ...OURS, "Sec-Fetch-Dest": "document" }, "GET", false],
    ["ends by the address bar", { "Sec-Fetch-Site": "none" }, "GET", false],
    ["ends by a page of ours in an older browser", { Referer: `${web.url}/files` }, "GET", false],
    ["ends by a script", {}, "GET", false],
    ["is not ended by an image", { ...OURS, "Sec-Fetch-Dest": "image" }, "GET", true],
    ["is not ended by a frame", { ...OURS, "Sec-Fetch-Dest": "iframe" }, "GET", true],
    ["is not ended by HEAD", {}, "HEAD", true],
  ])("%s that reads /logout", async (_, headers, method, isStill) => {
    const visitor = await web.person();
    const answer = await visitor.page("/logout", { method, headers });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
    expect(await isIn(visitor)).toBe(isStill);
  });

  it("is renewed while it is used, at most once a day", async () => {
    const visitor = await web.person();
    const newCookies = async () => (await visitor.send("GET", "/api/me")).headers.getSetCookie();
    expect(await newCookies()).toEqual([]);
    setClock(new Date(NOON.getTime() + 86_400_001));
    expect(await newCookies()).toEqual([expect.stringContaining("Max-Age=2592000")]);
    expect(await newCookies()).toEqual([]);
  });

  it("shows its person's role, first the environment's, and is not needed to ask who is signed in", async () => {
    const readMe = async (visitor: Visitor) => (await visitor.send("GET", "/api/me")).body;
    const roles = ["900", "42", "15"].map(async (id) => (await readMe(await web.person(id))).role);
    expect(await Promise.all(roles)).toEqual(["admin", "premium", "regular"]);
    expect(await readMe(web.visitor())).toMatchObject({ ok: true, authenticated: false, user: null });
  });
});
