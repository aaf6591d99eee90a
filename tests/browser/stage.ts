/** One product and one browser for every journey of a run, people for each file of journeys, and a fresh visitor for each journey. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connection, connectMongo } from "#db/client.ts";
import { leaveBehind, serverAddress } from "#tests/support/databases/server-address.ts";
import { FormVisitor } from "#tests/support/forms/form-page.ts";
import type { WebDownload, WebElements, WebPage } from "#tests/support/forms/web-page.ts";
import { openLine } from "#tests/support/product/line.ts";
import { type SharedProduct, stagePeople } from "#tests/support/product/shared-product.ts";
import { signed } from "#tests/support/sign-in/widget-login.ts";
import { itDrawn, type itInFullRun } from "#tests/support/test-runs/full-run.ts";

export type JavaScript = "on" | "off";
export type Person = keyof ReturnType<typeof stagePeople>;

export type Visit = {
  page: Page;
  javaScript: JavaScript;
  /** An unexpected error in the console fails the journey. */
  expectError(pattern: RegExp): void;
  /** For `cuttable` journeys. The browser also goes offline, but some of its requests ignore that. */
  network: { cut(): Promise<void>; hold(): void; mend(): Promise<void> };
};

/** `drawn` is the page if a browser lays it out. */
export type FormVisit = Pick<Visit, "javaScript" | "expectError"> & {
  page: WebPage;
  drawn: Page | null;
  /** Another person, in a browser of their own. */
  another(): Promise<WebPage>;
};

const START_MS = 180_000;
let product: SharedProduct;
let browser: Browser | undefined;
let people: Record<Person, string>;

/** Call it once in each file of journeys, with a number of its own. The people of number 0 can sign in locally. */
export function setStage(fileNumber: number, { needsBrowser = true } = {}): void {
  beforeAll(async () => {
    product = JSON.parse(await serverAddress("product"));
    if (needsBrowser) browser = await chromium.connect(await serverAddress("browser"));
    people = stagePeople(fileNumber);
    for (const person of Object.keys(people) as Person[]) await getPastWelcome(person);
  }, START_MS);
  afterAll(async () => {
    await leaveBehind({ sent: sent.splice(0), secrets: [...secrets] } satisfies LeftBehind);
    await browser?.close();
  });
}

/** Dismisses the welcome; only the journey about it begins with a new person. */
async function getPastWelcome(person: Person): Promise<void> {
  const page = await new FormVisitor(product.url, { onSent() {}, onError() {}, onPage() {} }).newPage();
  await signIn(page, person);
  await page.request.post("/api/welcome/ack");
}

type SentForm = { type: string; body: string | null };
const sent: SentForm[] = [];
const secrets = new Set<string>();

/** The bodies of all requests that a file's journeys sent, and the cookies, tokens and addresses that give access. */
export type LeftBehind = { sent: SentForm[]; secrets: string[] };
export const signInCode = (): string => new URL(product.signInPath, product.url).searchParams.get("code")!;

const SETTINGS = /\/settings\//;
const SHOWN_ONCE = /cs_[\w-]{43}|(?<=\/feeds\/)[\w-]{20,}/g;
// Cookies that give access are longer than cookies that store a choice.
const SECRET_COOKIE_MIN = 24;

/** Records what a visitor types and which secrets they receive, for the search after all journeys. */
function remember(context: BrowserContext): void {
  context.on("request", (request) => {
    if (request.method() === "GET") return;
    sent.push({ type: request.headers()["content-type"] ?? "", body: request.postData() });
  });
  context.on("response", (response) => {
    if (!response.request().isNavigationRequest() || !SETTINGS.test(response.url())) return;
    // The person left the page before its response arrived.
    response.text().then(rememberSecrets, () => {});
  });
}

function rememberSecrets(html: string): void {
  for (const [secret] of html.matchAll(SHOWN_ONCE)) secrets.add(secret);
}

