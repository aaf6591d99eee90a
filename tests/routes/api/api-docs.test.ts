import { describe, expect, it } from "vitest";
import { endpoints } from "#app/http/api/table.server.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();

describe("the page about the API", () => {
  it("tells of every endpoint of the table, and who may call it", async () => {
    const visitor = await web.visitor().logIn("60");
    const html = await (await visitor.page("/api-docs")).text();
    for (const { method, path } of endpoints) {
      const shown = String(path).replace(/[:*](\w+)/g, "{$1}");
      expect(html, `${method} ${shown}`).toContain(`${method}</code><code>${shown}</code>`);
    }
    expect(html).toContain("Administrators only");
    expect(html).toContain("How many to return at most.");
    expect(html).toContain(`Bearer $TOKEN&quot; ${web.url}/api/me`);
    expect(html).toContain("With `If-Match: &lt;ETag&gt;` it is saved only if");
    expect(html).toContain(`curl -o codeshelf.mjs ${web.url}/codeshelf.mjs`);
  });

  it("is for people who are logged in", async () => {
    expect((await web.visitor().page("/api-docs")).status).toBe(302);
  });
});
