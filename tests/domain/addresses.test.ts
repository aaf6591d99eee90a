import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, decodeNameCursor, encodeCursor, encodeNameCursor } from "#domain/cursor.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { parseSort, type Sort, sortRows, toSortText } from "#domain/sort.ts";

const ID = "0123456789abcdef01234567";

it("an opaque id is told by its shape", () => {
  const others = [null, 7, "", ID.slice(1), `${ID}0`, ID.toUpperCase(), `${ID}\n`, "g".repeat(24)];
  expect([ID, ...others].filter(isOpaqueId)).toEqual([ID]);
});

const COLUMNS = ["name", "count"] as const;
const OTHERWISE: Sort<"name" | "count"> = { by: "name", descending: false };

describe("a sort", () => {
  it("comes back from its address as it is, and is the usual one if there is none", () => {
    for (const sort of ["count", "-count", "name", "-name"])
      expect(toSortText(parseSort(sort, COLUMNS, OTHERWISE))).toBe(sort);
    for (const none of [null, "", "-", "nonsense", "--count"])
      expect(parseSort(none, COLUMNS, OTHERWISE)).toEqual(OTHERWISE);
  });

  it("keeps equal rows in order and puts those without a value last, both ways", () => {
    const rows = [
      { name: "a", count: null },
      { name: "b", count: 1 },
      { name: "c", count: 2 },
      { name: "d", count: 1 },
    ];
    const order = (descending: boolean) =>
      sortRows(rows, { by: "count" as const, descending }).map(({ name }) => name);
    expect(order(false)).toEqual(["b", "d", "c", "a"]);
    expect(order(true)).toEqual(["c", "b", "d", "a"]);
  });
});

describe("the way back after signing in", () => {
  it.each(["/", "/files?lang=python&sort=created_at_asc", "/file/1#L4-L8", "/%D7%A9", "/a?next=http://b"])(
    "may be %s",
    (path) => {
      expect(sameSitePath(path, "/home")).toBe(path);
    },
  );

  it.each([
    ["another site", "https://evil.example/"],
    ["another site without a scheme", "//evil.example/"],
    ["slashes a browser would turn around", "/\\evil.example"],
    ["slashes a browser would turn around twice", "\\\\evil.example"],
    ["a tab a browser would drop", "/\t/evil.example"],
    ["a newline a browser would drop", "/\n/evil.example"],
    ["dots that end in two slashes", "/.//evil.example"],
    ["a script", "javascript:alert(1)"],
    ["a path of its own", "files"],
    ["nothing", null],
    ["a list", ["/files"]],
    ["far too long", `/${"a".repeat(3000)}`],
  ])("may not be %s", (_, path) => {
    expect(sameSitePath(path, "/home")).toBe("/home");
  });
});

const cursor = fc.record({
  createdAtMs: fc.integer({ min: 0, max: 4e12 }),
  id: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 24, maxLength: 24 }),
});

describe("a cursor", () => {
  it("comes back as it was, and fits into a URL as it is", () => {
    fc.assert(
      fc.property(cursor, (place) => {
        const text = encodeCursor(place);
        expect(encodeURIComponent(text)).toBe(text);
        expect(decodeCursor(text)).toEqual(place);
      }),
    );
  });

  it("is refused when a single character is missing, added or changed", () => {
    const text = encodeCursor({ createdAtMs: 1_762_000_000_000, id: "0123456789abcdef01234567" });
    expect(decodeCursor(text)).not.toBeNull();
    expect(decodeCursor(text.slice(0, -1))).toBeNull();
    expect(decodeCursor(`${text}A`)).toBeNull();
    expect(decodeCursor(`!${text.slice(1)}`)).toBeNull();
  });

  it.each([
    ...["", "x", "=", "%00", "MTIz"],
    ...["1.zzzzzzzzzzzzzzzzzzzzzzzz", "-1.0123456789abcdef01234567"].map(btoa),
  ])("is not %j", (text) => {
    expect(decodeCursor(text)).toBeNull();
  });
});

describe("a cursor by name", () => {
  const id = "0123456789abcdef01234567";

  it.each(["a.py", "שלום 🐸.md", "é".repeat(255), "a\nb"])("comes back as it was: %j", (name) => {
    expect(decodeNameCursor(encodeNameCursor({ name, id }))).toEqual({ name, id });
  });

  it.each(["", "%", "a".repeat(2_001), encodeCursor({ createdAtMs: 5, id }), btoa(`${id}.`)])(
    "is refused where it is none: %j",
    (text) => {
      expect(decodeNameCursor(text)).toBeNull();
    },
  );
});