async function rememberCookies(context: Pick<BrowserContext, "cookies"> | FormVisitor): Promise<void> {
  for (const { value } of await context.cookies()) if (value.length >= SECRET_COOKIE_MIN) secrets.add(value);
}

export function productUrl(): string {
  return product.url;
}

/** Opens the shared product's store, for states that no page can produce. */
export async function withStore(work: (mongo: Connection) => Promise<void>): Promise<void> {
  const mongo = await connectMongo(product.storeUri, { appName: "codeshelf-journey" });
  try {
    await work(mongo);
  } finally {
    await mongo.close();
  }
}

const ACTION_MS = 20_000;

/** `cuttable`: over its own connection, which can be cut. */
export type JourneyOptions = BrowserContextOptions & {
  javaScript?: JavaScript;
  timeoutMs?: number;
  cuttable?: boolean;
};
export type Walk = (visit: Visit) => Promise<void>;

/** A detail of what JavaScript adds runs for one commit in so many. */
const DETAIL_ONE_IN = 5;
/** A journey that every run walks by forms runs in a browser for one commit in so many. */
const FORM_ONE_IN = 10;

export function journey(
  claim: string,
  walk: Walk,
  { javaScript = "on", timeoutMs, cuttable, ...options }: JourneyOptions = {},
  take: typeof itInFullRun = it,
): void {
  take(claim, { timeout: timeoutMs }, async () => {
    const line = cuttable ? await openLine(product.url) : null;
    const context = await browser!.newContext({
      baseURL: line?.url ?? product.url,
      locale: "en",
      viewport: { width: 1280, height: 800 },
      // Only journeys about the service worker meet it.
      serviceWorkers: "block",
      // Animations cost the most processor time; only one journey has them.
      reducedMotion: "reduce",
      javaScriptEnabled: javaScript === "on",
      ...options,
    });
    context.setDefaultTimeout(ACTION_MS);
    remember(context);
    const { errors, expected, expectNoMore } = watchErrors();
    // Chromium reports a cancelled view transition as an error of the page, even without JavaScript, and no page can prevent it. Such a
    // report names no line of a script.
    const isGivenUpTransition = ({ stack = "" }: Error) =>
      options.reducedMotion === "no-preference" && !/^\s+at /m.test(stack);
    context.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    context.on("weberror", (report) => {
      const error = report.error();
      if (!isGivenUpTransition(error)) errors.push(error.message);
    });
    const network = {
      async cut() {
        line!.cut();
        await context.setOffline(true);
      },
      hold: () => line!.hold(),
      async mend() {
        line!.mend();
        await context.setOffline(false);
      },
    };
    try {
      const page = await context.newPage();
      await walk({ page, javaScript, expectError: (pattern) => expected.push(pattern), network });
      expectNoMore();
    } finally {
      await rememberCookies(context);
      await context.close();
      line?.close();
    }
  });
}

export const detailJourney = (claim: string, walk: Walk, options?: JourneyOptions) =>
  journey(claim, walk, options, itDrawn(claim, DETAIL_ONE_IN));

function watchErrors() {
  const expected: RegExp[] = [];
  const errors: string[] = [];
  const expectNoMore = () => {
    const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
    expect(unexpected, "errors in the console").toEqual([]);
  };
  return { errors, expected, expectNoMore };
}

/** A claim about links and forms. It runs without JavaScript every time; main and drawn journeys also run in a browser. */
export function formJourney(
  claim: string,
  javaScript: JavaScript,
  walk: (visit: FormVisit) => Promise<void>,
  { isMain = false, ...options }: Omit<JourneyOptions, "cuttable" | "javaScript"> & { isMain?: boolean } = {},
): void {
  if (javaScript === "off") {
    it(claim, { timeout: options.timeoutMs }, () => walkByForms(walk));
    return;
  }
  const walkInBrowser = async (visit: Visit) => {
    const others: BrowserContext[] = [];
    const another = async () => {
      const context = await browser!.newContext({ baseURL: product.url, locale: "en" });
      context.setDefaultTimeout(ACTION_MS);
      others.push(context);
      return context.newPage();
    };
    await walk({ ...visit, drawn: visit.page, another });
    for (const context of others) await context.close();
  };
  journey(claim, walkInBrowser, options, isMain ? it : itDrawn(claim, FORM_ONE_IN));
}

