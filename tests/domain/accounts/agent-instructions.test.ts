import { describe, expect, it } from "vitest";
import {
  checkInstructions,
  composePrimer,
  cutToBytes,
  INSTRUCTIONS_MAX_BYTES,
  PRIMER_MAX_BYTES,
} from "#domain/accounts/agent-instructions.ts";
import { utf8Bytes } from "#domain/text/text.ts";

const FILE = { id: "0123456789abcdef01234567", file_name: "שלום.py" };

describe("agent instructions", () => {
  it("are kept as typed, but for the line ends of forms and the space around", () => {
    expect(checkInstructions("  one\r\ntwo \n\n")).toBe("one\ntwo");
  });

  it("fill their room to the last byte and no further", () => {
    const full = "ש".repeat(INSTRUCTIONS_MAX_BYTES / 2);
    expect(checkInstructions(full)).toBe(full);
    expect(checkInstructions(`${full}x`)).toMatchObject({ refused: "instructions_too_long" });
  });

  it.each(["a\0b", "a\ud800b"])("are text", (typed) => {
    expect(checkInstructions(typed)).toMatchObject({ refused: "binary_content" });
  });
});

describe("a primer", () => {
  it("is empty where there is nothing to tell", () => {
    expect(composePrimer("", [])).toBe("");
  });

  it("has the instructions, then a line on the newest files", () => {
    expect(composePrimer("Be brief.", [FILE])).toBe(`Be brief.\n\nLatest files: שלום.py (${FILE.id})\n`);
    expect(composePrimer("", [FILE])).toBe(`Latest files: שלום.py (${FILE.id})\n`);
  });

  it.each([
    ["letters of one byte", "x"],
    ["letters of two bytes", "ש"],
    ["emoji", "👩‍💻"],
  ])("of %s is cut between characters, says so, and still names the files", (_, letter) => {
    const primer = composePrimer(letter.repeat(Math.ceil(INSTRUCTIONS_MAX_BYTES / utf8Bytes(letter))), [
      FILE,
    ]);
    expect(utf8Bytes(primer)).toBeLessThanOrEqual(PRIMER_MAX_BYTES);
    expect(utf8Bytes(primer)).toBeGreaterThan(PRIMER_MAX_BYTES - 16);
    expect(primer).toMatch(/\[Cut here: a primer has at most 24 KiB\.\]\n\nLatest files: שלום\.py/);
    expect(primer).not.toContain("\ufffd");
  });

  it("that fits exactly is whole", () => {
    const text = "x".repeat(PRIMER_MAX_BYTES - 1);
    expect(composePrimer(text, [])).toBe(`${text}\n`);
    expect(composePrimer(`${text}x`, [])).toContain("[Cut here");
  });
});

it("cutting to bytes never splits a character", () => {
  expect([0, 1, 2, 3, 4, 5].map((max) => cutToBytes("é😀", max))).toEqual(["", "", "é", "é", "é", "é"]);
  expect(cutToBytes("é😀", 6)).toBe("é😀");
});
