/** The web process's own app over real databases, listening on a free port, and visitors that keep their cookies. */

import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { createRunsUnderWay } from "#app/code-runs/runs-under-way.ts";
import { createCodehost } from "#app/codehost/codehost.ts";
import { createExplainer } from "#app/explain/explainer.ts";
import { createApp } from "#app/main/app.ts";
import { watchAnnouncement } from "#app/web/answers/announcement-watch.ts";
import { loadOrWatchPages } from "#app/web/answers/open-pages.ts";
import { listen } from "#app/web/door/listen.ts";
import { createRateCounter } from "#app/web/door/rate-limit.ts";
import { watchVisitors } from "#app/web/door/visitors.ts";
import { checkReadiness } from "#app/web/health/readiness.ts";
import { createBearerLookup } from "#app/web/session/bearer.ts";
import { createOidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import { findActiveAnnouncement } from "#db/alerts/announcements.server.ts";
import type { Db } from "#db/client.ts";
import { createRequestTimings, type RequestTimings } from "#db/events/request-timings.server.ts";
import { createTextCache } from "#db/files/text-memory.ts";
import { openQueue, type Queue } from "#db/jobs/queue.server.ts";
import { createPreferredCache } from "#db/search/preferred-memory.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { type Env, readEnv } from "#platform/env/env.ts";
import { createLog, type Log } from "#platform/log.ts";
import { measureEventLoop } from "#platform/metrics/event-loop-lag.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { DATA_KEY } from "#tests/support/accounts/data-keys.ts";
import { expectDocumented } from "#tests/support/api/openapi.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { newPersonId } from "#tests/support/given.ts";
import { type Fields, signed as signedBy } from "#tests/support/sign-in/widget-login.ts";
import { openTestStore, type TestStore } from "#tests/support/store.ts";

export const BOT_TOKEN = `777777777:${"a".repeat(35)}`;
export const ADMIN_ID = "900";
export const UNLIMITED = "1000000";

export type TestWeb = TestStore & {
  url: string;
  env: Env;
  queue: Queue;
  databaseUrl: string;
  log: string[];
  /** The log's stream, for a worker in the process of the test. */
  shelfLog: Log;
  timings: RequestTimings;
  visitor(): Visitor;
  /** A signed-in person: a new one unless an id is given. */
  person(id?: string): Promise<Visitor>;
  /** A program with a new access token of this person. */
  script(id: string, scope?: TokenScope): Promise<Visitor>;
};

/** Shared by all webs of this process: a thread needs a second to load what renders a page. */
const sharedThreads = createThreadPool();

/**
 * These variables win over the defaults; an undefined variable is not set at all. With threads of its own, a web measures only its own
 * jobs.
 */
export async function openTestWeb(
  variables: Record<string, string | undefined> = {},
  { ownThreads = false } = {},
): Promise<TestWeb> {
  const store = await openTestStore();
  const databaseUrl = await createReleasedPostgres();
  const lines: string[] = [];
  const log = createLog({ process: "web", level: "debug", write: (line) => lines.push(line) });
  const queue = await openQueue({ databaseUrl, log });
  const env = readEnv("web", {
    MONGODB_URI: "mongodb://unused",
    DATABASE_URL: databaseUrl,
    MESSENGER_BOT_TOKEN: BOT_TOKEN,
    SESSION_SECRET: "a secret for tests alone",
    DATA_KEY,
    ADMIN_USER_IDS: ADMIN_ID,
    // A test's clock stands still, so a minute would never end.
    RATE_LIMIT_UPLOADS_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_REQUESTS_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_WRITES_PER_MINUTE: UNLIMITED,
    ...variables,
  });
  const { clock, mongo, metrics } = store;
  const eventLoop = measureEventLoop(metrics);
  const threads = ownThreads ? createThreadPool({ metrics, log }) : sharedThreads;
  const memories = { texts: createTextCache(), preferred: createPreferredCache() };
  const db: Db = { ...store.db, limits: env.storage, threads, ...memories };
  const timings = createRequestTimings({ collections: mongo.collections, log, clock });
  const explainer = createExplainer({ ...env.explain, threads, log, clock });
  const codehost = createCodehost({ ...env.codehost, log, timeoutMs: 1_000 });
  const announcement = watchAnnouncement(() => findActiveAnnouncement(db), clock);
  const services = {
    env,
    db,
    queue,
    threads,
    explainer,
    codehost,
    announcement,
    oidc: createOidcProvider(env.oidc, 2),
    bearers: createBearerLookup(db, clock),
    runsUnderWay: createRunsUnderWay(),
    rateCounter: createRateCounter(clock),
    visitors: watchVisitors(),
    log,
    metrics,
    timings,
    clock,
  };
  const readiness = () => checkReadiness({ mongo, db, queue, clock });
  const app = createApp({ services, ...(await loadOrWatchPages({ development: false })), readiness });
  const server = await listen(app, 0, "127.0.0.1");
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    eventLoop.close();
    await timings.close();
    if (ownThreads) await threads.close();
    explainer.close();
    codehost.close();
    await queue.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...store,
    db,
    url,
    env,
    queue,
    databaseUrl,
    log: lines,
    shelfLog: log,
    timings,
    visitor: () => new Visitor(url, clock),
    person: (id = newPersonId()) => new Visitor(url, clock).logIn(id),
    script: async (id, scope = "write") =>
      new Visitor(url, clock, (await store.given.token(id, scope)).secret),
  };
}

