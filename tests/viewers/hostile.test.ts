import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerForeign } from "#app/viewers/foreign-answer.ts";
import { render } from "#app/viewers/render.ts";
import type { RenderTask } from "#app/viewers/render-task.ts";
import { createContentPolicy } from "#app/web/door/content-policy.ts";
import { createShare } from "#db/shares/shares.server.ts";
import { openBrowser } from "#tests/support/product/browser.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { MARKDOWN_WORDS } from "#tests/viewers/markdown-words.ts";
import { PAYLOADS, type Payload } from "./hostile-payloads.ts";
import { findFaults, type Markup } from "./inert.ts";
import { type Opening, whatThey } from "./watched-browser.ts";

const ALL_MS = 240_000;

const web = await openTestWeb();
const reader = await web.person();
const options = {
  origin: web.url,
  // The requests of our own pages: their parts, the bell, and once the device's time zone.
  expected:
    /^\/(html|raw_svg|assets)\/|^\/share\/[^/]+\/(html|svg)$|^\/(icon\.svg|manifest\.webmanifest|favicon\.ico|preferences|api\/sticky-notes\/reminders\/summary)$/,
  cookies: reader.cookies,
};
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

/** The first text of each kind, and every n-th after it. */
const everyNth = (n: number) => PAYLOADS.filter(({ name }) => (Number(/\d+$/.exec(name)) - 1) % n === 0);
const some = (layer: string, payloads: readonly Payload[] = everyNth(8)) => drawCases(layer, payloads, 8);

async function guilty<Text extends Payload>(
  payloads: readonly Text[],
  opening: (text: Text) => Promise<Opening>,
) {
  return whatThey(browser, options, await Promise.all(payloads.map(opening)));
}

async function saved({ name, text }: Payload, extension: string): Promise<string> {
  // A text with a zero byte cannot be saved.
  const { id } = await web.given.file(reader.id, `${name}.${extension}`, text.replaceAll("\0", ""));
  return id;
}

async function shared(fileId: string): Promise<string> {
  const wish = { mode: "full", days: 1, lines: null, maxViews: null, password: null } as const;
  const { id } = orThrow(await createShare(web.db, reader.id, fileId, wish, NOON));
  return `/share/${id}`;
}

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const SVG = { "Content-Type": "image/svg+xml; charset=utf-8" };

const bare = ({ name }: Payload, body: string, headers: Record<string, string>): Opening => ({
  name,
  document: { body, headers },
});

const makeHeaders = (type: "text/html" | "image/svg+xml") =>
  Object.fromEntries(answerForeign("", type).headers);
const ran = (line: string) => line.includes(": ran");
const leftSite = (line: string) => line.includes("asked https://evil.test");

