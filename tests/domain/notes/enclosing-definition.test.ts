import { describe, expect, it } from "vitest";
import { findDefinition, isInOldDefinition, keepsDefinition } from "#domain/notes/enclosing-definition.ts";
import { indexLines } from "#domain/text/line-index.ts";
import { mapLines } from "#domain/text/line-map.ts";

const LOAD = ["function load(path) {", "  return read(path);", "}"];
const STORE = ["function store(path) {", "  return write(path);", "}"];

describe("the definition around a line", () => {
  const find = (lines: string[], from: number) => findDefinition(indexLines(lines), from);

  it("is the nearest line above that is less indented", () => {
    expect(find([...LOAD, ...STORE], 1)).toBe(0);
    expect(find([...LOAD, ...STORE], 4)).toBe(3);
  });

  it("is the line that a closing bracket belongs to", () => {
    expect(find([...LOAD, ...STORE], 5)).toBe(3);
  });

  it("is not an empty line or one of brackets alone", () => {
    expect(find(["class Shelf", "{", "", "  open();"], 3)).toBe(0);
  });

  it("is none for a line that nothing is around", () => {
    expect(find(["import fs", "import os"], 1)).toBeNull();
    expect(find(["import fs"], 0)).toBeNull();
  });

  it("is looked for up to 2,000 lines above, and no farther", () => {
    const longFunction = (lines: number) => [
      "function load(path) {",
      ...Array.from({ length: lines }, (_, i) => `  step${i}();`),
    ];
    expect(find(longFunction(2_000), 2_000)).toBe(0);
    expect(find(longFunction(2_001), 2_001)).toBeNull();
  });
});

describe("a line of a newer text", () => {
  it("keeps its definition where that moved or got other arguments", () => {
    const moved = mapLines([...LOAD, ...STORE], [...STORE, ...LOAD]);
    expect(keepsDefinition(moved, 1, 4)).toBe(true);
    expect(keepsDefinition(moved, 1, 1)).toBe(false);
    const changed = mapLines(LOAD, ["function load(path, encoding) {", "  return read(path);", "}"]);
    expect(keepsDefinition(changed, 1, 1)).toBe(true);
  });

  it("has lost its definition where there is none around it, before or now", () => {
    expect(keepsDefinition(mapLines(LOAD, ["return read(path);"]), 1, 0)).toBe(false);
    expect(keepsDefinition(mapLines(["return read(path);"], LOAD), 0, 1)).toBe(false);
  });

  it("is in an old definition only where the old text has that line", () => {
    expect(isInOldDefinition(mapLines(LOAD, [...LOAD, ...STORE]), 1)).toBe(true);
    expect(isInOldDefinition(mapLines(LOAD, [...LOAD, ...STORE]), 4)).toBe(false);
    expect(isInOldDefinition(mapLines(LOAD, ["read(path);"]), 0)).toBe(false);
  });
});
