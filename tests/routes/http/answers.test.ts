import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { recordFault } from "#app/web/answers/faults.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { required } from "#domain/required.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { sendBytes } from "#tests/support/raw-requests.ts";
import { openTestWeb, refusal, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const reader = await web.person("20");
it.each([
  ["/docs", "/api-docs"],
  ["/help", "/help/shortcuts"],
  ["/openapi.json", "/api/openapi.json"],
])("the guessed address %s leads to %s, which exists", async (path, place) => {
  const response = await reader.show(path);
  expect([response.status, response.location]).toEqual([302, place]);
  expect((await reader.page(place)).status).toBe(200);
});

describe("someone who is not logged in", () => {
  it("gets 401, and a navigation goes to the login page and back", async () => {
    for (const path of ["/dashboard", `/download/${ABSENT_ID}`, "/logout", "/admin/jobs", "/api/files"]) {
      expect(await web.visitor().send("GET", path)).toMatchObject(
        refusal(401, "Authentication required", { code: "auth_required", redirect: "/login" }),
      );
      const { status, headers } = await web.visitor().show(`${path}?a=1&b=%26`);
      const login = `/login?next=${encodeURIComponent(`${path}?a=1&b=%26`)}`;
      expect([status, headers.get("Location")]).toEqual([302, login]);
    }
  });

  it.each(["/", "/login"])("may see %s, always as a page", async (path) => {
    for (const accept of ["text/html", "*/*", ""]) {
      const response = await web.visitor().ask(path, { headers: { Accept: accept } });
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    }
  });

  it("gets the sent form back, escaped, and may send it again", async () => {
    const form = { file_name: "a.txt", text: "<script>alert(1)</script>\nx" };
    const { status, html } = await web.visitor().press("/upload", form);
    expect(status).toBe(401);
    expect(html).toContain('name="file_name" value="a.txt"');
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("<script>alert");
    expect(await web.db.files.countDocuments({ file_name: "a.txt" })).toBe(0);
  });
});

describe("an address", () => {
  it.each([
    "/nowhere",
    "/file",
    "/file/1/2/3",
    "/admin/nothing",
    "/__manifest",
    "/a%0Ab",
    "/a%E0%A4%A",
    "/assets/none.js",
  ])("that does not exist, %s, is 404 in JSON", async (path) => {
    expect(await reader.send("GET", path)).toMatchObject(refusal(404, "not_found"));
  });

  it.each(["/nowhere", "/a%0Ab", "/a%E0%A4%A", "/?_data=root"])(
    "that does not exist, %s, is a page for a navigation",
    async (path) => {
      const { status, html, headers } = await reader.show(path);
      expect(status).toBe(404);
      expect(html).toContain("This page doesn’t exist.");
      expect(html).toContain(required(headers.get("X-Request-Id")));
    },
  );

  it.each([
    ["DELETE", "/files", "GET, HEAD"],
    ["PUT", "/upload", "GET, HEAD, POST"],
    ["GET", "/preferences", "POST"],
  ])("answers %s %s with the methods it knows", async (method, path, allow) => {
    const { status, headers, body } = await reader.send(method, path);
    expect([status, headers.get("Allow"), body.error]).toEqual([405, allow, "method_not_allowed"]);
  });

  it("of a file that is not there says so, as a page for a navigation", async () => {
    for (const id of [ABSENT_ID, "\0"]) {
      const path = `/download/${encodeURIComponent(id)}`;
      const body = { error: "File not found", file_id: id };
      expect(await reader.send("GET", path)).toMatchObject({ status: 404, body });
      expect((await reader.show(path)).headers.get("Content-Type")).toMatch(/text\/html/);
    }
  });
});

describe("every answer", () => {
  it.each(["/api/stats", "/files", "/help/shortcuts"])("at %s says how long it is", async (path) => {
    const init = { headers: { "Accept-Encoding": "identity" } };
    const answer = await reader.ask(path, init);
    const head = await reader.ask(path, { method: "HEAD", ...init });
    const length = String((await answer.arrayBuffer()).byteLength);
    expect([answer, head].map(({ headers }) => headers.get("Content-Length"))).toEqual([length, length]);
  });

  it("carries a request id of its own, and a page a nonce of its own", async () => {
    for (const path of ["/", "/nowhere", "/api/me", "/healthz", "/assets/none.js"]) {
      const ids = await Promise.all(
        [1, 2].map(async () => (await reader.page(path)).headers.get("X-Request-Id")),
      );
      expect(ids[0]).toMatch(/^[\w-]{8,}$/);
      expect(new Set(ids).size).toBe(2);
    }
    const policies = await Promise.all(
      [1, 2].map(async () => (await web.visitor().page("/")).headers.get("Content-Security-Policy")),
    );
    const nonces = policies.map((policy) => required(/'nonce-([^']+)'/.exec(required(policy)))[1]);
    expect(new Set(nonces).size).toBe(2);
    for (const directive of ["frame-ancestors 'none'", "require-trusted-types-for 'script'"])
      expect(policies[0]).toContain(directive);
  });

  it("as a page that did not change is not sent again, and keeps the policy it came with", async () => {
    for (const path of ["/", "/files"]) {
      const etag = required((await reader.show(path)).headers.get("ETag"));
      const { status, html, headers } = await reader.show(path, { "If-None-Match": etag });
      expect([path, status, html]).toEqual([path, 304, ""]);
      expect(headers.get("Content-Security-Policy")).toBeNull();
    }
  });
});

describe("languages", () => {
  it("follow the browser, then the person's choice, on every page", async () => {
    const hebrew = { "Accept-Language": "fr;q=0.9, he-IL, en;q=0.5" };
    const visitor = web.visitor();
    const { html } = await visitor.show("/", hebrew);
    expect(html).toContain('<html lang="he" dir="rtl"');
    expect(html).toContain("כל הקוד שלכם במקום אחד");

    const chosen = await visitor.press("/preferences", { locale: "en", next: "/login" });
    expect([chosen.status, chosen.location]).toEqual([303, "/login"]);
    expect((await visitor.show("/", hebrew)).html).toContain('<html lang="en" dir="ltr"');
    expect((await web.visitor().show("/nowhere", hebrew)).html).toContain("הדף הזה אינו קיים");
  });

  it("follow a person who is logged in to their next browser", async () => {
    const first = await web.person("21");
    await first.submit("/preferences", { locale: "he" });
    const second = await web.person("21");
    expect(await second.read("/dashboard")).toContain('<html lang="he" dir="rtl"');
    expect((await second.send("GET", "/api/me")).body).toMatchObject({ locale: "he" });
  });

  it("that are chosen before the first login follow, too, and a later browser keeps its own", async () => {
    const readLocale = async (visitor: Visitor) => (await visitor.send("GET", "/api/me")).body.locale;
    const first = web.visitor();
    await first.submit("/preferences", { locale: "he" });
    await first.logIn("22");
    const own = web.visitor();
    await own.submit("/preferences", { locale: "en" });
    await own.logIn("22");

    expect(await readLocale(await web.person("22"))).toBe("he");
    expect(await readLocale(own)).toBe("en");
  });
});

it.each([
  ["en", "Write a note on a line"],
  ["he", "פתק על שורה"],
])("help answers what people ask first in %s, each with a link to a page", async (locale, title) => {
  const visitor = await web.person();
  await visitor.submit("/preferences", { locale });
  const html = await visitor.read("/help/shortcuts");
  const help = html.slice(html.indexOf('class="columns-20 '), html.indexOf("data-shortcuts-help"));
  expect(help).toMatch(new RegExp(`<h2[^>]*>${title}</h2>`));
  const links = [...help.matchAll(/<section.*?href="([^"]+)".*?<\/section>/gs)].map(([, href]) => href ?? "");
  expect(links).toHaveLength(5);
  for (const href of links) expect((await visitor.show(href)).status, href).toBe(200);
});

const { host } = new URL(web.url);
/** Sends a request head as it is and returns the head of the answer. */
const sendHead = async (head: string) =>
  (await sendBytes(web.url, `${head}\r\nConnection: close\r\n\r\n`)).split("\r\n")[0];

describe("a request that is written by hand", () => {
  it.each([
    ["a name", "GET /login HTTP/1.1\r\nHost: shelf.example:8080"],
    ["an address", "GET /login HTTP/1.1\r\nHost: [::1]:3000"],
    ["an old client without one", "GET /login HTTP/1.0"],
  ])("is answered with %s as its Host", async (_, head) => {
    expect(await sendHead(head)).toMatch(/ 200 /);
  });

  it.each([
    ["a Host with a person in it", "GET /login HTTP/1.1\r\nHost: 127.0.0.1@evil.example"],
    ["a Host with a path in it", "GET /login HTTP/1.1\r\nHost: a/b"],
    ["an address of another server", `GET http://evil.example/login HTTP/1.1\r\nHost: ${host}`],
  ])("is refused with %s, without an error in the log", async (_, head) => {
    const lines = web.log.length;
    expect(await sendHead(head)).toMatch(/ 400 /);
    expect(web.log.slice(lines).filter((line) => line.includes('"severity":"error"'))).toEqual([]);
  });
});

function givenContext({ isGone }: { isGone: boolean }) {
  const logged: unknown[] = [];
  const note = (...words: unknown[]) => void logged.push(words);
  const services = { log: { error: note }, db: { emit: note } };
  const clientGone = () => (isGone ? AbortSignal.abort() : new AbortController().signal);
  const context = { services, clientGone, routeName: () => "/upload" } as unknown as RequestContext;
  return { said: logged, context };
}

const lose = (message: string) => Object.assign(new Error(message), { code: "ECONNRESET" });

describe("a lost connection", () => {
  it("of the client is no error in the log", () => {
    const { said, context } = givenContext({ isGone: true });
    expect(recordFault(context, "POST", lose("aborted"))).toBe("internal");
    expect(said).toEqual([]);
  });

  it.each([
    ["the database, while the client goes away, too", true, "read ECONNRESET"],
    ["somebody else, while the client waits", false, "aborted"],
  ])("of %s is logged", (_, isGone, message) => {
    const { said, context } = givenContext({ isGone });
    expect(recordFault(context, "POST", lose(message))).toBe("storage_unavailable");
    expect(said).toHaveLength(2);
  });

  it("in the middle of an upload leaves nothing about a fault in the log", async () => {
    const visitor = await web.person();
    const atWork = async () =>
      /^codeshelf_requests_at_work (\d+)$/m.exec((await web.visitor().send("GET", "/metrics")).body)?.[1];
    const { hostname, port } = new URL(web.url);
    const head = `PUT /api/files/a.py HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${visitor.cookieHeader}\r\nContent-Length: 5000`;
    const socket = connect(Number(port), hostname);
    socket.write(`${head}\r\n\r\n${"x".repeat(1_000)}`);
    await expect.poll(atWork, { timeout: 20_000 }).toBe("1");
    socket.destroy();
    await expect.poll(atWork, { timeout: 20_000 }).toBe("0");
    expect(web.log.filter((line) => line.includes("request_fault"))).toEqual([]);
  });
});
