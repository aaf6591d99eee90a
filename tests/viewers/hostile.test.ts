import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentPolicy } from "#app/http/door/content-policy.ts";
import { foreignAnswer } from "#app/viewers/foreign-answer.ts";
import type { RenderTask } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { createShare } from "#db/shares/shares.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { openBrowser } from "#tests/support/product/browser.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { MARKDOWN_WORDS } from "#tests/viewers/markdown-words.ts";
import { PAYLOADS, type Payload } from "./hostile-payloads.ts";
import { type Opening, whatThey } from "./watched-browser.ts";

const READER = "40";
const ALL_MS = 240_000;

const web = await openTestWeb({ RATE_LIMIT_REQUESTS_PER_MINUTE: "100000" });
const reader = await web.visitor().logIn(READER);
const threads = createThreadPool();
const options = {
  origin: web.url,
  // What a page of ours asks for by itself: its parts, the bell, and once the zone of the device.
  expected:
    /^\/(html|raw_svg|assets)\/|^\/share\/[^/]+\/(html|svg)$|^\/(icon\.svg|manifest\.webmanifest|favicon\.ico|preferences|api\/sticky-notes\/reminders\/summary)$/,
  cookies: reader.cookies,
};
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await threads.close();
});

/** Every third: a sample with some of each kind. */
const SAMPLE = PAYLOADS.filter((_, i) => i % 3 === 0);

// What a share shows is made as the views above are made, and is opened with a few.
const CHOSEN = {
  all: PAYLOADS,
  few: PAYLOADS.filter((_, i) => i % 15 === 0),
  handful: PAYLOADS.filter((_, i) => i % 40 === 0),
};

async function guilty(payloads: readonly Payload[], opening: (payload: Payload) => Promise<Opening>) {
  return whatThey(browser, options, await Promise.all(payloads.map(opening)));
}

async function saved({ name, text }: Payload, extension: string): Promise<string> {
  // A text with a zero in it is not kept at all.
  const body = text.replaceAll("\0", "");
  const file = await saveFile(web.db, READER, { file_name: `${name}.${extension}`, body }, NOON);
  if (isRefusal(file)) throw new Error(`${name} was not kept: ${file.refused}`);
  return file.file.id;
}

/** What strangers see of it: the same page, whoever looks. */
async function shared(fileId: string): Promise<string> {
  const wish = { mode: "full", days: 1, lines: null, maxViews: null, password: null } as const;
  const share = await createShare(web.db, READER, fileId, wish, NOON);
  if (isRefusal(share)) throw new Error(`${fileId} was not shared: ${share.refused}`);
  return `/share/${share.id}`;
}

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const SVG = { "Content-Type": "image/svg+xml; charset=utf-8" };

const bare = ({ name }: Payload, body: string, headers: Record<string, string>): Opening => ({
  name,
  document: { body, headers },
});

const headersOf = (type: "text/html" | "image/svg+xml") =>
  Object.fromEntries(foreignAnswer("", type).headers);
const ran = (line: string) => line.includes(": ran");
const left = (line: string) => line.includes("asked https://evil.test");

