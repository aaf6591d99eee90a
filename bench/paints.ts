/**
 * The milliseconds from a click on a link to the first paint of the next page: of a file and of the list, with pages fetched early and
 * without, beside a page of one line.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "playwright";
import type { Figure } from "./figures.ts";
import { toTiming } from "./measure.ts";
import { quick } from "./options.ts";

const FILES = 5;
const NAVIGATIONS = quick ? 3 : 15;
/** How long a hand rests on a link before it presses, and how long it presses. */
const REST_MS = 300;
const PRESS_MS = 80;

type OpenPage = () => Promise<Page>;

/** Takes the rules for early pages out of each page as it is read, so that everything else stays the same. */
const withoutRules = () => {
  new MutationObserver(() => {
    for (const rules of document.querySelectorAll("script[type=speculationrules]")) rules.remove();
  }).observe(document, { childList: true, subtree: true });
};

const rememberClicks = () =>
  document.addEventListener(
    "click",
    ({ timeStamp }) => sessionStorage.setItem("clicked-at", String(performance.timeOrigin + timeStamp)),
    { capture: true },
  );

/** The milliseconds from the click to the first paint with content, and whether the page was there before it. */
async function readPaint(page: Page): Promise<{ ms: number; isEarly: boolean }> {
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const navigation = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming & {
      activationStart?: number;
      deliveryType?: string;
    };
    return {
      ms: performance.timeOrigin + Number(paint?.startTime) - Number(sessionStorage.getItem("clicked-at")),
      isEarly: Boolean(navigation.activationStart) || navigation.deliveryType === "navigational-prefetch",
    };
  });
}

type Paint = Awaited<ReturnType<typeof readPaint>> & { to: "file" | "list" };

async function openForPaint(openPage: OpenPage, isEarlyOn: boolean): Promise<Page> {
  const page = await openPage();
  await page.addInitScript(rememberClicks);
  if (!isEarlyOn) await page.addInitScript(withoutRules);
  await page.goto("/files", { waitUntil: "networkidle" });
  return page;
}

/** To a file of the list, and back to the list by the rail. */
async function goThereAndBack(page: Page, round: number): Promise<Paint[]> {
  const there = await follow(page, page.locator(".file-name").nth(round % FILES), "**/file/*");
  const list = page.getByRole("navigation").getByRole("link", { name: "All files" }).first();
  const back = await follow(page, list, "**/files");
  return [
    { ...there, to: "file" },
    { ...back, to: "list" },
  ];
}

async function follow(page: Page, target: Locator, address: string) {
  await target.hover();
  await page.waitForTimeout(REST_MS);
  await page.mouse.down();
  await page.waitForTimeout(PRESS_MS);
  await page.mouse.up();
  await page.waitForURL(address);
  return readPaint(page);
}

async function createFiles({ request }: Page): Promise<void> {
  for (let i = 0; i < FILES; i += 1) {
    const data = Array.from({ length: 40 }, (_, n) => `print("line", ${n})`).join("\n");
    await request.put(`/api/files/painted-${i}.py`, { data });
  }
}

type Plain = { page: Page; close(): void };

/** Two pages of one line each that lead to each other: what the browser itself takes. */
async function openPlainPages(openPage: OpenPage): Promise<Plain> {
  const server = createServer(({ url }, res) => {
    res.setHeader("Content-Type", "text/html");
    res.end(
      `<!doctype html><title>Plain</title><p><a href="${url === "/a" ? "/b" : "/a"}">The other page</a>`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const page = await openPage();
  await page.addInitScript(rememberClicks);
  await page.goto(`http://127.0.0.1:${port}/a`);
  return { page, close: () => server.close() };
}

/** In turns, so that whatever else the machine does slows all of them. */
export async function measurePaints(openPage: OpenPage): Promise<Figure[]> {
  await createFiles(await openPage());
  const [on, off] = [await openForPaint(openPage, true), await openForPaint(openPage, false)];
  const plain = await openPlainPages(openPage);
  const paints: Record<"on" | "off", Paint[]> = { on: [], off: [] };
  const plainMs: number[] = [];
  for (let round = 0; round < NAVIGATIONS; round++) {
    paints.off.push(...(await goThereAndBack(off, round)));
    paints.on.push(...(await goThereAndBack(on, round)));
    const other = round % 2 === 0 ? "**/b" : "**/a";
    plainMs.push((await follow(plain.page, plain.page.locator("a"), other)).ms);
  }
  plain.close();
  const baseline = toTiming(plainMs).p50;
  return (["file", "list"] as const).flatMap((to) => {
    const median = (some: Paint[]) =>
      toTiming(some.filter((paint) => paint.to === to).map(({ ms }) => ms)).p50;
    const early = paints.on.filter((paint) => paint.to === to && paint.isEarly).length;
    const what = `click to first paint of a ${to}`;
    console.log(`${what}: ${early} of ${NAVIGATIONS} were early`);
    const unit = "ms";
    return [
      { what: `${what}, beside a plain page`, ours: median(paints.on), unit, baseline },
      { what: `${what}, beside not early`, ours: median(paints.on), unit, baseline: median(paints.off) },
    ];
  });
}