/** As the widget of our test bot would send it. */
export const signed = (fields: Fields, token = BOT_TOKEN) => signedBy(fields, token);

type Init = RequestInit & { html?: boolean };
const RAW_BODIES = [Uint8Array, URLSearchParams, FormData];

// biome-ignore lint/suspicious/noExplicitAny: answers are compared by matchers
type Answer = { status: number; body: any; headers: Headers };
type Page = { status: number; html: string; headers: Headers; location: string | null };

/** A refusal of the JSON API, for `toMatchObject`. */
export const refusal = (status: number, error: unknown, more: object = {}) => ({
  status,
  body: { error, ...more },
});

/** The values of a form: a field with a list is sent once for each of its values. */
export type FormValues = Record<string, string | File | readonly (string | File)[]>;

/** Encodes as a browser would: as multipart if a value is a file. */
export function toForm(values: FormValues): FormData | URLSearchParams {
  const fields = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, item] as [string, string | File]),
  );
  if (fields.every(([, value]) => typeof value === "string"))
    return new URLSearchParams(fields as [string, string][]);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const toPage = async (response: Response): Promise<Page> => ({
  status: response.status,
  html: await response.text(),
  headers: response.headers,
  location: response.headers.get("Location"),
});

/**
 * One browser: it follows no redirect by itself, keeps its cookies and sends them back. Answers of the JSON API are checked against its
 * document.
 */
export class Visitor {
  readonly cookies = new Map<string, string>();
  id = "";
  readonly #url: string;
  readonly #clock: () => Date;
  readonly #token: string;

  constructor(url: string, clock: () => Date, token = "") {
    this.#url = url;
    this.#clock = clock;
    this.#token = token;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Asks as a script does; with `html`, as a browser navigates. */
  async ask(path: string, { html, ...init }: Init = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (html) headers.set("Accept", "text/html,application/xhtml+xml");
    if (this.#token) headers.set("Authorization", `Bearer ${this.#token}`);
    if (this.cookies.size > 0) headers.set("Cookie", this.cookieHeader);
    // Compressing a page costs more than rendering some of them.
    if (!headers.has("Accept-Encoding")) headers.set("Accept-Encoding", "identity");
    const response = await fetch(this.#url + path, { redirect: "manual", ...init, headers });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    await expectDocumented(init.method ?? "GET", path, response);
    return response;
  }

  page(path: string, init: Init = {}): Promise<Response> {
    return this.ask(path, { ...init, html: true });
  }

  /** Sends JSON, a text or a form as a script does, and reads the answer. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isRaw =
      ["undefined", "string"].includes(typeof body) || RAW_BODIES.some((raw) => body instanceof raw);
    const text = isRaw ? (body as BodyInit | undefined) : JSON.stringify(body);
    const sent = { ...(isRaw ? {} : { "Content-Type": "application/json" }), ...headers };
    return this.#read(await this.ask(path, { method, body: text, headers: sent }));
  }

  async readJson(path: string): Promise<Answer["body"]> {
    return (await this.send("GET", path, undefined, { Accept: "application/json" })).body;
  }

  async #read(response: Response): Promise<Answer> {
    const isJson = response.headers.get("Content-Type")?.includes("json");
    const answer = isJson ? await response.json() : await response.text();
    return { status: response.status, body: answer, headers: response.headers };
  }

  /** Reads a page as a browser shows it. */
  async show(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return toPage(await this.page(path, { headers }));
  }

  /** The words of a page, or the text of a file. */
  async read(path: string): Promise<string> {
    return (await this.page(path)).text();
  }

  /** Saves a file under a name or at a path, again if it exists, and returns its id. */
  async saveFile(path: string, ...bodies: BodyInit[]): Promise<string> {
    const address = `/api/files/${path.split("/").map(encodeURIComponent).join("/")}`;
    let id = "";
    for (const body of bodies.length > 0 ? bodies : ["x\n"])
      id = (await (await this.ask(address, { method: "PUT", body })).json()).file_id;
    return id;
  }

  async addNote(fileId: string, fields: object = {}): Promise<Answer["body"]> {
    return (await this.send("POST", `/api/sticky-notes/${fileId}`, fields)).body.note;
  }

  submit(path: string, fields: FormValues | FormData): Promise<Response> {
    const body = fields instanceof FormData ? fields : toForm(fields);
    return this.page(path, { method: "POST", body, headers: { "Sec-Fetch-Site": "same-origin" } });
  }

  /** Sends a form as a browser does, and returns the answering page or redirect. */
  async press(path: string, fields: FormValues | FormData): Promise<Page> {
    return toPage(await this.submit(path, fields));
  }

  async logIn(id: string, more: Fields = {}): Promise<this> {
    const auth_date = Math.floor(this.#clock().getTime() / 1000);
    const login = signed({ id, first_name: "Dana", auth_date, ...more });
    const response = await this.ask("/auth/messenger", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(login),
    });
    if (response.status !== 200) throw new Error(`Not logged in: ${await response.text()}`);
    this.id = id;
    return this;
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0\b/.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
