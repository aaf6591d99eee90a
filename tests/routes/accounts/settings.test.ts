import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { bearer } from "#tests/support/accounts/credentials.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "10000" });

it("the page of the login methods says why passkeys cannot be used", async () => {
  const dana = await web.person("30");
  const read = async (headers: Record<string, string>) =>
    (await dana.page("/settings/sign-in", { headers })).text();
  expect(await read({})).toContain("they need https and a host name, or localhost.");
  const proxied = await read({ "X-Forwarded-For": "203.0.113.7" });
  expect(proxied).toContain("(PUBLIC_ORIGIN) is not set.");
});
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const seenIn = (page: string) => required(/name="seen" value="([^"]*)"/.exec(page))[1];
async function instruct(visitor: Visitor, instructions: string, seen?: string): Promise<Response> {
  const shown = seen ?? seenIn(await visitor.read("/settings"));
  return visitor.submit("/settings", { instructions, seen: required(shown) });
}

describe("the settings", () => {
  it("keep the language, the time zone and the keys with the person", async () => {
    const dana = await web.person("1");
    const choices: Record<string, string>[] = [
      { timezone: "Asia/Jerusalem" },
      { shortcuts: "off" },
      { locale: "he" },
    ];
    for (const fields of choices)
      expect((await dana.submit("/preferences", { next: "/settings", ...fields })).status).toBe(303);

    const elsewhere = await (await web.person("1")).read("/settings");

    expect(elsewhere).toContain('lang="he"');
    expect(elsewhere).toContain('value="Asia/Jerusalem"');
    expect(elsewhere).toContain('data-shortcuts="off"');
    await dana.submit("/preferences", { next: "/settings", shortcuts: "on" });
    expect(await dana.read("/settings")).not.toContain('data-shortcuts="off"');
  });

  it("return refused text with the reason", async () => {
    const dana = await web.person("1");

    const zone = await dana.submit("/preferences", { next: "/settings", timezone: "Mars/Base" });
    expect(zone.status).toBe(303);
    const back = required(zone.headers.get("Location"));
    expect(back).toBe("/settings?zone=Mars%2FBase");
    expect(await dana.read(back)).toMatch(/notice-wrong[\s\S]*value="Mars\/Base"/);

    const typed = { intent: "create", name: " ", scope: "write", lifetime: "365" };
    const token = await dana.press("/settings/tokens", typed);
    expect(token.status).toBe(400);
    expect(token.html).toMatch(
      /aria-invalid="true"[\s\S]*value="write" selected=""[\s\S]*value="365" selected=""/,
    );
  });
});

describe("agent instructions", () => {
  it("are saved, measured and read by an agent with its token", async () => {
    const dana = await web.person("2");
    expect((await instruct(dana, "Tabs, never spaces. שלום")).status).toBe(303);
    const { secret } = await web.given.token("2", "read", 7);

    const primer = await web.visitor().ask("/api/agent/primer", bearer(secret));

    expect(primer.status).toBe(200);
    expect(primer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(primer.headers.get("Cache-Control")).toBe("private, max-age=60");
    expect(await primer.text()).toBe("Tabs, never spaces. שלום\n");
    expect(await dana.read("/settings")).toContain('value="28"');
  });

  it("saved in two windows overwrite nothing", async () => {
    const dana = await web.person("4");
    const shown = seenIn(await dana.read("/settings"));
    const answers = await Promise.all(["mine", "theirs"].map((text) => instruct(dana, text, shown)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const lost = answers.findIndex(({ status }) => status === 409);
    expect(await itemAt(answers, lost).text()).toContain(["mine", "theirs"][lost]);

    expect((await instruct(dana, "later")).status).toBe(303);
    expect((await dana.send("GET", "/api/agent/primer")).body).toBe("later\n");
  });

  it("name the newest files, without credentials, and nobody else's", async () => {
    const dana = await web.person("5");
    const other = await web.person("6");
    await other.ask("/api/files/private.py", { method: "PUT", body: "x" });
    const file_id = await dana.saveFile("newest.py", "x");
    await instruct(dana, "Clone https://dana:hunter2@example.org/tools.git first.");

    const primer = (await dana.send("GET", "/api/agent/primer")).body;

    expect(primer).toContain(`Latest files: newest.py (${file_id})`);
    expect(primer).toContain("https://[redacted]@example.org/tools.git");
    expect(primer).not.toContain("hunter2");
    expect(primer).not.toContain("private.py");
  });
});

describe("the sessions", () => {
  const logInWith = async (id: string, agent: string) => {
    const visitor = web.visitor();
    const ask = visitor.ask.bind(visitor);
    visitor.ask = (path, init = {}) =>
      ask(path, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), "User-Agent": agent },
      });
    return visitor.logIn(id);
  };

  it("are listed with their device and last use, without their ids", async () => {
    const here = await logInWith("10", FIREFOX);
    const otherBrowser = await web.person("10");
    web.clock.pass(11 * MINUTE_MS);
    await otherBrowser.ask("/api/files");

    const page = await here.read("/settings/sessions");

    expect(page).toContain("Firefox on Linux");
    expect(page).toContain("this browser");
    // The session that reads the page is marked, and needs no time of its last use.
    expect(page.match(/Last used/g)).toHaveLength(1);
    const user = await web.db.users.findOne({ _id: "10" });
    expect(required(user).sessions.map(({ used_at }) => used_at)).toEqual([web.clock(), web.clock()]);
    for (const { id } of required(user).sessions) expect(page).not.toContain(id);
  });
});