describe("hostile texts", () => {
  it(
    "are many, all different, and do harm if nothing stops them",
    async () => {
      expect(new Set(PAYLOADS.map(({ text }) => text)).size).toBe(PAYLOADS.length);
      expect(PAYLOADS.length).toBeGreaterThanOrEqual(150);
      // The first ones are scripts, which certainly run.
      const opened = isFullRun ? PAYLOADS : PAYLOADS.slice(0, 30);
      const shown = await guilty(opened, async (payload) => bare(payload, payload.text, HTML));
      expect(shown.filter(ran).length).toBeGreaterThan(isFullRun ? 50 : 2);
      expect(shown.filter(leftSite).length).toBeGreaterThan(isFullRun ? 40 : 2);
      // The same judge checks the sanitiser's output below.
      const guiltyOnes = opened.filter(({ name }) => shown.some((line) => line.startsWith(`${name}: `)));
      expect(guiltyOnes.filter(({ text }) => findFaults(text, "html").length === 0)).toEqual([]);
      const drawings = PAYLOADS.filter(({ name }) => name.startsWith("drawing"));
      const drawn = await guilty(drawings, async (payload) => bare(payload, payload.text, SVG));
      expect(drawn.filter(ran).length).toBeGreaterThan(3);
      expect(drawn.filter(leftSite).length).toBeGreaterThan(3);
    },
    ALL_MS,
  );

  /**
   * `oneIn` so many texts are opened there: the sanitiser's answer to each is judged below, so a view proves that it takes that answer and
   * sends its headers. Fewer are opened in views that others only frame, or that strangers see as well.
   */
  const VIEWS: [
    view: string,
    extension: string,
    path: (id: string) => string | Promise<string>,
    oneIn: number,
  ][] = [
    ["the HTML view itself", "html", (id) => `/html/${id}`, 5],
    ["the page that frames the HTML view", "html", (id) => `/file/${id}?view=preview`, 15],
    ["the Markdown page", "md", (id) => `/md/${id}`, 15],
    ["the picture itself", "svg", (id) => `/raw_svg/${id}`, 5],
    ["the page that shows the picture", "svg", (id) => `/svg/${id}`, 15],
    ["the table", "csv", (id) => `/file/${id}?view=preview`, 15],
    ["the JSON preview", "json", (id) => `/file/${id}?view=preview`, 15],
    ["a shared page of Markdown", "md", async (id) => `${await shared(id)}?view=md`, 15],
    ["a shared page of HTML", "html", async (id) => `${await shared(id)}/html`, 40],
    ["the page that frames a shared page", "html", async (id) => `${await shared(id)}?view=html`, 40],
    ["a shared picture", "svg", async (id) => `${await shared(id)}/svg`, 40],
    ["the page that shows a shared picture", "svg", async (id) => `${await shared(id)}?view=svg`, 40],
    ["a shared source", "html", shared, 15],
    ["a shared raw text", "html", async (id) => `${await shared(id)}/raw`, 15],
  ];

  it(
    "run on request, and reach neither the network nor the page around them",
    async () => {
      const scripts = PAYLOADS.filter(({ text }) => text.startsWith("<script>")).slice(0, 2);
      const done = await guilty([...drawCases("running", everyNth(40), 2), ...scripts], async (payload) => ({
        name: payload.name,
        path: `/file/${await saved(payload, "html")}?view=preview&scripts=on`,
      }));
      expect(done.filter(ran).length).toBeGreaterThan(0);
      expect(done.filter((line) => !ran(line))).toEqual([]);

      const attempts = [
        ...["document.cookie", "localStorage.length", "parent.document.title", "top.location.href"],
        ...["String(window.origin)", "await fetch('/api/files')", "await fetch(location.href)"],
        "String(window.open('/files'))",
        "await new Promise((done, fail) => { const w = new Worker('data:text/javascript,postMessage(1)'); w.onmessage = done; w.onerror = () => fail(new Error('closed')) })",
        "await new Promise((done, fail) => { const s = new WebSocket('wss://evil.test'); s.onopen = done; s.onerror = () => fail(new Error('closed')) })",
      ];
      const tries = attempts.map((code) => `async () => ${code}`).join(", ");
      const text = `<pre></pre><script>(async () => {
        const told = [];
        for (const attempt of [${tries}])
          await attempt().then((value) => told.push(String(value)), (error) => told.push(String(error)));
        document.querySelector("pre").textContent = JSON.stringify(told);
      })()</script>`;
      const id = await saved({ name: "reaching", text }, "html");
      const context = await browser.newContext();
      await context.addCookies([...reader.cookies].map(([name, value]) => ({ name, value, url: web.url })));
      const page = await context.newPage();
      await page.goto(`${web.url}/file/${id}?view=preview&scripts=on`);
      const outcomes = await page.frameLocator("iframe").locator("pre:not(:empty)").textContent();
      await context.close();
      const [cookie, stored, parent, top, origin, ...network] = JSON.parse(outcomes ?? "[]");
      for (const refused of [cookie, stored, parent, top]) expect(refused).toMatch(/SecurityError/);
      expect(origin).toBe("null");
      expect(network).toHaveLength(5);
      for (const refused of network) expect(refused).toMatch(/Error|null/);
    },
    ALL_MS,
  );

  it(
    "run nothing and fetch nothing on any view",
    async () => {
      const opened = VIEWS.flatMap(([view, extension, path, oneIn]) =>
        drawCases(view, everyNth(oneIn), oneIn === 5 ? 8 : 2).map((payload) => ({
          name: `${payload.name} on ${view}`,
          text: payload.text,
          extension,
          path,
        })),
      );
      const done = await guilty(opened, async (payload) => ({
        name: payload.name,
        path: await payload.path(await saved(payload, payload.extension)),
      }));
      expect(done).toEqual([]);
    },
    3 * ALL_MS,
  );
});

describe("each layer alone", () => {
  const TASKS: [Markup, task: (body: string) => RenderTask, headers: Record<string, string>][] = [
    ["html", (body) => ({ kind: "html", body }), HTML],
    ["svg", (body) => ({ kind: "svg", body }), SVG],
    ["markdown", (body) => ({ kind: "markdown", body, words: MARKDOWN_WORDS, files: {} }), HTML],
  ];
  /** A text on which the sanitiser throws is shown nowhere. */
  const sanitised = async (task: RenderTask) => {
    const rendered = await render(task).catch(() => ({ ok: false as const }));
    return rendered.ok ? rendered.html : null;
  };

  it.each(TASKS)(
    "the sanitiser leaves nothing in %s but elements, attributes and addresses that do nothing",
    async (markup, task) => {
      const faults: string[] = [];
      let shown = 0;
      for (const { name, text } of PAYLOADS) {
        const clean = await sanitised(task(text));
        if (clean === null) continue;
        shown += 1;
        faults.push(...findFaults(clean, markup).map((fault) => `${name}: ${fault}`));
      }
      expect(faults).toEqual([]);
      expect(shown).toBeGreaterThan(markup === "svg" ? 20 : PAYLOADS.length - 1);
    },
    ALL_MS,
  );

  it.each(TASKS)(
    "the sanitiser, with no header, leaves nothing in %s that runs or fetches",
    async (markup, task, headers) => {
      const opened = some(markup, markup === "svg" ? everyNth(3) : PAYLOADS);
      const done = await guilty(opened, async (payload) =>
        bare(payload, (await sanitised(task(payload.text))) ?? "", headers),
      );
      expect(done).toEqual([]);
    },
    ALL_MS,
  );

  it.each(["text/html", "image/svg+xml"] as const)(
    "the header of a foreign document, with nothing sanitised, lets nothing of %s run or fetch",
    async (type) => {
      const opened = some(type);
      const done = await guilty(opened, async (payload) => bare(payload, payload.text, makeHeaders(type)));
      expect(done).toEqual([]);
    },
    ALL_MS,
  );

  it(
    "the policy of our own pages, with nothing sanitised, lets nothing run",
    async () => {
      const policy = createContentPolicy({ nonce: "unguessed", widget: false });
      const framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
      const done = await guilty(some("policy"), async (payload) =>
        bare(payload, payload.text, { ...HTML, "Content-Security-Policy": framed }),
      );
      expect(done.filter(ran)).toEqual([]);
    },
    ALL_MS,
  );
});
