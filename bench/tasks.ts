/**
 * The usual tasks of a person in Chromium: how many clicks and keys each takes, apart from typed text, and how many seconds pass until its
 * result is on the screen, with JavaScript and without. Typing itself takes no time here. Then how long it takes from a click on a link
 * to the first paint of the next page.
 */
import { loadavg } from "node:os";
import type { Browser, BrowserContext, Page } from "playwright";
import { openBrowser } from "#tests/support/product/browser.ts";
import { type Product, startProduct } from "#tests/support/product/product.ts";
import type { Figure } from "./figures.ts";
import { Hands } from "./hands.ts";
import { toTiming } from "./measure.ts";
import { quick, words } from "./options.ts";
import { measurePaints } from "./paints.ts";

const ROUNDS = quick ? 1 : 5;
const RUN_MS = 60_000;
const CODE = Array.from({ length: 12 }, (_, i) => `print("line", ${i + 1})`).join("\n");
const FOLDER = "Moved here";

type Scripts = "on" | "off";
/** Where a task begins, what the hands do, and the fact on the screen that ends it. */
type Task = {
  name: string;
  from: (fileId: string) => string;
  act: (hands: Hands, scripts: Scripts, round: number) => Promise<void>;
};

const line = (page: Page, n: number) => page.locator(`#L${n} .line-number`);
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const onFile = (id: string) => `/file/${id}`;

/** Marks the lines 3 to 5; without JavaScript one line, and the form takes the other end. */
async function markLines(hands: Hands, scripts: Scripts): Promise<void> {
  await hands.click(line(hands.page, 3));
  if (scripts === "on") await hands.click(line(hands.page, 5), ["Shift"]);
}

const TASKS: readonly Task[] = [
  {
    name: "first file",
    from: () => "/files",
    act: async (hands, scripts, round) => {
      const { page } = hands;
      await hands.click(page.getByRole("banner").getByRole("link", { name: "New" }));
      await hands.type(page.getByLabel("File name"), `first-${scripts}-${round}.py`);
      await hands.type(page.locator(scripts === "on" ? ".cm-content" : "textarea[name=text]"), CODE);
      await hands.click(button(page, "Save"));
      await page.locator("#L12").waitFor();
    },
  },
  {
    name: "note on lines",
    from: onFile,
    act: async (hands, scripts, round) => {
      const { page } = hands;
      const words = `noted ${scripts} ${round}`;
      await markLines(hands, scripts);
      if (scripts === "on") await hands.click(button(page, "Note"));
      else {
        await hands.click(link(page, "Add note"));
        await hands.click(page.locator("[name=line_end]"));
        await hands.press("Control+a");
        await page.keyboard.insertText("5");
      }
      await hands.type(page.locator("textarea[name=content]"), words);
      if (scripts === "on") await hands.press("Escape");
      else await hands.click(button(page, "Save note"));
      await page.locator(".note", { hasText: words }).locator("[data-note-body]").waitFor();
    },
  },
  {
    name: "reminder",
    from: onFile,
    act: async (hands) => {
      const { page } = hands;
      await hands.click(page.locator(".note a[href^='/reminders/'].note-tool").first());
      await hands.click(page.locator("button.preset").first());
      await page.locator(".reminder-chip, .note-reminder .chip").first().waitFor();
    },
  },
  {
    name: "share lines",
    from: onFile,
    act: async (hands, scripts) => {
      const { page } = hands;
      await markLines(hands, scripts);
      await hands.click(link(page, scripts === "on" ? "Share lines" : "Share"));
      if (scripts === "off") {
        await hands.click(page.locator("[name=lines]"));
        await hands.press("End");
        await page.keyboard.insertText("-5");
      }
      await hands.click(button(page, "Create link"));
      await page
        .locator("[role=status] a[href*='/share/'], [role=status] [value*='/share/']")
        .first()
        .waitFor();
    },
  },
  {
    name: "run",
    from: onFile,
    act: async (hands, scripts) => {
      const { page } = hands;
      await hands.click(button(page, "Run"));
      const output = scripts === "on" ? "[data-run-dock]" : "[data-run-result]";
      await page.locator(output, { hasText: "line 12" }).waitFor({ timeout: RUN_MS });
    },
  },
  {
    name: "find and open",
    from: () => "/dashboard",
    act: async (hands, scripts) => {
      const { page } = hands;
      const box = page.getByRole("banner").locator("input[name=q]");
      if (scripts === "on") await hands.press("/");
      await hands.type(box, "sought");
      await hands.press("Enter");
      if (scripts === "off") await hands.click(link(page, "sought.py").first());
      await page.locator("#L12").waitFor();
    },
  },
  {
    name: "move to a folder",
    from: onFile,
    act: async (hands) => {
      const { page } = hands;
      await hands.click(page.locator("summary", { hasText: "Details" }));
      await hands.choose(page.locator("#file-folder"), FOLDER);
      await hands.click(button(page, "Save details"));
      await page.locator(".file-head").getByRole("link", { name: FOLDER }).waitFor();
    },
  },
];