async function walkByForms(walk: (visit: FormVisit) => Promise<void>): Promise<void> {
  const { errors, expected, expectNoMore } = watchErrors();
  const visitors: FormVisitor[] = [];
  const openVisitor = (onError: (error: string) => void) => {
    const visitor = new FormVisitor(product.url, {
      onSent: (type, body) => sent.push({ type, body }),
      onError,
      onPage: (url, html) => SETTINGS.test(url) && rememberSecrets(html),
    });
    visitors.push(visitor);
    return visitor.newPage();
  };
  const page = await openVisitor((error) => errors.push(error));
  const another = () => openVisitor(() => {});
  const expectError = (pattern: RegExp) => expected.push(pattern);
  await walk({ page, drawn: null, javaScript: "off", expectError, another });
  for (const visitor of visitors) await rememberCookies(visitor);
  expectNoMore();
}

/** Signs in as a person of a local product without the login page, and opens a page if given. */
export async function signIn(page: WebPage, person: Person, next?: string): Promise<void> {
  await signInAs(page, people[person], person);
  if (next) await page.goto(next);
}

/** Signs in as any person, new or not, as the widget of the product's own bot would. */
export async function signInAs(page: WebPage, id: string, first_name: string, site = ""): Promise<void> {
  const token = readFileSync(join(product.dataDir, "secrets", "messenger-bot-token"), "utf8");
  const data = signed({ id, first_name, auth_date: Math.floor(Date.now() / 1000) }, token);
  const answer = await page.request.post(`${site}/auth/messenger`, { data });
  expect(answer.status()).toBe(200);
}

export async function addCookies(page: Page, cookies: Record<string, string>): Promise<void> {
  const url = product.url;
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}

export function openMenu(page: WebPage, name: string): Promise<void> {
  return page.locator("summary", { hasText: name }).click();
}

/** Replaces the text of the code field; with JavaScript it is an editor. */
export async function fillCode(page: Page | WebPage, javaScript: JavaScript, text: string): Promise<void> {
  if (javaScript === "off") return fieldForCode(page).fill(text);
  const editor = (page as Page).locator(".cm-content");
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const fieldForCode = (page: WebPage): WebElements => page.locator("textarea[name=text]:not([readonly])");

/** Reads the text that the form would send for the code field. */
export async function codeIn(page: WebPage, javaScript: JavaScript): Promise<string> {
  const area = fieldForCode(page);
  if (javaScript === "off") return area.inputValue();
  await page.locator(".cm-content").waitFor();
  return area.evaluate((element: HTMLTextAreaElement) => `${new FormData(element.form!).get("text")}`);
}

type TextFile = { name: string; text: string };

export async function upload(page: WebPage, ...files: TextFile[]): Promise<void> {
  await page.goto("/upload");
  await page
    .getByLabel("Upload files")
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname !== "/upload");
}

/** Saves files by API, each further text as a new version, and shows the file or the list. */
export async function saveFiles(page: WebPage, ...files: TextFile[]): Promise<string> {
  let id = "";
  for (const { name, text } of files) {
    const answer = await page.request.put(`/api/files/${encodeURIComponent(name)}`, { data: text });
    id = (await answer.json()).file_id;
    expect(answer.ok(), `${name} is saved`).toBe(true);
  }
  await page.goto(files.length === 1 ? `/file/${id}` : "/files");
  return id;
}

/** The browser is another process, so the download is read through it. */
export async function readDownload(download: WebDownload): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

export const openFileMenu = (page: WebPage) => page.locator(".file-strip > .menu > summary").click();
