/** The server that tests ask: the MongoDB that TEST_MONGODB_URI names, or an engine. What it lacks is said by `needs…` at the head of a file or a group. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { MongoClient } from "mongodb";
import { beforeEach, expect } from "vitest";

export const givenMongoDB: string | undefined = process.env.TEST_MONGODB_URI || undefined;

/** A name for the running file's own database. A run drops at its end what begins as its own names do; some hosts allow 38 characters in all. */
export function databaseName(): string {
  const run = process.env.CODESHELF_TEST_DATABASES ?? "test";
  const file = basename(expect.getState().testPath ?? "engine").replaceAll(/[^a-z0-9]+/g, "_");
  return `${run}_${file.slice(0, 17)}_${randomBytes(3).toString("hex")}`;
}

/** For tests of the engine itself: of its functions, its process or its files. */
export function needsEngine(why: string): void {
  skipWhere(async () => `only on the embedded engine: ${why}`);
}

/** For what MongoDB has from that version on. The engine has all that is tested here. */
export function needsVersion(needed: string): void {
  skipWhere(async (server) => {
    const { version } = await ask(server, { buildInfo: 1 });
    const isOld = version.localeCompare(needed, "en", { numeric: true }) < 0;
    return isOld ? `needs MongoDB ${needed}, and this one is ${version}` : null;
  });
}

/** The server has no such command, or this user may not send it. */
const REFUSALS: unknown[] = [59, 13];

/** For tests that let commands fail on purpose, which a server takes only if it was started with enableTestCommands. */
export function needsFailPoints(): void {
  skipWhere(async (server) => {
    // A name that no fail point has: a question must not switch off a fail point of another file.
    const question = { configureFailPoint: "codeshelf_asks", mode: "off" };
    const answer = await ask(server, question).catch((error: { code?: number }) => error);
    const isRefused = REFUSALS.includes(answer.code);
    return isRefused ? "needs fail points, and this MongoDB refuses configureFailPoint" : null;
  });
}

function skipWhere(findReason: (server: string) => Promise<string | null>): void {
  if (!givenMongoDB) return;
  const server = givenMongoDB;
  let reason: Promise<string | null> | undefined;
  beforeEach(async (context) => {
    reason ??= findReason(server);
    const text = await reason;
    if (text !== null) context.skip(text);
  });
}

async function ask(server: string, question: object) {
  const client = await MongoClient.connect(server);
  return client
    .db("admin")
    .command(question)
    .finally(() => client.close());
}
