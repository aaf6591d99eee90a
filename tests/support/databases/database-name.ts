import { basename } from "node:path";
import { expect } from "vitest";
import { newDatabaseName } from "./given-mongodb.ts";

/** A unique name for the running test file's own database, which contains the file's name. */
export function databaseName(): string {
  return newDatabaseName(basename(expect.getState().testPath ?? "test").replace(/\.test\.tsx?$/, ""));
}
