import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DataDirectoryInUse, lockDataDirectory, resolveDataDirectory } from "#db/local/data-directory.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

it("is .data of the project unless DATA_DIR says otherwise", () => {
  expect(resolveDataDirectory({})).toBe(join(PROJECT_ROOT, ".data"));
  expect(resolveDataDirectory({ DATA_DIR: "" })).toBe(join(PROJECT_ROOT, ".data"));
  expect(resolveDataDirectory({ DATA_DIR: "here/there" })).toBe(join(PROJECT_ROOT, "here/there"));
  expect(resolveDataDirectory({ DATA_DIR: "/elsewhere" })).toBe("/elsewhere");
});

it("is made for its owner alone", async () => {
  const directory = join(await temporaryDirectory(), "with a space", "data");

  const lock = lockDataDirectory(directory);

  expect(statSync(directory).mode & 0o777).toBe(0o700);
  lock.release();
});

it("belongs to one process at a time", async () => {
  const directory = join(await temporaryDirectory(), "data");
  mkdirSync(directory);
  const lock = lockDataDirectory(directory);

  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
  expect(() => lockDataDirectory(directory)).toThrow(
    `${directory} is already in use by process ${process.pid}.`,
  );

  lock.release();
  lockDataDirectory(directory).release();
});
