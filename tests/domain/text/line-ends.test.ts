import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchEncoding, removeByteOrderMark } from "#domain/text/line-ends.ts";

/** Sends text as a browser's text field does. */
const sent = (text: string) => text.replaceAll(/\r\n|\r|\n/g, "\r\n");

describe("a text that comes back from a form", () => {
  it("is the same where nothing was typed, whatever its line ends are, with a byte-order mark or none", () => {
    const piece = fc.constantFrom("a", "b", "", "\n", "\r\n", "\r", "ש");
    fc.assert(
      fc.property(fc.constantFrom("", "\uFEFF"), fc.array(piece, { maxLength: 12 }), (mark, pieces) => {
        const text = mark + pieces.join("");
        expect(matchEncoding(text, sent(removeByteOrderMark(text)))).toBe(text);
      }),
    );
  });

  it.each([
    ["a\r\nb\r\n", "a\nc\nb\n", "a\r\nc\r\nb\r\n"],
    ["a\nb\n", "a\nc\nb\n", "a\nc\nb\n"],
    ["a\r\nb\nc\nd", "a\nx\nc\nd", "a\r\nx\nc\nd"],
    ["a\nb\r\nc\r\n", "a\nb\nc\nmore\n", "a\nb\r\nc\r\nmore\r\n"],
    ["a\rb\r", "a\rb\rc\r", "a\rb\rc\r"],
    ["", "x\ny", "x\ny"],
  ])("%j with the lines %j becomes %j", (base, lines, expected) => {
    expect(matchEncoding(base, sent(lines))).toBe(expected);
  });

  it("has plain line ends where there was no text before", () => {
    expect(matchEncoding(null, "a\r\nb\r\n")).toBe("a\nb\n");
  });
});
