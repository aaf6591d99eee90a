/** Every page in every dress, for going through by eye: `npm run screenshots -- --sheet`, into `tests/output/sheet`. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import express from "express";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { answerBusyPage } from "#app/http/door/busy-page.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import type { SheetLibrary } from "./sheet-library.ts";
import { PLACES, type Place, type Visitor } from "./sheet-places.ts";

const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 375, height: 800 } } as const;
const THEMES = ["light", "dark"] as const;
const LOCALES = ["en", "he"] as const;
const DIRECTORY = join(PROJECT_ROOT, "tests", "output", "sheet");

type Size = keyof typeof SIZES;
type Dress = { size: Size; theme: (typeof THEMES)[number]; locale: (typeof LOCALES)[number] };
type StorageState = BrowserContextOptions["storageState"];

type SheetOptions = {
  browser: Browser;
  url: string;
  library: Omit<SheetLibrary, "busy">;
  visitors: Record<Visitor, StorageState>;
  /** Only the places whose names begin so. */
  only: string[];
};

/** Takes them all and lays them out on one page, a row for each place. */
export async function takeSheet({ browser, url, library, visitors, only }: SheetOptions): Promise<string> {
  await rm(DIRECTORY, { recursive: true, force: true });
  await mkdir(DIRECTORY, { recursive: true });
  const places = PLACES.filter(
    ({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)),
  );
  const busy = await serveBusyPage();
  async function takeDress({ size, theme, locale }: Dress): Promise<void> {
    const dress = `${size}-${theme}-${locale}`;
    const cookies = Object.entries({ theme, locale }).map(([name, value]) => ({ name, value, url }));
    for (const [visitor, storageState] of Object.entries(visitors)) {
      const options = { baseURL: url, viewport: SIZES[size], storageState, locale: "en", colorScheme: theme };
      const context = await browser.newContext(options);
      await context.addCookies(cookies);
      const page = await context.newPage();
      for (const place of places.filter((place) => place.visitor === visitor))
        await take(page, place, { ...library, busy: busy.url }, dress);
      await context.close();
    }
    console.log(`${places.length} pages, ${dress}`);
  }
  // Both sizes at once: one draws while the other waits for the server.
  await Promise.all(
    Object.keys(SIZES).map(async (size) => {
      for (const theme of THEMES)
        for (const locale of LOCALES) await takeDress({ size: size as Size, theme, locale });
    }),
  );
  busy.close();
  const index = join(DIRECTORY, "index.html");
  await writeFile(index, sheetOf(places.map(({ name }) => name)));
  return index;
}

async function take(page: Page, { name, path, before }: Place, library: SheetLibrary, dress: string) {
  await page.goto(path(library));
  await before?.(page);
  await settle(page);
  await page.screenshot({ path: join(DIRECTORY, `${name}-${dress}.png`), fullPage: true });
  await page.context().setOffline(false);
}

/** Until the page looks as it does to somebody who has read it to its end and come back. */
async function settle(page: Page): Promise<void> {
  if ((await page.locator("[data-code-field]").count()) > 0) await page.locator(".cm-content").waitFor();
  await page.evaluate(async () => {
    for (const top of [document.body.scrollHeight, 0]) {
      scrollTo(0, top);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });
}

/** A server in such a crowd that it sends everybody away; one that is at work has pages to show instead. */
async function serveBusyPage(): Promise<{ url: string; close(): void }> {
  const server = express()
    .use((req, res) => answerBusyPage(req, res, 503))
    .listen(0, "127.0.0.1");
  await new Promise((resolve) => void server.once("listening", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
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
