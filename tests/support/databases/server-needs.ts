/**
 * Requirements of tests on the document store, declared at the head of their file or group. If the store of this run lacks it, the tests are
 * skipped, and the report names them with the reason. Only this module decides that.
 */

import { beforeEach } from "vitest";
import { givenMongoDB } from "./given-mongodb.ts";
import { readServerVersion } from "./server-facts.ts";

let version: Promise<string> | undefined;

/** For tests of the engine itself: of its functions, its process or its files. */
export function needsEngine(why: string): void {
  if (givenMongoDB) skipTests(async () => `only on the embedded engine: ${why}`);
}

/** For features of MongoDB from this version on. The engine has every tested feature. */
export function needsVersion(needed: string): void {
  if (!givenMongoDB) return;
  const server = givenMongoDB;
  skipTests(async () => {
    version ??= readServerVersion(server);
    const own = await version;
    const isOlder = own.localeCompare(needed, "en", { numeric: true }) < 0;
    return isOlder ? `needs MongoDB ${needed}, and this one is ${own}` : null;
  });
}

function skipTests(findReason: () => Promise<string | null>): void {
  beforeEach(async (context) => {
    const reason = await findReason();
    if (reason !== null) context.skip(reason);
  });
}
