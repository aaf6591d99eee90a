import type { BrowserContextOptions, Page } from "playwright";
import { expect } from "vitest";
import { violations } from "#tests/browser/journeys/access-journeys.ts";
import { openStill, paleTexts, smallTargets, widerThanScreen } from "./legibility.ts";
import { journey, productUrl, signIn } from "./stage.ts";

const RICH =
  "# Heading\nSome **bold**, *soft*, ~~gone~~ `code` and [a link](https://a.example)\n\n- one\n  - [ ] task\n- [x] done\n\n> said\n\n```\nlet x = 1;\n```\n\nשלום עולם";
const COLORS = ["yellow", "pink", "blue", "green", "orange", "purple", "#777777", "#000000", "#ffffff"];

/** A file, a document and a board with notes of every colour; answers with the pages to look at. */
async function fill(page: Page): Promise<string[]> {
  const send = async (path: string, data: object) =>
    (await (await page.request.post(path, { data })).json()) as { id: string; board: { id: string } };
  const put = async (name: string, data: string) =>
    (await (await page.request.put(`/api/files/${name}`, { data })).json()).file_id as string;
  const code = await put("looked-at.py", `${"value = 1\n".repeat(30)}${"long = ".repeat(60)}1\n`);
  const text = await put("looked-at.md", "# One\n\nwords\n\n## Two\n\nwords\n");
  const { board } = await send("/api/note-boards", { name: "Looked at" });
  let note = "";
  for (const [i, color] of COLORS.entries()) {
    const position = { x: 20 + (i % 3) * 280, y: 20 + Math.floor(i / 3) * 320 };
    const size = { width: i === 2 ? 120 : 260, height: i === 2 ? 80 : 300 };
    const title = i % 2 === 0 ? null : `Title ${i}`;
    const fields = { content: RICH, color, position, size, title, is_minimized: i === 4 };
    note = (await send(`/api/sticky-notes/board/${board.id}`, fields)).id;
    if (i % 3 === 0) await send(`/api/sticky-notes/${code}`, { content: RICH, color, line_start: i || null });
  }
  await send(`/api/sticky-notes/${text}`, { content: RICH, anchor_id: "two", anchor_text: "Two" });
  await page.request.put(`/api/sticky-notes/note/${note}`, { data: { content: "changed" } });
  return [
    `/file/${code}?L=2-3`,
    `/md/${text}`,
    `/boards/${board.id}`,
    "/boards",
    "/notes",
    "/notes?q=heading",
    `/notes/new?file=${text}&heading=`,
    `/notes/new?board=${board.id}`,
    `/note/${note}/edit`,
    `/note/${note}/history`,
  ];
}

const WIDE = { viewport: { width: 1280, height: 800 } };
type Look = [name: string, context: BrowserContextOptions, cookies: Record<string, string>, withAxe: boolean];

const LOOKS: readonly Look[] = [
  ["light", { viewport: { width: 1600, height: 900 } }, {}, true],
  ["dark in Hebrew", WIDE, { theme: "dark", locale: "he" }, true],
  ["high contrast", WIDE, { theme: "contrast" }, false],
  [
    "high contrast in the dark, on a phone",
    { viewport: { width: 375, height: 780 }, colorScheme: "dark" },
    { theme: "contrast" },
    false,
  ],
  ["the narrowest screen", { viewport: { width: 320, height: 640 } }, {}, false],
];

const PAGES = 10;
const AT_ONCE = 3;
let filled: Promise<string[]> | undefined;

export function noteLooks(): void {
  for (const [name, context, cookies, withAxe] of LOOKS)
    for (let from = 0; from < PAGES; from += AT_ONCE)
      journey(
        `notes and boards are legible, reachable and still${withAxe ? ", and axe finds nothing wrong" : ""}: ${name}, pages ${from + 1} to ${Math.min(from + AT_ONCE, PAGES)}`,
        "on",
        async ({ page }) => {
          await signIn(page, "Local reader");
          filled ??= fill(page);
          const pages = (await filled).slice(from, from + AT_ONCE);
          const url = productUrl();
          await page
            .context()
            .addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
          for (const path of pages) await inspect(page, path, withAxe);
        },
        context,
      );
}

async function inspect(page: Page, path: string, withAxe: boolean): Promise<void> {
  await openStill(page, path);
  const menu = page.locator(".note-menu > summary").first();
  if (await menu.isVisible()) await menu.click();
  expect(await page.evaluate(paleTexts), `${path} has pale texts`).toEqual([]);
  expect(await page.evaluate(smallTargets), `${path} has small targets`).toEqual([]);
  expect(await page.evaluate(widerThanScreen), `${path} scrolls sideways`).toBe(false);
  if (withAxe) expect(await violations(page), path).toEqual([]);
}
