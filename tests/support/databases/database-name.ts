import { basename } from "node:path";
import { expect } from "vitest";
import { newDatabaseName } from "./given-mongodb.ts";

/** A name for the running test file's own database: it tells the file, and no other run has it. */
export function databaseName(): string {
  return newDatabaseName(basename(expect.getState().testPath ?? "test").replace(/\.test\.tsx?$/, ""));
}
