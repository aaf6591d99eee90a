import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const dataDirectory = mkdtempSync(join(tmpdir(), "codeshelf-local-"));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

const embedded = await openTestWeb({
  CODESHELF_EMBEDDED: "1",
  NODE_ENV: "production",
  DATA_DIR: dataDirectory,
  MESSENGER_BOT_TOKEN: undefined,
  ADMIN_USER_IDS: undefined,
});
const production = await openTestWeb({ NODE_ENV: "production" });

async function localForms(visitor: Visitor): Promise<Record<string, string>[]> {
  const html = await (await visitor.page("/login")).text();
  const forms = html.match(/<form[^>]*action="\/auth\/messenger".*?<\/form>/gs) ?? [];
  return forms.map((form) => {
    const inputs = form.matchAll(/name="(\w+)" value="([^"]*)"/g);
    return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
  });
}

function loginPageAs(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Accept: "text/html" };
    const asked = request(`${embedded.url}/login`, { headers }, (response) => resolve(text(response)));
    asked.once("error", reject).end();
  });
}

describe("the local sign-in of the embedded default", () => {
  it("posts what the widget would send to the same route, as an administrator or as a reader", async () => {
    const forms = await localForms(embedded.visitor());
    expect(forms.map((form) => Object.keys(form))).toEqual(
      Array(2).fill(["id", "first_name", "auth_date", "hash"]),
    );

    const roles: string[] = [];
    for (const form of forms) {
      const visitor = embedded.visitor();
      expect((await visitor.submit("/auth/messenger", form)).status).toBe(303);
      roles.push((await (await visitor.ask("/api/me")).json()).role);
    }

    expect(roles).toEqual(["admin", "regular"]);
  });

  it("signs for no one but those it offers", async () => {
    const [, reader] = await localForms(embedded.visitor());
    expect((await embedded.visitor().submit("/auth/messenger", { ...reader, id: "1" })).status).toBe(401);
  });

  it("is there for a name of this machine, and not for a foreign name that leads to it", async () => {
    expect(await loginPageAs("localhost:3000")).toContain('name="hash"');
    const foreign = await loginPageAs("rebound.example");
    expect(foreign).toContain("<h1");
    expect(foreign).not.toContain('name="hash"');
  });

  it("is impossible in production", async () => {
    expect(await localForms(production.visitor())).toEqual([]);
  });
});

describe("a server without a bot's token", () => {
  it("refuses every sign-in, even one signed with nothing", async () => {
    await production.visitor().logIn("5");
    const { messengerBotToken } = production.env;
    production.env.messengerBotToken = "";
    await expect(production.visitor().logIn("5")).rejects.toThrow("invalid_hash");
    production.env.messengerBotToken = messengerBotToken;
  });
});
