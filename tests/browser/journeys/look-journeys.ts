import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright";
import { expect } from "vitest";
import { required } from "#domain/required.ts";
import { LOOKS, type Look } from "#tests/browser/looks.ts";
import { openStill, smallTargets, widerThanScreen } from "#tests/browser/page-measures.ts";
import { COLOURFUL, INSPECTED_PAGES, seedPages } from "#tests/browser/seeded-pages.ts";
import { addCookies, detailJourney, journey, saveFiles, signIn } from "#tests/browser/stage.ts";
import type { GitRemote } from "#tests/support/repos/git-remote.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

const LOOK_MS = 120_000;

export function lookJourneys(remote: GitRemote): void {
  detailJourney(
    "a long name makes no page wider than a phone, and the head of its file no higher than a fifth of it",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const name = `${"a_long_name_".repeat(9)}.py`;
      const { file_id } = await (await page.request.put(`/api/files/${name}`, { data: "1\n" })).json();
      const created = await page.request.post("/api/note-boards", {
        data: { name: `${"board_".repeat(11)}` },
      });
      const { board } = await created.json();
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

  for (const looks of LOOKS) {
    const name = looks.map((look) => look.name).join("; ");
    const { locale, theme, size } = required(looks[0]);
    journey(
      `every page fits, is reachable and still: ${name}`,
      async ({ page, expectError }) => {
        expectError(/status of 40[14]/);
        await signIn(page, "Local administrator");
        await addCookies(page, { locale, theme });
        const ids = await seedPages(page.request, remote);
        for (const { path, behind, isStrangers } of drawCases(
          name,
          INSPECTED_PAGES,
          INSPECTED_PAGES.length / 3,
        )) {
          if (isStrangers) await page.context().clearCookies({ name: "session" });
          await inspect(page, path(ids), behind, looks);
        }
      },
      { viewport: size, timeoutMs: LOOK_MS },
    );
  }

  journey("the list and a file arrive in at most 20 KB and three requests", async ({ page }) => {
    const many = Array.from({ length: 20 }, (_, i) => ({
      name: `weight-${i}.py`,
      text: COLOURFUL.repeat(12),
    }));
    await signIn(page, "Local administrator");
    await saveFiles(page, ...many);

    const file = await page.locator(".file-name").first().getAttribute("href");
    for (const path of ["/files", file!]) {
      const { bytes, blocking } = await weigh(page, path);
      expect(bytes, path).toBeLessThanOrEqual(20 * 1024);
      expect(blocking, path).toBeLessThanOrEqual(3);
    }
  });

  detailJourney("a page without the editor loads at most 40 KB of JavaScript", async ({ page }) => {
    await signIn(page, "Local administrator");
    await saveFiles(page, { name: "scripts.py", text: COLOURFUL });
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

  detailJourney("a row with a link to its source is as high as one without", async ({ page }) => {
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
    // One of the rows may have a border.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
  });
}

const isClosed = (summary: Element) => !(summary.parentElement as HTMLDetailsElement).open;

/** Opens a page and what its buttons open, and expects no fault in any look. */
async function inspect(page: Page, path: string, behind: string, looks: readonly Look[]): Promise<void> {
  for (const [i, { name, size, theme }] of looks.entries()) {
    await page.setViewportSize(size);
    if (i === 0) await openStill(page, path);
    else await page.evaluate((name) => document.documentElement.setAttribute("data-theme", name), theme);
    for (const button of await page.locator(behind).all())
      if ((await button.isVisible()) && (await button.evaluate(isClosed))) await button.press("Enter");
    expect(await page.evaluate(smallTargets), `${path} has small targets: ${name}`).toEqual([]);
    expect(await page.evaluate(widerThanScreen), `${path} scrolls sideways: ${name}`).toBe(false);
  }
}

async function weigh(page: Page, path: string): Promise<{ bytes: number; blocking: number }> {
  const shown = await (await page.request.get(path, { headers: { Accept: "text/html" } })).text();
  // Another journey may announce something meanwhile, which everybody sees.
  const html = shown.replace(/<aside class="banner [\s\S]*?<\/aside>/, "");
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
  expect(sheets).not.toEqual([]);
  const styles = await Promise.all(sheets.map(async (href) => (await page.request.get(href)).text()));
  const bytes = [html, ...styles].reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
  return { bytes, blocking: 1 + sheets.length };
}
