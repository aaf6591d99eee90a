/**
 * Runs Lighthouse on the pages that people see first: `npm run lighthouse`. It is fetched on demand and is no dependency: it would add
 * 117 packages of 181 MB for one command.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { BrowserContext } from "playwright";
import { openBrowser } from "#tests/support/product/browser.ts";
import { type Product, startProduct } from "#tests/support/product/product.ts";
import { findBrowser } from "#tests/support/programs/find-browser.ts";
import { fillLibrary, type Library } from "./seeded-library.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const REPORT_MAX_BYTES = 64 * 1024 * 1024;

type Page = { name: string; path: (library: Library) => string; stranger?: true };

const PAGES: readonly Page[] = [
  { name: "home", path: () => "/", stranger: true },
  { name: "login", path: () => "/login", stranger: true },
  { name: "files", path: () => "/files" },
  { name: "file", path: ({ python }) => `/file/${python}` },
];

type Report = {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; title: string; details?: { items?: Request[] } }>;
};
type Request = { transferSize?: number };

async function measure(url: string, cookie: string): Promise<Report> {
  const flags = "--headless=new --no-sandbox --disable-gpu --no-first-run";
  const { stdout } = await promisify(execFile)(
    "npm",
    [
      "exec",
      "--yes",
      `--package=${LIGHTHOUSE}`,
      "--",
      "lighthouse",
      url,
      "--quiet",
      "--output=json",
      "--output-path=stdout",
      `--only-categories=${CATEGORIES.join(",")}`,
      `--chrome-flags=${flags}`,
      `--extra-headers=${JSON.stringify(cookie === "" ? {} : { Cookie: cookie })}`,
    ],
    {
      env: { ...process.env, CHROME_PATH: findBrowser(process.env, console.log) },
      maxBuffer: REPORT_MAX_BYTES,
    },
  );
  return JSON.parse(stdout);
}

function tell(name: string, { categories, audits }: Report): void {
  const requests = audits["network-requests"]?.details?.items ?? [];
  const bytes = requests.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  const scores = CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100));
  console.log(`${name.padEnd(8)}${scores.join(" / ")}  ${requests.length} requests, ${bytes} bytes`);
  for (const [id, { score, title }] of Object.entries(audits))
    if (score !== null && score < 0.9) console.log(`        ${id}: ${title}`);
}

async function signIn(context: BrowserContext, { url, signInPath }: Product): Promise<string> {
  const page = await context.newPage();
  await page.goto(url + signInPath);
  await page.getByRole("button", { name: /Local administrator/ }).click();
  await page.waitForURL("**/dashboard");
  await page.request.post(`${url}/api/welcome/ack`);
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

const product = await startProduct();
const browser = await openBrowser();
try {
  const context = await browser.newContext({ locale: "en", serviceWorkers: "block" });
  const cookie = await signIn(context, product);
  const library = await fillLibrary(context, product.url);
  console.log(`${CATEGORIES.join(" / ")}`);
  for (const { name, path, stranger } of PAGES)
    tell(name, await measure(product.url + path(library), stranger ? "" : cookie));
} finally {
  await browser.close();
  await product.stop();
}
