/**
 * What a test needs of the document store, said at the head of its file or of its group. Where the store of this run lacks it, the
 * tests below are skipped, and the report names them with the reason. No other place decides that.
 */

import { beforeEach } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { givenMongoDB } from "./given-mongodb.ts";
import { askServer, type ServerFacts } from "./server-facts.ts";

let facts: Promise<ServerFacts> | undefined;

/** For tests of the engine itself: of its functions, its process or its files. */
export function needsEngine(why: string): void {
  if (givenMongoDB) skipTests(async () => `only on the embedded engine: ${why}`);
}

/** For what MongoDB has from that version on. The engine has all that is tested here. */
export function needsVersion(version: string): void {
  if (givenMongoDB)
    skipTests(async () => findMissingVersion(await readFacts(required(givenMongoDB)), version));
}

/** For tests that let commands fail on purpose, which a server takes only where it was started with enableTestCommands. */
export function needsFailPoints(): void {
  if (givenMongoDB) skipTests(async () => findMissingFailPoints(await readFacts(required(givenMongoDB))));
}

function findMissingVersion({ version }: ServerFacts, needed: string): string | null {
  return isOlder(version, needed) ? `needs MongoDB ${needed}, and this one is ${version}` : null;
}

export function findMissingFailPoints({ takesFailPoints }: ServerFacts): string | null {
  return takesFailPoints ? null : "needs fail points, and this MongoDB refuses configureFailPoint";
}

function skipTests(findReason: () => Promise<string | null>): void {
  beforeEach(async (context) => {
    const reason = await findReason();
    if (reason !== null) context.skip(reason);
  });
}

function isOlder(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10)),
  );
  const place = required(want).findIndex((part, at) => part !== (required(have)[at] ?? 0));
  return place !== -1 && (required(have)[place] ?? 0) < itemAt(required(want), place);
}

function readFacts(server: string): Promise<ServerFacts> {
  facts ??= askServer(server);
  return facts;
}
