import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "#app/http/api/api.server.ts";
import { endpoints } from "#app/http/api/table.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const person = await web.person();
const admin = await web.person(ADMIN_ID);

const toAddress = ({ path }: Endpoint) => String(path).replace(/[:*]\w+/g, ABSENT_ID);
const withNames = (rows: readonly Endpoint[]) =>
  rows.map((row) => [`${row.method} ${row.path}`, row] as const);

const GATED = endpoints.filter(({ gate }) => gate !== "public");

/** Each refusal has the shape that docs/api.md describes. */
function expectRefusal({ onFailure }: Endpoint, response: Response, body: Record<string, string>): void {
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(response.headers.get("X-Request-Id")).toMatch(/^.{8,}$/);
  expect(body).toMatchObject({ ...onFailure, error: expect.stringMatching(/\S/) });
  expect(body.code).toMatch(/^[a-z][a-z0-9_]*$/);
  // Programs get a code; people get words, in `error` if it is no code and otherwise in `message`.
  if (body.error === body.code) expect(body.message).toMatch(/\S \S.*[.!?]$/);
  else expect(body.error).toMatch(/^[A-Z]/);
}

describe("a refusal has one shape", () => {
  it.each(withNames(drawCases("refusals of endpoints", GATED, GATED.length / 6)))(
    "of %s without a session, by a wrong token and by a method that it does not know",
    async (_, row) => {
      const visitor = web.visitor();
      const Authorization = `Bearer cs_${"x".repeat(40)}`;
      for (const headers of [{}, { Accept: "image/png" }, { Authorization }] as Record<string, string>[]) {
        const refused = await visitor.ask(toAddress(row), { method: row.method, headers });
        const body = await refused.json();
        expectRefusal(row, refused, body);
        expect(body).toMatchObject({ code: "auth_required", redirect: "/login" });
        if (headers.Authorization) expect(body.message).toBe("This token is not valid.");
      }
      const unknown = await (row.gate === "admin" ? admin : person).ask(toAddress(row), {
        method: "OPTIONS",
      });
      expectRefusal(row, unknown, await unknown.json());
      // A page links to it: a browser is redirected to the login.
      const { status, headers } = await visitor.page(toAddress(row), { method: row.method });
      expect([status, headers.get("Location")?.split("?")[0]]).toEqual([302, "/login"]);
    },
  );

  it.each(withNames(endpoints.filter(({ query }) => query !== undefined)))(
    "of %s with a query that it does not take",
    async (_, row) => {
      const wrong = "limit=x&cursor=%00&page=-1&timerange=x&version=x&sort=x&deep=x&q=";
      const visitor = row.gate === "admin" ? admin : person;
      const response = await visitor.ask(`${toAddress(row)}?${wrong}`, { method: row.method });
      expect(response.status).not.toBe(500);
      const text = await response.text();
      if (response.status >= 400) expectRefusal(row, response, JSON.parse(text));
    },
  );
});

it.each(["/api", "/api/", "/api/nothing", "/api/files/", "/api/jobs/runs/%E0%A4%A"])(
  "%s, which the API does not have, is 404",
  async (path) => {
    const response = await person.page(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "not_found", message: expect.any(String) });
  },
);

describe("the page about the API", async () => {
  const html = await person.read("/api-docs");

  it("describes every endpoint of the table, and who may call it", async () => {
    for (const { method, path } of endpoints) {
      const shown = String(path).replace(/[:*](\w+)/g, "{$1}");
      expect(html, `${method} ${shown}`).toContain(`${method}</code><code>${shown}</code>`);
    }
    expect(html).toContain("Administrators only, with a session in the browser. Tokens cannot call this.");
    expect(html).toContain("How many to return at most.");
    expect(html).toContain(`Bearer $TOKEN&quot; ${web.url}/api/me`);
    expect(html).toContain("With <code>If-Match: &lt;ETag&gt;</code> it is saved only if");
    expect(html).toContain(`curl -o codeshelf.mjs ${web.url}/codeshelf.mjs`);
  });

  it("shows a call's parameters, answer and refusals", async () => {
    const call =
      html.slice(html.indexOf("POST</code><code>/api/code/run</code>")).split("</details>", 1)[0] ?? "";
    const shown = call.replaceAll("<!-- -->", "").replaceAll("&quot;", '"');
    expect(shown).toContain(
      `curl -H "Authorization: Bearer $TOKEN" -H &#x27;Content-Type: application/json&#x27; -d &#x27;{"code":"…"}&#x27; "${web.url}/api/code/run"`,
    );
    expect(shown).toMatch(
      /<code>language<\/code> string · <bdi lang="en">optional<\/bdi> · one of: python, javascript, typescript · default "python"/,
    );
    expect(shown).toContain("What <code>code</code> is written in.");
    expect(html).toContain("date and time (ISO 8601)");
    expect(html).not.toContain(String.raw`\d{4}-\d\d`);
    expect(shown).toMatch(/Answer 200.*<code>limits_applied\.timeout<\/code> number/);
    expect(shown).toContain('<a href="#error-premium_required">');
    for (const [, target] of html.matchAll(/href="#((?:error|shape)-\w+)"/g))
      expect(html, target).toContain(`id="${target}"`);
  });

  it("names its groups in plain words", async () => {
    const headings = [...html.matchAll(/<section class="section" id="\w+"><h2>([^<]+)</g)].map(
      ([, name]) => name,
    );
    const about = "Files, Folders, Search, Notes, Reminders and notifications, Links, Mirrors".split(", ");
    const others = ["Running code and code tools", "Account", "Administration", "API document"];
    expect(headings).toEqual([...about, ...others, "Objects in answers", "Errors"]);
  });
});

/** The examples run in the page's order; each continues where the previous one ended. */
describe("the examples of the API's page run as they stand", async () => {
  const text = await readFile(join(PROJECT_ROOT, "docs/api.md"), "utf8");
  const examples = [...text.matchAll(/^## (.+)\n[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, title = "", script = ""]) => ({ title, script }),
  );
  const { secret } = await web.given.token(person.id);
  const directory = directoryOfFile("examples");

  it("and every block of commands is one of them", () => {
    expect(examples).toHaveLength(required(text.match(/^```sh$/gm)).length);
  });

  it.each(examples)("$title", async ({ script }) => {
    const env = { ...process.env, CODESHELF: web.url, TOKEN: secret };
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: directory, env });
    expect(stdout).toMatch(/"ok":true|"jsonrpc":"2.0"|"type":"rich"/);
    expect(stdout).not.toContain('"error"');
  });
});