type Done = { clicks: number; keys: number; seconds: number };

async function doTask(page: Page, task: Task, scripts: Scripts, round: number): Promise<Done> {
  // A file of its own, so that no round finds what another left.
  const name = task.name === "find and open" ? "sought" : `${task.name}-${scripts}-${round}`;
  const id = await putFile(page.context(), `${name.replaceAll(" ", "-")}.py`);
  if (task.name === "reminder")
    await page.request.post(`/api/sticky-notes/${id}`, { data: { content: "to remember" } });
  await page.goto(task.from(id), { waitUntil: "load" });
  const hands = new Hands(page);
  const started = performance.now();
  await task.act(hands, scripts, round);
  const { clicks, keys } = hands;
  return { clicks, keys, seconds: (performance.now() - started) / 1000 };
}

async function putFile({ request }: BrowserContext, name: string): Promise<string> {
  const answer = await request.put(`/api/files/${name}`, { data: CODE });
  return (await answer.json()).file_id;
}

async function signIn(browser: Browser, { url, signInPath }: Product): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, locale: "en" });
  const page = await context.newPage();
  await page.goto(signInPath);
  await page.getByRole("button", { name: /Local administrator/ }).click();
  await page.waitForURL("**/dashboard");
  await page.request.post("/api/welcome/ack");
  await page.request.post("/api/folders", { data: { name: FOLDER } });
  // The first program waits for a process to be made ready, which is not what is measured here.
  await page.request.post("/api/code/run", {
    data: { code: "print(1)", language: "python" },
    timeout: RUN_MS,
  });
  return context;
}

type Stand = { browser: Browser; product: Product; person: BrowserContext };

async function openAs({ browser, product, person }: Stand, scripts: Scripts): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    locale: "en",
    viewport: { width: 1280, height: 800 },
    javaScriptEnabled: scripts === "on",
    storageState: await person.storageState(),
  });
  return context.newPage();
}

async function measureTask(stand: Stand, task: Task): Promise<Figure[]> {
  const all: Record<Scripts, Done[]> = { on: [], off: [] };
  for (const scripts of ["on", "off"] as const) {
    const page = await openAs(stand, scripts);
    for (let round = 0; round < ROUNDS; round++) all[scripts].push(await doTask(page, task, scripts, round));
    await page.context().close();
  }
  const [ours, plain] = [summarise(all.on), summarise(all.off)];
  const row = (what: keyof Done, unit: string): Figure => ({
    what: `${task.name}: ${unit}`,
    ours: ours[what],
    unit,
    // Nothing pressed at all has no ratio.
    ...(plain[what] > 0 ? { baseline: plain[what] } : {}),
  });
  console.log(task.name.padEnd(18), JSON.stringify(ours), "without JavaScript", JSON.stringify(plain));
  return [row("clicks", "clicks"), row("keys", "keys"), row("seconds", "s")];
}

const summarise = (done: Done[]): Done => ({
  clicks: toTiming(done.map(({ clicks }) => clicks)).p50,
  keys: toTiming(done.map(({ keys }) => keys)).p50,
  seconds: Number(toTiming(done.map(({ seconds }) => seconds)).p50.toFixed(2)),
});

async function measureAll(stand: Stand): Promise<Figure[]> {
  const figures: Figure[] = [];
  const wanted = words("only") ?? ["tasks", "paints"];
  if (wanted.includes("tasks")) for (const task of TASKS) figures.push(...(await measureTask(stand, task)));
  if (wanted.includes("paints")) figures.push(...(await measurePaints(stand.product.url, stand.person)));
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  return figures;
}

export async function run(): Promise<Figure[]> {
  const unlimited = ["REQUESTS", "WRITES", "UPLOADS"].map((name) => [
    `RATE_LIMIT_${name}_PER_MINUTE`,
    "1000000",
  ]);
  const product = await startProduct({ variables: Object.fromEntries(unlimited) });
  const browser = await openBrowser();
  try {
    return await measureAll({ browser, product, person: await signIn(browser, product) });
  } finally {
    await browser.close();
    await product.stop();
  }
}
