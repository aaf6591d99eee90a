/** Every page in every dress, for going through by eye: `npm run screenshots -- --sheet`, into `tests/output/sheet`. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import type { Library } from "./seeded-library.ts";

type Place = [name: string, path: (library: Library) => string, stranger?: true];

export const PLACES: readonly Place[] = [
  ["home", () => "/", true],
  ["login", () => "/login", true],
  ["share", ({ share }) => `/share/${share}?view=md`, true],
  ["shared", ({ bundle }) => `/shared/${bundle}`, true],
  ["shared-file", ({ bundle }) => `/shared/${bundle}/1`, true],
  ["dashboard", () => "/dashboard"],
  ["files", () => "/files"],
  ["files-search", () => "/files?q=backup"],
  ["files-none", () => "/files?q=nothing-has-this"],
  ["file", ({ python }) => `/file/${python}?L=13-15`],
  ["file-old", ({ python }) => `/file/${python}?v=1`],
  ["file-runs", ({ python }) => `/file/${python}?run=last`],
  ["markdown", ({ markdown }) => `/md/${markdown}`],
  ["upload", () => "/upload"],
  ["edit", ({ python }) => `/edit/${python}`],
  ["history", ({ python }) => `/file/${python}/history`],
  ["compare", ({ python }) => `/file/${python}/compare?from=1&to=2`],
  ["file-share", ({ python }) => `/file/${python}/share`],
  ["trash", () => "/trash"],
  ["notes", () => "/notes"],
  ["notes-search", () => "/notes?q=backup"],
  ["note-new", ({ python }) => `/notes/new?file=${python}&L=2-3`],
  ["note-edit", ({ note }) => `/note/${note}/edit`],
  ["note-history", ({ note }) => `/note/${note}/history`],
  ["boards", () => "/boards"],
  ["board", ({ board }) => `/boards/${board}`],
  ["reminders", () => "/reminders"],
  ["reminder", ({ note }) => `/reminders/${note}`],
  ["tools", ({ python }) => `/tools/code?file=${python}`],
  ["shares", () => "/shares"],
  ["go", () => "/go?q=back"],
  ["shortcuts", () => "/help/shortcuts"],
  ["offline", () => "/offline"],
  ["error", () => "/nowhere"],
  ["settings", () => "/settings"],
  ["settings-devices", () => "/settings/devices"],
  ["settings-feeds", () => "/settings/feeds"],
  ["settings-tokens", () => "/settings/tokens"],
  ["settings-sessions", () => "/settings/sessions"],
  ["settings-export", () => "/settings/export"],
  ["settings-delete", () => "/settings/delete"],
  ["api-docs", () => "/api-docs"],
  ["repos", () => "/repos"],
  ["admin", () => "/admin"],
  ["admin-jobs", () => "/admin/jobs"],
  ["admin-observability", () => "/admin/observability"],
  ["admin-indexes", () => "/admin/verify-indexes"],
  ["admin-announcements", () => "/admin/announcements"],
  ["admin-users", () => "/admin/users"],
];

const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 375, height: 800 } } as const;
const THEMES = ["light", "dark"] as const;
const LOCALES = ["en", "he"] as const;
const DIRECTORY = join(PROJECT_ROOT, "tests", "output", "sheet");

type SheetOptions = {
  browser: Browser;
  url: string;
  library: Library;
  storageState: BrowserContextOptions["storageState"];
  /** Only the places whose names begin so. */
  only: string[];
};

/** Takes them all and lays them out on one page, a row for each place. */
export async function takeSheet({
  browser,
  url,
  library,
  storageState,
  only,
}: SheetOptions): Promise<string> {
  await rm(DIRECTORY, { recursive: true, force: true });
  await mkdir(DIRECTORY, { recursive: true });
  const places = PLACES.filter(([name]) => only.length === 0 || only.some((start) => name.startsWith(start)));
  for (const [size, viewport] of Object.entries(SIZES))
    for (const theme of THEMES)
      for (const locale of LOCALES) {
        const contexts = {
          known: await browser.newContext({ viewport, storageState, locale: "en" }),
          stranger: await browser.newContext({ viewport, locale: "en" }),
        };
        const cookies = Object.entries({ theme, locale }).map(([name, value]) => ({ name, value, url }));
        for (const context of Object.values(contexts)) await context.addCookies(cookies);
        const pages = { known: await contexts.known.newPage(), stranger: await contexts.stranger.newPage() };
        for (const [name, pathOf, stranger] of places) {
          const page = stranger ? pages.stranger : pages.known;
          await page.goto(url + pathOf(library));
          const path = join(DIRECTORY, `${name}-${size}-${theme}-${locale}.png`);
          await page.screenshot({ path, fullPage: true });
        }
        for (const context of Object.values(contexts)) await context.close();
        console.log(`${places.length} pages, ${size}, ${theme}, ${locale}`);
      }
  const index = join(DIRECTORY, "index.html");
  await writeFile(index, sheetOf(places.map(([name]) => name)));
  return index;
}

function sheetOf(names: string[]): string {
  const dresses = Object.keys(SIZES).flatMap((size) =>
    THEMES.flatMap((theme) => LOCALES.map((locale) => `${size}-${theme}-${locale}`)),
  );
  const rows = names.map(
    (name) =>
      `<h2>${name}</h2><div>${dresses.map((dress) => `<a href="${name}-${dress}.png"><img src="${name}-${dress}.png" height="420" alt="${name} ${dress}"></a>`).join("")}</div>`,
  );
  return `<!DOCTYPE html><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:1rem system-ui;background:#777;color:#fff}div{display:flex;gap:8px;overflow-x:auto}</style>${rows.join("\n")}`;
}
