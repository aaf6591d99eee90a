import type { Page } from "playwright";
import { expect } from "vitest";
import { violations } from "#tests/browser/journeys/access-journeys.ts";
import { inspect, LOOKS, signInWith } from "./looks.ts";
import { journey } from "./stage.ts";

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

const MENU = ".note-menu > summary:visible >> nth=0";
/** By axe too. */
const READ = ["right to left", "dark, by the system"];
const LOOK_MS = 90_000;
let filled: Promise<string[]> | undefined;

export function noteLooks(): void {
  for (const { name, context, cookies } of LOOKS) {
    const isRead = READ.includes(name);
    journey(
      `notes and boards fit, are reachable and still${isRead ? ", and axe finds nothing wrong" : ""}: ${name}`,
      "on",
      async ({ page }) => {
        await signInWith(page, "Local reader", cookies);
        filled ??= fill(page);
        for (const path of await filled) {
          await inspect(page, path, MENU);
          if (isRead) expect(await violations(page), path).toEqual([]);
        }
      },
      { ...context, timeoutMs: LOOK_MS },
    );
  }
}
