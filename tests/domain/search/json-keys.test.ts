import { describe, expect, it } from "vitest";
import { findJsonKeys } from "#domain/search/json-keys.ts";

describe("the keys of a JSON text", () => {
  it("have their line and their depth", () => {
    expect(findJsonKeys('{\n  "a": {"b": 1},\n  "c" : [{"d": 2}]\n}', 5, 10)).toEqual([
      { name: "a", line: 2, depth: 0 },
      { name: "b", line: 2, depth: 1 },
      { name: "c", line: 3, depth: 0 },
      { name: "d", line: 3, depth: 2 },
    ]);
  });

  it("are found down to a depth, and so many of them", () => {
    const text = '{"a": {"b": {"c": 1}}, "d": 2}';

    expect(findJsonKeys(text, 1, 10).map(({ name }) => name)).toEqual(["a", "b", "d"]);
    expect(findJsonKeys(text, 5, 2).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("are no values, no empty names and nothing outside of all braces", () => {
    expect(findJsonKeys('"x": 1 {"a": "b", "": 1}', 5, 10)).toEqual([{ name: "a", line: 1, depth: 0 }]);
  });

  it("are not in comments, which count as lines", () => {
    const text = '{ // "a": 1\n/* "b": 1\n\n */ "c": 1 / "d": 2 }';

    expect(findJsonKeys(text, 5, 10)).toEqual([
      { name: "c", line: 4, depth: 0 },
      { name: "d", line: 4, depth: 0 },
    ]);
  });

  it("are read with escaped quotes, and no further than their line", () => {
    expect(findJsonKeys('{"a\\"b": 1,\n"open: 1,\n"c": 2}', 5, 10)).toEqual([
      { name: 'a\\"b', line: 1, depth: 0 },
      { name: "c", line: 3, depth: 0 },
    ]);
  });
});