describe("hostile texts", () => {
  it(
    "are many, all different, and do what they are feared for where nothing stops them",
    async () => {
      expect(new Set(PAYLOADS.map(({ text }) => text)).size).toBe(PAYLOADS.length);
      expect(PAYLOADS.length).toBeGreaterThanOrEqual(150);
      const shown = await guilty(PAYLOADS, async (payload) => bare(payload, payload.text, HTML));
      expect(shown.filter(ran).length).toBeGreaterThan(50);
      expect(shown.filter(left).length).toBeGreaterThan(40);
      const drawings = PAYLOADS.filter(({ name }) => name.startsWith("drawing"));
      const drawn = await guilty(drawings, async (payload) => bare(payload, payload.text, SVG));
      expect(drawn.filter(ran).length).toBeGreaterThan(3);
      expect(drawn.filter(left).length).toBeGreaterThan(3);
    },
    ALL_MS,
  );

  // A page that only frames what is opened by itself here or below, or only writes text, is opened with a few.
  const VIEWS: [
    view: string,
    extension: string,
    path: (id: string) => string | Promise<string>,
    which: keyof typeof CHOSEN,
  ][] = [
    ["the HTML view itself", "html", (id) => `/html/${id}`, "all"],
    ["the page that frames the HTML view", "html", (id) => `/file/${id}?view=preview`, "few"],
    ["the Markdown page", "md", (id) => `/md/${id}`, "few"],
    ["the picture itself", "svg", (id) => `/raw_svg/${id}`, "all"],
    ["the page that shows the picture", "svg", (id) => `/svg/${id}`, "few"],
    ["the table", "csv", (id) => `/file/${id}?view=preview`, "few"],
    ["the JSON preview", "json", (id) => `/file/${id}?view=preview`, "few"],
    ["a shared page of Markdown", "md", async (id) => `${await shared(id)}?view=md`, "few"],
    ["a shared page of HTML", "html", async (id) => `${await shared(id)}/html`, "handful"],
    ["the page that frames a shared page", "html", async (id) => `${await shared(id)}?view=html`, "handful"],
    ["a shared picture", "svg", async (id) => `${await shared(id)}/svg`, "handful"],
    ["the page that shows a shared picture", "svg", async (id) => `${await shared(id)}?view=svg`, "handful"],
    ["a shared source", "html", shared, "few"],
    ["a shared raw text", "html", async (id) => `${await shared(id)}/raw`, "few"],
  ];

  it(
    "run where that is asked for, and reach neither the network nor the page around them",
    async () => {
      const scripts = PAYLOADS.filter(({ text }) => text.startsWith("<script>")).slice(0, 2);
      const found = await guilty([...CHOSEN.handful, ...scripts], async (payload) => ({
        name: payload.name,
        path: `/file/${await saved(payload, "html")}?view=preview&scripts=on`,
      }));
      expect(found.filter(ran).length).toBeGreaterThan(0);
      expect(found.filter((line) => !ran(line))).toEqual([]);

      const attempts = [
        "document.cookie",
        "localStorage.length",
        "parent.document.title",
        "top.location.href",
        "String(window.origin)",
        "await fetch('/api/files')",
        "await fetch(location.href)",
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
      const told = await page.frameLocator("iframe").locator("pre:not(:empty)").textContent();
      await context.close();
      const [cookie, stored, parent, top, origin, ...network] = JSON.parse(told ?? "[]");
      for (const refused of [cookie, stored, parent, top]) expect(refused).toMatch(/SecurityError/);
      expect(origin).toBe("null");
      expect(network).toHaveLength(5);
      for (const refused of network) expect(refused).toMatch(/Error|null/);
    },
    ALL_MS,
  );

  it.each(VIEWS)(
    "run nothing and fetch nothing on %s",
    async (_, extension, path, which) => {
      const found = await guilty(CHOSEN[which], async (payload) => ({
        name: payload.name,
        path: await path(await saved(payload, extension)),
      }));
      expect(found).toEqual([]);
    },
    ALL_MS,
  );
});

describe("each layer alone", () => {
  const TASKS: [
    kind: string,
    task: (body: string) => RenderTask,
    headers: Record<string, string>,
    payloads: readonly Payload[],
  ][] = [
    ["HTML", (body) => ({ kind: "html", body }), HTML, SAMPLE],
    ["a drawing", (body) => ({ kind: "svg", body }), SVG, SAMPLE],
    ["Markdown", (body) => ({ kind: "markdown", body, words: MARKDOWN_WORDS, files: {} }), HTML, PAYLOADS],
  ];

  it.each(TASKS)(
    "the sanitiser, with no header, leaves nothing in %s that runs or fetches",
    async (_, task, headers, payloads) => {
      const found = await guilty(payloads, async (payload) => {
        const rendered = await render(threads, "owner", task(payload.text));
        return bare(payload, rendered.ok ? rendered.html : "", headers);
      });
      expect(found).toEqual([]);
    },
    ALL_MS,
  );

  it.each(["text/html", "image/svg+xml"] as const)(
    "the header of a foreign document, with nothing sanitised, lets nothing of %s run or fetch",
    async (type) => {
      const found = await guilty(SAMPLE, async (payload) => bare(payload, payload.text, headersOf(type)));
      expect(found).toEqual([]);
    },
    ALL_MS,
  );

  it(
    "the policy of our own pages, with nothing sanitised, lets nothing run",
    async () => {
      const policy = contentPolicy({ nonce: "unguessed", widget: false, development: false });
      const framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
      const found = await guilty(SAMPLE, async (payload) =>
        bare(payload, payload.text, { ...HTML, "Content-Security-Policy": framed }),
      );
      expect(found.filter(ran)).toEqual([]);
    },
    ALL_MS,
  );
});
