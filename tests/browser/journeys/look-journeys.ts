import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright";
import { expect } from "vitest";
import { inspect, LOOKS, signInWith } from "#tests/browser/looks.ts";
import { detailJourney, journey, signIn, upload } from "#tests/browser/stage.ts";

// Every kind of colour the highlighter gives, once.
const COLOURFUL = `# a comment
import re
@decorated
class SeededIds(object):
    """Words."""
    def __init__(self, size: int = 42) -> None:
        self.names = {"a": True, 'b': None}
        print(f"{size} files", re.compile(r"\\d+"))
${"long = ".repeat(60)}1
`;
const STYLES = `<!-- a note -->\n<a class="x" href="/">&amp;</a>\n<style>#id .c:hover { color: red; --x: 1px }</style>\n`;
const CHANGES = "--- a/one\n+++ b/one\n@@ -1 +1 @@\n-old\n+new\n";
const NOTES = "# Title\n\n*soft* **loud** `code` [link](/x)\n\n- item\n> quote\n";

const FILES = [
  { name: "colourful.py", text: COLOURFUL },
  { name: "page.html", text: STYLES },
  { name: "one.diff", text: CHANGES },
  { name: "notes.md", text: NOTES },
];

const MENUS = "details.menu > summary";

let seeded: Promise<string[]> | undefined;

/** Addresses of the files, which are saved once for all looks. */
const seedFiles = (page: Page): Promise<string[]> =>
  Promise.all(
    FILES.map(async ({ name, text: data }) => {
      const answer = await page.request.put(`/api/files/${name}`, { data });
      return `/file/${(await answer.json()).file_id}?L=2-3`;
    }),
  );

export function lookJourneys(): void {
  journey(
    "a long name makes no page wider than a phone, and the head of its file no higher than a fifth of it",
    "on",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const name = `${"a_long_name_".repeat(9)}.py`;
      const { file_id } = await (await page.request.put(`/api/files/${name}`, { data: "1\n" })).json();
      const made = await page.request.post("/api/note-boards", { data: { name: `${"board_".repeat(11)}` } });
      const { board } = await made.json();
      const note = { content: "long_".repeat(30) };
      const { id } = await (await page.request.post(`/api/sticky-notes/${file_id}`, { data: note })).json();
      await page.request.post(`/api/sticky-notes/note/${id}/reminder`, { data: { preset: "1h", tz: "UTC" } });
      const file = `/file/${file_id}`;
      const places = [`/edit/${file_id}`, `${file}/share`, `${file}/reminder`, `${file}/history`, file];
      for (const path of ["/reminders", `/boards/${board.id}`, "/files", ...places]) {
        await page.goto(path);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
      }
      const head = (await page.locator(".file-more").boundingBox())!;
      const top = (await page.locator(".page").boundingBox())!.y;
      expect(head.y + head.height - top).toBeLessThan(844 / 5);
    },
    { viewport: { width: 390, height: 844 } },
  );

  for (const { name, context, cookies } of LOOKS) {
    journey(
      `every page fits, is reachable and still: ${name}`,
      "on",
      async ({ page, expectError }) => {
        expectError(/status of 404/);
        await signInWith(page, "Local administrator", cookies);
        seeded ??= seedFiles(page);
        const pages = [
          "/dashboard",
          "/files",
          "/upload",
          "/admin/jobs",
          "/tools/code",
          "/settings",
          "/nowhere",
          ...(await seeded),
        ];
        for (const path of pages) await inspect(page, path, MENUS);
        await page.context().clearCookies({ name: "session" });
        for (const path of ["/", "/login"]) await inspect(page, path, MENUS);
      },
      context,
    );
  }

  journey("the list and a file arrive in at most 20 KB and three requests", "on", async ({ page }) => {
    const many = Array.from({ length: 20 }, (_, i) => ({
      name: `weight-${i}.py`,
      text: COLOURFUL.repeat(12),
    }));
    await signIn(page, "Local administrator");
    await upload(page, ...many);

    const file = await page.locator(".file-name").first().getAttribute("href");
    for (const path of ["/files", file!]) {
      const { bytes, blocking } = await weigh(page, path);
      expect(bytes, path).toBeLessThanOrEqual(20 * 1024);
      expect(blocking, path).toBeLessThanOrEqual(3);
    }
  });

  detailJourney("a page without the editor loads at most 40 KB of JavaScript", "on", async ({ page }) => {
    await signIn(page, "Local administrator");
    await upload(page, { name: "scripts.py", text: COLOURFUL });
    const file = new URL(page.url()).pathname;
    for (const path of ["/files", file, "/boards", "/dashboard"]) {
      const scripts: Promise<Buffer>[] = [];
      const keep = (response: Response) => {
        if (response.request().resourceType() === "script") scripts.push(response.body());
      };
      page.on("response", keep);
      await page.goto(path, { waitUntil: "networkidle" });
      page.off("response", keep);
      expect(scripts.length, path).toBeGreaterThan(0);
      const bytes = (await Promise.all(scripts)).reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
      expect(bytes, path).toBeGreaterThan(5 * 1024);
      expect(bytes, path).toBeLessThanOrEqual(40 * 1024);
    }
  });

  journey("a row with a link to its source is as high as one without", "on", async ({ page }) => {
    await signIn(page, "Local reader");
    const description = "What has to be true before a release leaves the house";
    for (const name of ["release-checklist.md", "release-checklist.py"]) {
      const { file_id } = await (await page.request.put(`/api/files/${name}`, { data: "x" })).json();
      await page.request.patch(`/api/file/${file_id}`, { data: { description, tags: ["ops", "guides"] } });
    }
    await page.setViewportSize({ width: 1180, height: 760 });
    await page.goto("/files");
    const rows = page.locator(".file-row", { hasText: "release-checklist" });
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(2);
    // A row may have a line above it that the other lacks.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
  });
}

async function weigh(page: Page, path: string): Promise<{ bytes: number; blocking: number }> {
  const html = await (await page.request.get(path, { headers: { Accept: "text/html" } })).text();
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
  expect(sheets).not.toEqual([]);
  const styles = await Promise.all(sheets.map(async (href) => (await page.request.get(href)).text()));
  const bytes = [html, ...styles].reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
  return { bytes, blocking: 1 + sheets.length };
}
