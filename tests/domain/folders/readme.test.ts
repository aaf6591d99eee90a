import { expect, it } from "vitest";
import { README_NAMES } from "#domain/folders/readme.ts";

it("prefers Markdown to plain text, and any ending to none", () => {
  const rank = (name: string) => README_NAMES.indexOf(name);

  expect(rank("README.md")).toBe(0);
  expect(rank("readme.md")).toBeLessThan(rank("README.txt"));
  expect(rank("README.rst")).toBeLessThan(rank("README"));
  expect(rank("README")).toBeGreaterThan(0);
  expect(rank("readme")).toBeGreaterThan(rank("README"));
});
