import { beforeEach, describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { sendRaw } from "#tests/support/raw-requests.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const embedded = await openTestWeb({
  CODESHELF_EMBEDDED: "1",
  NODE_ENV: "production",
  DATA_DIR: directoryOfFile("local"),
  MESSENGER_BOT_TOKEN: undefined,
  ADMIN_USER_IDS: undefined,
});
const production = await openTestWeb({ NODE_ENV: "production" });
const code = embedded.env.signInCode;

// Each test has a minute of its own for guesses.
beforeEach(() => embedded.clock.pass(MINUTE_MS));

const offers = (html: string) => html.includes('name="person"');
const asksForCode = (html: string) => /<input[^>]*id="code"/.test(html);
const page = (visitor: Visitor, path = "/login") => visitor.read(path);
const readRole = async (visitor: Visitor) => (await visitor.send("GET", "/api/me")).body.role;
/** A browser that has shown the code once and has logged out again. */
async function rememberedBrowser(): Promise<Visitor> {
  const visitor = embedded.visitor();
  await visitor.submit("/login", { person: "localReader", code });
  await visitor.submit("/logout", {});
  return visitor;
}

function ask(headers: Record<string, string>, sent?: Record<string, string>) {
  const form = sent ? { "Content-Type": "application/x-www-form-urlencoded" } : {};
  return sendRaw(embedded.url, {
    method: sent ? "POST" : "GET",
    path: "/login",
    headers: { Accept: "text/html", ...form, ...headers },
    body: new URLSearchParams(sent).toString(),
  });
}

