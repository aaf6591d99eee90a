import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { expect } from "vitest";

/** A name for the running test file's own database: it tells the file, and no other run has it. */
export function databaseName(): string {
  const file = basename(expect.getState().testPath ?? "test").replace(/\.test\.tsx?$/, "");
  const readable = file
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, 30);
  return `test_${readable}_${randomBytes(4).toString("hex")}`;
}
