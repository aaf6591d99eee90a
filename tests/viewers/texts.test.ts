import { describe, expect, it } from "vitest";
import { removeReferences } from "#app/viewers/css-references.ts";
import { parseCsv } from "#app/viewers/csv-table.ts";
import { formatJson } from "#app/viewers/json-text.ts";

it.each([
  ["a{color:red}", "a{color:red}"],
  ["a{content:'\\2014'}", "a{content:'\\2014'}"],
  ["@import 'x';a{color:red}", "a{color:red}"],
  ["a{background:url(x.png) red}", "a{background:none red}"],
  ["a{fill:url(#g);background:url(http://x)}", "a{fill:url(#g);background:none}"],
  ["a{background:url(data:image/png;base64,AA==)}", "a{background:url(data:image/png;base64,AA==)}"],
  ["a{background:url(data:image/svg+xml,x)}", "a{background:none}"],
  ["a{background:\\75rl(http://x)}", ""],
  ["a{background:image-set('http://x' 1x)}", ""],
  ["@font-face{src:url(x)}", ""],
])("a style sheet loses its references: %s", (css, clean) => {
  expect(removeReferences(css)).toBe(clean);
});

it.each([
  ["a,b\n1,2\n", ["a·b", "1·2"]],
  ["a;b\r\n1;2", ["a·b", "1·2"]],
  ["a\tb\n\t", ["a·b", "·"]],
  ['"a,b","c""d"\n"e\nf",', ['a,b·c"d', "e\nf·"]],
  ['"never closed,\n1', ["never closed,\n1"]],
  ["a|b\n\nc|d", ["a·b", "", "c·d"]],
  ["", []],
])("the CSV text %j has the rows %j", (text, rows) => {
  const table = parseCsv(text);
  expect(table.rows.map((cells) => cells.join("·"))).toEqual(rows);
  expect(table.totalRows).toBe(rows.length);
});

describe("JSON over lines", () => {
  it("keeps every literal unchanged", () => {
    expect(formatJson('{"a":[1.0,1e400,"x,[\\"{"],"a":{},"b":[]}')).toBe(
      '{\n  "a": [\n    1.0,\n    1e400,\n    "x,[\\"{"\n  ],\n  "a": {},\n  "b": []\n}\n',
    );
  });

  it.each(["", "{", "{a:1}", `${"[".repeat(102)}${"]".repeat(102)}`])("is not made of %j", (text) => {
    expect(formatJson(text)).toBeNull();
  });

  it("is not formatted if the indents would be a hundred times the text", () => {
    const nested = (inside: string) => `${"[".repeat(99)}${inside}${"]".repeat(99)}`;
    expect(formatJson(nested("1"))).toContain("1");
    expect(formatJson(nested("1,".repeat(100_000).slice(0, -1)))).toBeNull();
  });
});
