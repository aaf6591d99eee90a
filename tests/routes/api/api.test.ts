import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app/main/api-table.server.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const person = await web.person();

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
