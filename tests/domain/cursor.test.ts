import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, decodeNameCursor, encodeCursor, encodeNameCursor } from "#domain/cursor.ts";

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
    "",
    "x",
    "=",
    "%00",
    "MTIz",
    btoa("1.zzzzzzzzzzzzzzzzzzzzzzzz"),
    btoa("-1.0123456789abcdef01234567"),
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
