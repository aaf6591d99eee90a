/**
 * The milliseconds from a click on a link to the first paint of the next page: of a file and of the list, with pages fetched early and
 * without, beside a page of one line.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright";
import { openPrerenderingTab, type PrerenderingTab } from "#tests/support/product/prerendering-tab.ts";
import type { Figure } from "./figures.ts";
import { toTiming } from "./measure.ts";
import { quick } from "./options.ts";

const FILES = 5;
const NAVIGATIONS = quick ? 3 : 15;
/** How long a hand rests on a link before it presses, and how long it presses. */
const HAND = { restMs: 300, pressMs: 80 };

/** Takes the rules for early pages out of each page as it is read, so that everything else stays the same. */
const WITHOUT_RULES = `new MutationObserver(() => {
  for (const rules of document.querySelectorAll("script[type=speculationrules]")) rules.remove();
}).observe(document, { childList: true, subtree: true })`;

const REMEMBER_CLICK = `document.addEventListener(
  "click",
  ({ timeStamp }) => sessionStorage.setItem("clicked-at", String(performance.timeOrigin + timeStamp)),
  { capture: true, once: true },
)`;

const HAS_PAINTED = `performance.getEntriesByName("first-contentful-paint").length > 0`;

/** The milliseconds from the click to the first paint with content, and whether the page was there before it. */
const READ_PAINT = `(() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const [{ activationStart, deliveryType }] = performance.getEntriesByType("navigation");
  return {
    ms: performance.timeOrigin + paint.startTime - Number(sessionStorage.getItem("clicked-at")),
    isEarly: activationStart > 0 || deliveryType === "navigational-prefetch",
  };
})()`;

type Paint = { ms: number; isEarly: boolean };
type PagePaint = Paint & { to: "file" | "list" };

const listFiles = (n: number) => `document.querySelectorAll(".file-name")[${n}]`;
const ALL_FILES = `[...document.querySelectorAll("nav a")].find(
  (link) => link.textContent.includes("All files") && link.getBoundingClientRect().width > 0,
)`;

/** To a file of the list, and back to the list by the rail. */
async function goThereAndBack(tab: PrerenderingTab, round: number): Promise<PagePaint[]> {
  const there = await follow(tab, listFiles(round % FILES), /^\/file\//);
  const back = await follow(tab, ALL_FILES, /^\/files$/);
  return [
    { ...there, to: "file" },
    { ...back, to: "list" },
  ];
}

async function follow(tab: PrerenderingTab, link: string, path: RegExp): Promise<Paint> {
  await tab.evaluate(REMEMBER_CLICK);
  await tab.click(link, HAND);
  await tab.waitUntil(`${path}.test(location.pathname) && ${HAS_PAINTED}`);
  return tab.evaluate(READ_PAINT);
}

async function createFiles({ request }: BrowserContext): Promise<void> {
  for (let i = 0; i < FILES; i += 1) {
    const data = Array.from({ length: 40 }, (_, n) => `print("line", ${n})`).join("\n");
    await request.put(`/api/files/painted-${i}.py`, { data });
  }
}

type Plain = { tab: PrerenderingTab; close(): Promise<void> };

/** Two pages of one line each that lead to each other: what the browser itself takes. */
async function openPlainPages(): Promise<Plain> {
  const server = createServer(({ url }, res) => {
    res.setHeader("Content-Type", "text/html");
    res.end(
      `<!doctype html><title>Plain</title><p><a href="${url === "/a" ? "/b" : "/a"}">The other page</a>`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const tab = await openPrerenderingTab();
  await tab.goto(`http://127.0.0.1:${port}/a`);
  const close = async () => {
    await tab.close();
    server.close();
  };
  return { tab, close };
}

async function openList(url: string, person: BrowserContext, script?: string): Promise<PrerenderingTab> {
  const cookies = (await person.cookies()).map(({ name, value }) => ({ name, value, url }));
  const tab = await openPrerenderingTab({ cookies, ...(script ? { script } : {}) });
  await tab.goto(`${url}/files`);
  return tab;
}

/** In turns, so that whatever else the machine does slows all of them. */
export async function measurePaints(url: string, person: BrowserContext): Promise<Figure[]> {
  await createFiles(person);
  const [on, off] = [await openList(url, person), await openList(url, person, WITHOUT_RULES)];
  const plain = await openPlainPages();
  const paints: Record<"on" | "off", PagePaint[]> = { on: [], off: [] };
  const plainMs: number[] = [];
  try {
    for (let round = 0; round < NAVIGATIONS; round++) {
      paints.off.push(...(await goThereAndBack(off, round)));
      paints.on.push(...(await goThereAndBack(on, round)));
      plainMs.push(
        (await follow(plain.tab, `document.querySelector("a")`, round % 2 === 0 ? /b$/ : /a$/)).ms,
      );
    }
  } finally {
    for (const open of [on, off, plain]) await open.close();
  }
  const baseline = toTiming(plainMs).p50;
  return (["file", "list"] as const).flatMap((to) => {
    const median = (some: PagePaint[]) =>
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
