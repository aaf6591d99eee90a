/** Every page in every variant, to look through: `npm run screenshots -- --sheet` writes it to `tests/output/sheet`. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { PAGES, type SeededIds, STRANGERS_PAGES } from "./seeded-pages.ts";

const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 375, height: 800 } } as const;
const DIRECTORY = join(PROJECT_ROOT, "tests", "output", "sheet");

const DRESSES = (["wide", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).flatMap((theme) =>
    ["en", "he"].map((locale) => ({ name: `${size}-${theme}-${locale}`, size, theme, locale })),
  ),
);
type Dress = (typeof DRESSES)[number];

type SheetOptions = {
  browser: Browser;
  url: string;
  ids: SeededIds;
  owner: BrowserContextOptions["storageState"];
  /** Takes only the pages whose names begin with one of these. */
  only: string[];
};

export async function takeSheet({ browser, url, ids, owner, only }: SheetOptions): Promise<string> {
  await rm(DIRECTORY, { recursive: true, force: true });
  await mkdir(DIRECTORY, { recursive: true });
  const places = [
    ...PAGES.map(([name, path]) => ({ name, path, storageState: owner })),
    ...STRANGERS_PAGES.map(([name, path]) => ({ name, path, storageState: undefined })),
  ].filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));
  async function takeDress({ name: dress, size, theme, locale }: Dress): Promise<void> {
    const cookies = Object.entries({ theme, locale }).map(([name, value]) => ({ name, value, url }));
    for (const storageState of [owner, undefined]) {
      const options = { baseURL: url, viewport: SIZES[size], storageState, locale: "en", colorScheme: theme };
      const context = await browser.newContext(options);
      await context.addCookies(cookies);
      const page = await context.newPage();
      for (const shot of places.filter((candidate) => candidate.storageState === storageState)) {
        await page.goto(shot.path(ids));
        await settle(page);
        await page.screenshot({ path: join(DIRECTORY, toFileName(shot.name, dress)), fullPage: true });
      }
      await context.close();
    }
    console.log(`${places.length} pages, ${dress}`);
  }
  // Both sizes at the same time: one draws while the other waits for the server.
  await Promise.all(
    Object.keys(SIZES).map(async (size) => {
      for (const dress of DRESSES) if (dress.size === size) await takeDress(dress);
    }),
  );
  const index = join(DIRECTORY, "index.html");
  await writeFile(index, toSheet(places.map(({ name }) => name)));
  return index;
}

const toFileName = (name: string, dress: string) => `${name.replaceAll(/\W+/g, "-")}-${dress}.png`;

/** Scrolls to the end and back, so that everything is drawn. */
async function settle(page: Page): Promise<void> {
  if ((await page.locator("[data-code-field]").count()) > 0) await page.locator(".cm-content").waitFor();
  await page.evaluate(async () => {
    for (const top of [document.body.scrollHeight, 0]) {
      scrollTo(0, top);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });
}

function toSheet(names: string[]): string {
  const toPicture = (name: string, dress: string) => {
    const file = toFileName(name, dress);
    return `<a href="${file}"><img src="${file}" height="420" alt="${name} ${dress}"></a>`;
  };
  const rows = names.map(
    (name) => `<h2>${name}</h2><div>${DRESSES.map((dress) => toPicture(name, dress.name)).join("")}</div>`,
  );
  return `<!DOCTYPE html><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:1rem system-ui;background:#777;color:#fff}div{display:flex;gap:8px;overflow-x:auto}</style>${rows.join("\n")}`;
}