describe("the local sign-in of the embedded default", () => {
  it("lets a person with the printed link in with one click, as an administrator or as a reader", async () => {
    const roles: string[] = [];
    for (const person of ["localAdmin", "localReader"]) {
      const visitor = embedded.visitor();
      const html = await page(visitor, `/login?code=${code}&next=/files`);
      expect(asksForCode(html)).toBe(false);
      expect(html).toContain(`<input type="hidden" name="code" value="${code}"/>`);
      expect(html).toContain('action="/login?next=%2Ffiles"');

      const answer = await visitor.press("/login?next=%2Ffiles", { person, code });

      expect([answer.status, answer.location]).toEqual([303, "/files"]);
      roles.push(await readRole(visitor));
    }
    expect(roles).toEqual(["admin", "regular"]);
  });

  it("asks a person without the link for the code, whatever its case and dashes, and refuses any other", async () => {
    const visitor = embedded.visitor();
    expect(asksForCode(await page(visitor))).toBe(true);
    for (const wrong of ["", "wrong", `${code}x`, code.slice(1), "%00"]) {
      const refused = await visitor.press("/login", { person: "localAdmin", code: wrong });
      expect(refused.status).toBe(403);
      expect(refused.html).toContain("Wrong code.");
    }
    expect(visitor.cookies.size).toBe(0);

    const typed = code.toUpperCase().replaceAll("-", " ");
    expect((await visitor.submit("/login", { person: "localAdmin", code: typed })).status).toBe(303);
    expect(await readRole(visitor)).toBe("admin");
  });

  it("signs nobody in by a GET, even with the code", async () => {
    const visitor = embedded.visitor();
    await visitor.page(`/login?code=${code}`);
    await visitor.ask(`/login?code=${code}&person=localAdmin`);
    expect(visitor.cookies.size).toBe(0);
  });

  it("asks each browser once: one that has shown the code signs in again without it, others do not", async () => {
    const visitor = await rememberedBrowser();

    const html = await page(visitor);
    expect([offers(html), asksForCode(html)]).toEqual([true, false]);
    expect((await visitor.submit("/login", { person: "localAdmin" })).status).toBe(303);
    expect(await readRole(visitor)).toBe("admin");

    const other = embedded.visitor();
    expect((await other.submit("/login", { person: "localAdmin" })).status).toBe(403);
    other.cookies.set("local-browser", `${required(visitor.cookies.get("local-browser")).slice(0, -2)}xx`);
    expect((await other.submit("/login", { person: "localAdmin" })).status).toBe(403);
  });

  it("says that a browser is remembered, and forgets it on request", async () => {
    const visitor = await rememberedBrowser();
    expect(await page(visitor)).toContain("This browser is remembered");

    const answer = await visitor.press("/login", { intent: "forget" });

    expect([answer.status, answer.location]).toEqual([303, "/login"]);
    const html = await page(visitor);
    expect([offers(html), asksForCode(html)]).toEqual([true, true]);
    expect(html).not.toContain("This browser is remembered");
    expect((await visitor.submit("/login", { person: "localReader" })).status).toBe(403);
  });

  it.each([
    ["/logout", { everywhere: "1" }],
    ["/settings/sessions", { intent: "end_all" }],
  ])("forgets the browser that logs out everywhere by %s", async (path, fields) => {
    const visitor = embedded.visitor();
    await visitor.submit("/login", { person: "localReader", code });
    expect(visitor.cookies.has("local-browser")).toBe(true);

    await visitor.submit(path, fields);

    expect(asksForCode(await page(visitor))).toBe(true);
  });

  it("knows no earlier browser after the code changed", async () => {
    const visitor = await rememberedBrowser();
    expect(asksForCode(await page(visitor))).toBe(false);
    embedded.env.signInCode = "abcd-efgh-jkmn";
    const html = await page(visitor);
    embedded.env.signInCode = code;
    expect(asksForCode(html)).toBe(true);
  });

  it("limits the guesses per minute, and refuses even the right code beyond", async () => {
    const visitor = embedded.visitor();
    const guess = (guessed: string) => visitor.submit("/login", { person: "localAdmin", code: guessed });
    for (let i = 0; i < 10; i += 1) expect((await guess(`wrong-${i}`)).status).toBe(403);

    const late = await guess(code);

    expect([late.status, late.headers.get("Retry-After")]).toEqual([429, "60"]);
    const wrong = new URLSearchParams({ person: "localAdmin", code: "wrong" });
    const answer = await visitor.send("POST", "/login", wrong, { "Sec-Fetch-Site": "same-origin" });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
    embedded.clock.pass(MINUTE_MS);
    expect((await guess(code)).status).toBe(303);
  });

  it("signs in only the people it offers, and refuses a form with too many fields", async () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, "1"]));
    const answer = await embedded.visitor().press("/login", { person: "localAdmin", code, ...fields });
    expect(answer.status).toBe(413);
    expect(answer.html).toContain("Too many fields");
    expect((await embedded.visitor().submit("/login", { person: "3", code })).status).toBe(400);
  });

  it.each(["localhost:3000", "127.0.0.1", "127.8.8.8:1", "[::1]:3000", "LOCALHOST"])(
    "is available at %s, a name of this machine",
    async (Host) => expect(offers((await ask({ Host })).body)).toBe(true),
  );

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::2]", "0.0.0.0"])(
    "is not available at %s, a foreign name that leads to this machine",
    async (Host) => {
      for (const host of ["127.0.0.1", "::1", "localhost"]) {
        embedded.env.host = host;
        const { status, body } = await ask({ Host });
        expect([status, offers(body)]).toEqual([200, false]);
        expect((await ask({ Host }, { person: "localAdmin", code })).status).toBe(404);
      }
      embedded.env.host = "127.0.0.1";
    },
  );

  const PASSED_ON = `Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Server X-Forwarded
    Forwarded-For X-Real-IP Via CF-Connecting-IP CF-Ray True-Client-IP X-Client-IP X-Cluster-Client-IP Fastly-Client-IP
    Fly-Client-IP X-Azure-ClientIP X-Appengine-User-IP X-Original-Host X-Originating-IP X-Remote-Addr X-ProxyUser-Ip
    Proxy-Connection X-Envoy-External-Address X-Amzn-Trace-Id CDN-Loop Ngrok-Trace Tailscale-User-Login X-Request-Start`;

  it.each(PASSED_ON.split(/\s+/))("is not available to a forwarded request with %s", async (header) => {
    const passed = { Host: "127.0.0.1", [header]: "127.0.0.1" };
    expect(offers((await ask(passed)).body)).toBe(false);
    expect((await ask(passed, { person: "localAdmin", code })).status).toBe(404);
  });

  it("is available with every header that browsers send by themselves", async () => {
    const sent = `Accept-Encoding Accept-Language Cache-Control Cookie DNT If-None-Match Pragma Priority Referer Save-Data
      Sec-CH-UA Sec-CH-UA-Full-Version-List Sec-CH-UA-Mobile Sec-CH-UA-Platform Sec-CH-Viewport-Width Sec-Fetch-Dest
      Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User Sec-GPC Sec-Purpose Service-Worker-Navigation-Preload TE
      Upgrade-Insecure-Requests User-Agent`;
    const headers = Object.fromEntries(sent.split(/\s+/).map((name) => [name, "x"]));
    expect(offers((await ask({ Host: "127.0.0.1:3000", ...headers })).body)).toBe(true);
  });

  it("is impossible in production", async () => {
    expect(production.env.signInCode).toBe("");
    const visitor = production.visitor();
    expect(offers(await page(visitor, "/login?code="))).toBe(false);
    expect((await visitor.submit("/login", { person: "localAdmin", code: "" })).status).toBe(404);
  });
});

it("a server without a bot's token refuses every sign-in, even one signed with nothing", async () => {
  await production.person("5");
  const { messengerBotToken } = production.env;
  production.env.messengerBotToken = "";
  await expect(production.person("5")).rejects.toThrow("invalid_hash");
  production.env.messengerBotToken = messengerBotToken;
});
