/** The product's web process with a meter in it, and people who send it one request at a time. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { required } from "#domain/required.ts";
import { OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { ALERTS_TOKEN } from "#tests/entries/entry.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { type Databases, startWebProcess } from "#tests/support/product/web-process.ts";
import { ADMIN_ID, UNLIMITED, Visitor } from "#tests/support/web.ts";
import { HELD_MAX_MS } from "./judge.ts";
import type { Asked, Reading } from "./meter.ts";

export const WEBHOOK_SECRET = "growth-webhook-secret";

type Init = RequestInit & { html?: boolean };
export type Ask = (path: string, init?: Init) => Promise<Response>;
export type Person = "anyone" | "owner" | "premium" | "admin";

export type MeteredWeb = {
  owner: Visitor;
  people: Record<Person, Ask>;
  /** The main thread's time for a call, and its answer's length and status. */
  measure(call: () => Promise<Response>): Promise<Reading & { answerBytes: number; status: number }>;
  stop(): Promise<void>;
};

/** Starts a metered web process on this store for the tests of a file; it is available when they run. */
export function openMeteredWeb(mongodbUri: string): () => MeteredWeb {
  let web: MeteredWeb | undefined;
  let directory: string | undefined;
  beforeAll(async () => {
    const databaseUrl = await createReleasedPostgres();
    directory = await mkdtemp(join(tmpdir(), "codeshelf-growth-"));
    web = await startMeteredWeb({ mongodbUri, databaseUrl, directory });
  });
  afterAll(async () => {
    await web?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  return () => required(web);
}

const TRIES = 3;

/** The best of three calls counts, because a busy machine can delay an idle process. */
export async function expectHoldsNobodyUp(
  web: MeteredWeb,
  name: string,
  call: () => Promise<Response>,
  prepare: () => Promise<void> = async () => {},
): Promise<void> {
  const times: number[] = [];
  for (let tried = 0; tried < TRIES && !times.some((ms) => ms <= HELD_MAX_MS); tried += 1) {
    await prepare();
    const { status, longestMs } = await web.measure(call);
    expect(status, name).toBeLessThan(400);
    times.push(longestMs);
  }
  expect.soft(Math.min(...times), name).toBeLessThanOrEqual(HELD_MAX_MS);
}

async function startMeteredWeb(databases: Databases): Promise<MeteredWeb> {
  const variables = {
    ADMIN_USER_IDS: ADMIN_ID,
    PREMIUM_USER_IDS: PREMIUM_ID,
    MAX_NOTES_PER_USER: "100000",
    MAX_LIBRARY_MB: "1000000",
    CODE_QUEUE_WAIT_SECONDS: "1",
    RATE_LIMIT_EXPLAINS_PER_MINUTE: UNLIMITED,
    ALERTS_TOKEN,
    CODEHOST_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
  const meter = ["--import", join(import.meta.dirname, "meter.ts")];
  const { child, url, stop } = await startWebProcess(databases, variables, meter);
  const logIn = (id: string) => new Visitor(url, () => new Date()).logIn(id);
  const owner = await logIn(OWNER_ID);
  const people = {
    anyone: askerAt(url, new Map()),
    owner: askerAt(url, owner.cookies),
    premium: askerAt(url, (await logIn(PREMIUM_ID)).cookies),
    admin: askerAt(url, (await logIn(ADMIN_ID)).cookies),
  };
  return { owner, people, measure: (call) => measure(child, call), stop };
}

async function measure(child: ChildProcess, call: () => Promise<Response>) {
  await readMeter(child, "start");
  const response = await call();
  const { byteLength } = await response.arrayBuffer();
  return { ...(await readMeter(child, "stop")), answerBytes: byteLength, status: response.status };
}

async function readMeter(child: ChildProcess, meter: Asked["meter"]): Promise<Reading> {
  const answer = once(child, "message");
  child.send({ meter });
  return ((await answer) as [Reading])[0];
}

/** Each caller adds their own cookies; redirects are not followed. */
const askerAt =
  (url: string, cookies: Map<string, string>): Ask =>
  (path, { html, headers, ...init } = {}) => {
    const sent = new Headers({
      Accept: html ? "text/html" : "application/json",
      "Sec-Fetch-Site": "same-origin",
    });
    for (const [name, value] of new Headers(headers)) sent.set(name, value);
    const own = [...cookies].map(([name, value]) => `${name}=${value}`);
    sent.set("Cookie", [...own, sent.get("Cookie") ?? ""].join("; "));
    return fetch(url + path, { redirect: "manual", ...init, headers: sent });
  };
