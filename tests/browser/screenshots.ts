/**
 * Takes the pictures of the README and of the home page from the running product: `npm run screenshots`. They are files of
 * the repository, so that nobody needs a browser to read or to build it.
 */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { openBrowser, startProduct } from "#tests/support/browser.ts";
import { SAMPLE_FILES } from "./sample-files.ts";

const MAX_BYTES = 200 * 1024;
const WIDE = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 720 } };
const FILE = "word_count.py";
const MARKED = "?L=13-15";

type Picture = { path: string; page: "files" | "file"; context: BrowserContextOptions; cookies?: Cookies };
type Cookies = Record<string, string>;

const PICTURES: readonly Picture[] = [
  { path: "docs/screenshots/files.png", page: "files", context: WIDE },
  { path: "docs/screenshots/file.png", page: "file", context: WIDE },
  { path: "docs/screenshots/file-dark.png", page: "file", context: { ...WIDE, colorScheme: "dark" } },
  {
    path: "docs/screenshots/files-hebrew-phone.png",
    page: "files",
    context: { ...PHONE, deviceScaleFactor: 2 },
    cookies: { locale: "he" },
  },
  ...(["light", "dark"] as const).flatMap((colorScheme) =>
    [1, 2].map((deviceScaleFactor) => ({
      path: `public/pictures/file-${colorScheme}-${deviceScaleFactor}x.webp`,
      page: "file" as const,
      context: { ...WIDE, deviceScaleFactor, colorScheme },
    })),
  ),
];

async function signIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByRole("button", { name: /Local administrator/ }).click();
  await page.waitForURL("**/dashboard");
  await page.request.post(`${url}/api/welcome/ack`);
  return context;
}

async function fillShelf(context: BrowserContext, url: string): Promise<void> {
  for (const file of SAMPLE_FILES) {
    const answer = await context.request.post(`${url}/upload`, {
      multipart: file,
      headers: { Accept: "application/json" },
    });
    if (!answer.ok()) throw new Error(`${file.file_name} was not saved: ${await answer.text()}`);
  }
  // The message about the last one is said here and not in a picture.
  await context.pages()[0]!.reload();
}

async function take(page: Page, url: string, picture: Picture): Promise<Buffer> {
  await page.goto(`${url}/files`);
  if (picture.page === "file") {
    const href = await page.getByRole("link", { name: FILE, exact: true }).getAttribute("href");
    await page.goto(`${url}${href}${MARKED}`);
    await page.evaluate(() => scrollTo(0, 0));
  }
  const image = await page.screenshot();
  return picture.path.endsWith(".webp") ? toWebp(page, image) : image;
}

/** Chromium takes no screenshots in this format, but a canvas of its can be written in it. */
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
      return canvas.toDataURL("image/webp", 0.8).split(",")[1]!;
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  return Buffer.from(base64, "base64");
}

const product = await startProduct();
const browser = await openBrowser();
try {
  const person = await signIn(browser, product.url);
  await fillShelf(person, product.url);
  const storageState = await person.storageState();
  for (const picture of PICTURES) {
    const context = await browser.newContext({ ...picture.context, storageState, locale: "en" });
    const cookies = Object.entries(picture.cookies ?? {});
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: product.url })));
    const path = join(PROJECT_ROOT, picture.path);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, await take(await context.newPage(), product.url, picture));
    await context.close();
    const { size } = await stat(path);
    console.log(`${picture.path} ${Math.round(size / 1024)} KiB`);
    if (size > MAX_BYTES) throw new Error(`${picture.path} is larger than ${MAX_BYTES} bytes`);
  }
} finally {
  await browser.close();
  await product.stop();
}
