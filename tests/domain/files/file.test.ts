import { describe, expect, it } from "vitest";
import {
  BODY_MAX_BYTES,
  checkBody,
  checkDescription,
  checkFileName,
  checkTagList,
  checkTags,
  countLines,
  decodeBody,
} from "#domain/files/file.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a file name", () => {
  it.each(["a", "main.py", ".env", "שלום.txt", "a b.c", "🙂".repeat(255), "...", "CON"])(
    "may be %j",
    (name) => {
      expect(checkFileName(name)).toBe(name);
    },
  );

  it.each([
    ["a path", "a/b"],
    ["a path of Windows", "a\\b"],
    ["with NUL", "a\0b"],
    ["with a newline", "a\nb"],
    ["with a C1 control", "a\u0085b"],
    ["with a line separator", "a\u2028b"],
    ["with half a surrogate pair", "a\ud800"],
    ["longer than 255 characters", "🙂".repeat(256)],
    ["a number", 7],
    ["nothing", undefined],
  ])("may not be %s", (_, name) => {
    expect(checkFileName(name)).toMatchObject({ refused: "invalid_file_name" });
  });

  it.each(["", "  "])("is missing where it is %j", (name) => {
    expect(checkFileName(name)).toMatchObject({ refused: "missing_file_name" });
  });

  it.each([".", ".."])("may not be %s, which is refused with a reason of its own", (name) => {
    expect(checkFileName(name)).toMatchObject({ refused: "reserved_file_name" });
  });
});

describe("a body", () => {
  it("is kept exactly, its line ends included", () => {
    expect(checkBody("a\r\nb\n\n")).toBe("a\r\nb\n\n");
  });

  it("loses a leading byte-order mark and no other", () => {
    expect(checkBody("\uFEFFa\uFEFF")).toBe("a\uFEFF");
    expect(decodeBody(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe("a");
  });

  it("may have as many bytes as allowed and not one more", () => {
    const most = "א".repeat(BODY_MAX_BYTES / 2);
    expect(checkBody(most)).toBe(most);
    expect(checkBody(`${most}x`)).toMatchObject({
      refused: "payload_too_large",
      context: { max: BODY_MAX_BYTES },
    });
  });

  it.each([
    ["a NUL", bytes(0x61, 0, 0x62)],
    ["bytes that are not UTF-8", bytes(0xe9, 0x74, 0xe9)],
    ["the head of a PNG", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ["an encoded surrogate", bytes(0xed, 0xa0, 0x80)],
  ])("is refused as binary for %s", (_, content) => {
    expect(decodeBody(content)).toMatchObject({ refused: "binary_content" });
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
  ])("%j has %i lines", (body, lines) => {
    expect(countLines(body)).toBe(lines);
  });
});

describe("description and tags", () => {
  it("counts a description in characters", () => {
    expect(checkDescription("ש".repeat(500))).toBe("ש".repeat(500));
    expect(checkDescription("ש".repeat(501))).toMatchObject({ refused: "description_too_long" });
  });

  it("takes tags as people type them, each once", () => {
    expect(checkTags(" web, #web ,כלים,\n a b ,")).toEqual(["web", "כלים", "a b"]);
    const tags = checkTags("##c, # d, c#, #");
    expect(tags).toEqual(["c", "d", "c#"]);
    expect(checkTagList(["c", "d", "c#"])).toEqual(tags);
  });

  it("refuses a tag too many and a tag too long", () => {
    const tags = Array.from({ length: 20 }, (_, i) => `t${i}`);
    expect(checkTags(tags.join(","))).toHaveLength(20);
    expect(checkTags([...tags, "one"].join(","))).toMatchObject({ refused: "invalid_tags" });
    expect(checkTags("x".repeat(51))).toMatchObject({ refused: "invalid_tags" });
  });
});
