/** Chromium that reports what a document does: scripts that ran, and requests that no page of ours would make. */
import type { Browser, Route } from "playwright";

type Document = { headers: Record<string, string>; body: string };

/** A document to open under a name: an address of the product, or a text of its own. */
export type Opening = { name: string; path: string } | { name: string; document: Document };

type WatchOptions = { origin: string; expected: RegExp; cookies: ReadonlyMap<string, string> };

const BATCH = 20;
/** A busy machine needs a while for this many pages at once. */
const BATCH_MS = 120_000;
const BARE = "http://bare.test";

/** Opens each in a frame of a page, many at once, and returns those that did something, with what they did. */
export async function whatThey(
  browser: Browser,
  options: WatchOptions,
  openings: readonly Opening[],
): Promise<string[]> {
  const done: string[] = [];
  for (let start = 0; start < openings.length; start += BATCH)
    done.push(...(await openBatch(browser, options, openings.slice(start, start + BATCH))));
  return [...new Set(done)].sort();
}

async function openBatch(browser: Browser, options: WatchOptions, openings: Opening[]): Promise<string[]> {
  const { origin, expected, cookies } = options;
  const context = await browser.newContext({ serviceWorkers: "block" });
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
  const done: string[] = [];
  const urls = openings.map((opening, i) => ("path" in opening ? origin + opening.path : `${BARE}/${i}`));
  const byUrl = new Map(urls.map((url, i) => [url, openings[i]]));
  const blame = (url: string) => byUrl.get(url)?.name ?? "one of them";
  const host = openings.some((opening) => "path" in opening) ? `${origin}/frames` : `${BARE}/frames`;

  await context.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    const opening = byUrl.get(url.href);
    if (url.href === host) return route.fulfill({ contentType: "text/html", body: buildFrames(urls) });
    if (opening && "document" in opening) return route.fulfill(opening.document);
    if (opening) return answerFramed(route);
    if (url.origin === origin && expected.test(url.pathname)) return route.continue();
    done.push(`${blame(route.request().frame().url())}: asked ${url.href}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("dialog", (dialog) => {
    done.push(`one of them: ran a dialog with ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on("console", (message) => {
    // The browser's own refusals are errors that quote the refused script.
    if (message.type() === "log" && message.text().includes("pwned"))
      done.push(`${blame(message.location().url)}: ran a message`);
  });
  context.on("page", () => done.push("one of them: opened a window"));
  await page
    .goto(host, { timeout: BATCH_MS })
    .catch((error: Error) => done.push(`one of them: ${error.message.split("\n")[0]}`));
  await context.close();
  return done;
}

const buildFrames = (urls: string[]) =>
  `<!DOCTYPE html>${urls.map((url) => `<iframe src="${url}" width="300" height="100"></iframe>`).join("")}`;

/** Returns the product's own answer, made frameable where it is not; nothing else in it changes. */
async function answerFramed(route: Route): Promise<void> {
  const response = await route.fetch();
  const { "x-frame-options": _, ...headers } = response.headers();
  const policy = headers["content-security-policy"]?.replace(
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
  );
  await route.fulfill({
    response,
    headers: policy ? { ...headers, "content-security-policy": policy } : headers,
  });
}
