/**
 * Takes the pictures of the README and the home page from the running product: `npm run screenshots`. They are committed, so that nobody
 * needs a browser to read or build the project. `--sheet` takes every page in every variant instead, and `--icons` draws the icons.
 */
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { HOME_SCENES, type HomeScene } from "#app/web/ui/home-scenes.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { openBrowser } from "#tests/support/product/browser.ts";
import { type Product, startProduct } from "#tests/support/product/product.ts";
import { makeRemote } from "#tests/support/repos/git-remote.ts";
import { takeSheet } from "./contact-sheet.ts";
import { makeIcons } from "./icons.ts";
import { fillLibrary, type Library } from "./seeded-library.ts";
import { REPO_NAME, seedPages } from "./seeded-pages.ts";

const RUN_MS = 60_000;
const MAX_BYTES = 200 * 1024;
const WIDE = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 720 }, deviceScaleFactor: 2 };

type Cookies = Record<string, string>;
type Picture = {
  path: string;
  page: (library: Library) => string;
  context: BrowserContextOptions;
  cookies?: Cookies;
  before?: (page: Page) => Promise<void>;
};

/** Part of a wide page, at the resolution that most screens show at half its width. */
const SCENE = { viewport: { width: 800, height: 500 }, deviceScaleFactor: 1.6 };

const run = async (page: Page) => {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("the largest: 9973").waitFor({ timeout: RUN_MS });
};

const SCENES: Record<HomeScene, Pick<Picture, "page" | "before">> = {
  find: {
    page: () => "/files",
    before: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("ret");
      await page
        .getByRole("option", { name: /retry\.py/ })
        .first()
        .waitFor();
    },
  },
  run: { page: ({ file }) => `/tools/code?file=${file("primes.py")}`, before: run },
  remind: { page: ({ note }) => `/reminders/${note}` },
  share: { page: ({ share }) => `/share/${share}?view=md` },
};

const file = ({ python }: Library) => `/file/${python}?L=13-15`;

const PICTURES: readonly Picture[] = [
  { path: "docs/screenshots/files.png", page: () => "/files", context: WIDE },
  { path: "docs/screenshots/file.png", page: file, context: WIDE },
  { path: "docs/screenshots/file-dark.png", page: file, context: WIDE, cookies: { theme: "dark" } },
  { path: "docs/screenshots/board.png", page: ({ board }) => `/boards/${board}`, context: WIDE },
  { path: "docs/screenshots/reminders.png", page: ({ note }) => `/reminders/${note}`, context: WIDE },
  {
    path: "docs/screenshots/tools.png",
    page: ({ file }) => `/tools/code?file=${file("primes.py")}`,
    context: WIDE,
    before: run,
  },
  {
    path: "docs/screenshots/files-hebrew-phone.png",
    page: () => "/files",
    context: PHONE,
    cookies: { locale: "he" },
  },
  ...(["light", "dark"] as const).map((colorScheme) => ({
    path: `public/pictures/file-phone-${colorScheme}.webp`,
    page: ({ python }: Library) => `/file/${python}`,
    // As sharp as most phones show it, and no larger: people wait for it on the home page.
    context: { viewport: { width: 390, height: 600 }, deviceScaleFactor: 1.75, colorScheme },
  })),
  ...(["light", "dark"] as const).flatMap((colorScheme) =>
    HOME_SCENES.map((scene) => ({
      path: `public/pictures/${scene}-${colorScheme}.webp`,
      context: { ...SCENE, colorScheme },
      ...SCENES[scene],
    })),
  ),
  ...(["light", "dark"] as const).flatMap((colorScheme) =>
    [1, 2].map((deviceScaleFactor) => ({
      path: `public/pictures/file-${colorScheme}-${deviceScaleFactor}x.webp`,
      page: file,
      context: { ...WIDE, deviceScaleFactor, colorScheme },
    })),
  ),
];

async function signIn(
  browser: Browser,
  { url, signInPath }: Product,
  person: RegExp,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, locale: "en" });
  const page = await context.newPage();
  await page.goto(url + signInPath);
  await page.getByRole("button", { name: person }).click();
  await page.waitForURL("**/dashboard");
  await page.request.post(`${url}/api/welcome/ack`);
  return context;
}

async function take(page: Page, url: string, library: Library, picture: Picture): Promise<Buffer> {
  await page.goto(url + picture.page(library));
  await picture.before?.(page);
  await page.evaluate(() => scrollTo(0, 0));
  const image = await page.screenshot();
  return picture.path.endsWith(".webp") ? toWebp(page, image) : image;
}

/** Chromium takes no WebP screenshots, but its canvas can write WebP. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  await page.goto("about:blank");
  const base64 = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d")!.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.7).split(",")[1]!;
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  return Buffer.from(base64, "base64");
}

type Stand = { browser: Browser; url: string; library: Library; person: BrowserContext };

async function takePictures({ browser, url, library, person }: Stand): Promise<void> {
  const storageState = await person.storageState();
  for (const picture of PICTURES) {
    const context = await browser.newContext({ ...picture.context, storageState, locale: "en" });
    const cookies = Object.entries(picture.cookies ?? {});
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
    const path = join(PROJECT_ROOT, picture.path);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, await take(await context.newPage(), url, library, picture));
    await context.close();
    const { size } = await stat(path);
    console.log(`${picture.path} ${Math.round(size / 1024)} KiB`);
    if (size > MAX_BYTES) throw new Error(`${picture.path} is larger than ${MAX_BYTES} bytes`);
  }
}

async function takeWholeSheet({ browser, url, person }: Stand, only: string[]): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "codeshelf-sheet-"));
  try {
    const ids = await seedPages(person.request, makeRemote(root, REPO_NAME));
    console.log(await takeSheet({ browser, url, ids, owner: await person.storageState(), only }));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const [, , option = "", ...only] = process.argv;
const browser = await openBrowser();
try {
  if (option === "--icons") await makeIcons(browser);
  else {
    // The sheet mirrors a repository of this machine.
    const product = await startProduct({ variables: { CODEHOST_ALLOW_LOCAL: "1" } });
    try {
      const person = await signIn(browser, product, /Local administrator/);
      const library = await fillLibrary(person, product.url);
      const { url } = product;
      // A reload removes the message about the last action.
      await person.pages()[0]!.reload();
      const stand = { browser, url, library, person };
      if (option === "--sheet") await takeWholeSheet(stand, only);
      else await takePictures(stand);
    } finally {
      await product.stop();
    }
  }
} finally {
  await browser.close();
}
