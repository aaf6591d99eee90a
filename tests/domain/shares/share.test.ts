import { describe, expect, it } from "vitest";
import { checkBySchema } from "#domain/schema.ts";
import {
  cutForEmbed,
  embedHeightPx,
  isEmbeddable,
  readEmbedTheme,
  toEmbedCode,
} from "#domain/shares/embed.ts";
import {
  checkMarkdownName,
  checkSharedLines,
  checkShareEnd,
  checkSharePassword,
  countSharedLines,
  fencedBlock,
  isLinkToken,
  isShareId,
  LINK_TOKEN_BYTES,
  SHARE_ID_BYTES,
  SHARE_LIFETIMES_DAYS,
  SHARES_MAX,
  sharedText,
  toEventShareName,
  toMarkdownName,
} from "#domain/shares/share.ts";
import { shareRequest, shareToSave } from "#domain/shares/share-schema.ts";

const TEXT = "one\ntwo\r\nthree\nfour";

describe("what a share shows", () => {
  it.each([
    ["all of it", null, TEXT],
    ["lines with their own ends", { from: 2, to: 3 }, "two\r\nthree\n"],
    ["a last line without an end", { from: 4, to: 4 }, "four"],
    ["the first line", { from: 1, to: 1 }, "one\n"],
  ])("is %s", (_, lines, shown) => {
    expect(sharedText(TEXT, { mode: "full", lines })).toBe(shown);
  });

  it("is the first 20 lines as a preview, and never more than 2000 characters", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
    const preview = { mode: "preview", lines: null } as const;
    expect(sharedText(lines.join(""), preview)).toBe(lines.slice(0, 20).join(""));
    expect(sharedText(lines.join(""), { mode: "preview", lines: { from: 29, to: 30 } })).toBe(
      "line 29\nline 30\n",
    );
    expect(sharedText(lines.join(""), { mode: "full", lines: null })).toBe(lines.join(""));
    expect(sharedText("🙂".repeat(5000), preview)).toBe("🙂".repeat(2000));
    expect(sharedText("", preview)).toBe("");
  });

  it.each<[string, unknown]>([
    ["", null],
    [" ", null],
    ["4-8", { from: 4, to: 8 }],
    ["8-4", { from: 4, to: 8 }],
    ["1-10", { from: 1, to: 10 }],
    [" 10 ", { from: 10, to: 10 }],
    ...["0", "0-3", "4-11", "11", "four", "1,2"].map((written): [string, unknown] => [
      written,
      expect.objectContaining({ refused: "invalid_share_lines" }),
    ]),
  ])("is chosen among ten lines by %j", (written, range) => {
    expect(checkSharedLines(written, 10)).toEqual(range);
  });
});

it.each([
  ["the chosen ones", { mode: "full", lines: { from: 4, to: 8 } }, 50, 5],
  ["the chosen ones of a preview", { mode: "preview", lines: { from: 4, to: 4 } }, 50, 1],
  ["all of a file", { mode: "full", lines: null }, 50, 50],
  ["twenty of a previewed file", { mode: "preview", lines: null }, 50, 20],
  ["all of a previewed file that has fewer", { mode: "preview", lines: null }, 3, 3],
] as const)("the number of lines that a share shows is that of %s", (_, shown, fileLines, count) => {
  expect(countSharedLines(shown, fileLines)).toBe(count);
});

describe("the end of a share", () => {
  const NOW = new Date("2037-01-01T12:00:00.000Z");
  const afterMs = (ms: number) => new Date(NOW.getTime() + ms);
  const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

  it("comes after so many days, or never", () => {
    expect(checkShareEnd({ days: 2 }, NOW)).toEqual(new Date("2037-01-03T12:00:00.000Z"));
    expect(checkShareEnd({ days: null }, NOW)).toBeNull();
  });

  it.each([1, YEAR_MS])("may be the moment %i ms ahead", (ms) => {
    expect(checkShareEnd({ days: null, until: afterMs(ms) }, NOW)).toEqual(afterMs(ms));
  });

  it.each([-1, 0, YEAR_MS + 1])("may not be the moment %i ms ahead", (ms) => {
    expect(checkShareEnd({ days: 7, until: afterMs(ms) }, NOW)).toMatchObject({
      refused: "invalid_share_end",
      context: { max_days: 365 },
    });
  });
});

describe("a text saved as Markdown", () => {
  it.each([
    ["a text", "x = 1\n", "python", "```python\nx = 1\n```\n"],
    ["a last line without an end", "x = 1", "python", "```python\nx = 1\n```\n"],
    ["a plain text", "words\n", "text", "```\nwords\n```\n"],
    ["nothing", "", "go", "```go\n```\n"],
    ["a fence inside", "a\n````\nb\n", "text", "`````\na\n````\nb\n`````\n"],
    ["single backticks", "`a`\n", "text", "```\n`a`\n```\n"],
  ])("fences %s", (_, text, language, markdown) => {
    expect(fencedBlock(text, language)).toBe(markdown);
  });

  it.each([
    ["v1.2 notes", "v1.2 notes.md"],
    ["v1.2", "v1.2.md"],
    ["notes.md", "notes.md"],
    ["notes.MARKDOWN", "notes.MARKDOWN"],
    ["notes", "notes.md"],
    [".notes", ".notes.md"],
    ["הערות", "הערות.md"],
    ["x".repeat(252), `${"x".repeat(252)}.md`],
  ])("is named %j as %j", (typed, name) => {
    expect(checkMarkdownName(typed)).toBe(name);
  });

  it.each([
    ["", "missing_file_name"],
    [" ", "missing_file_name"],
    ["..", "reserved_file_name"],
    ...[
      ...["a.py", "a.md.txt", "a.", "a..b", "a/b.md", "a\\b.md", "a\nb.md", "a\0.md"],
      ...["x".repeat(253), "x".repeat(256), 7, null, ["a.md"], { $ne: null }],
    ].map((name) => [name, "invalid_file_name"]),
  ])("refuses the name %j as %s", (name, refused) => {
    expect(checkMarkdownName(name)).toMatchObject({ refused });
  });

  it.each([
    ["a.md", "a.md"],
    ["a.py", "a.py.md"],
    ["README", "README.md"],
    [`${"x".repeat(252)}.py`, `${"x".repeat(252)}.md`],
  ])("takes from %s the name %s where none is given", (file, name) => {
    expect(toMarkdownName(file)).toBe(name);
  });
});

it("a password has 6 to 200 characters, and is not changed", () => {
  const refused = { refused: "invalid_share_password" };
  for (const length of [0, 5, 201]) expect(checkSharePassword("🙂".repeat(length))).toMatchObject(refused);
  for (const password of ["🙂".repeat(6), "🙂".repeat(200), " סודי מאוד "])
    expect(checkSharePassword(password)).toBe(password);
});

describe("a share", () => {
  it("is named in events by its beginning, and not at all where the words are no id", () => {
    expect(toEventShareName("abcdefgh-_345678")).toBe("abcdefgh…");
    expect(toEventShareName("abcdefgh".repeat(4))).toBe("abcdefgh…");
    for (const words of ["", "a word", "abcdefgh-_34567", "a".repeat(33)])
      expect(toEventShareName(words)).toBe("malformed");
  });

  it("has ids and tokens as long as their random bytes make them, and the limits that the form offers", () => {
    expect([...SHARE_LIFETIMES_DAYS, SHARES_MAX]).toEqual([1, 7, 30, 90, 365, null, 200]);
    const write = (bytes: number) => Buffer.alloc(bytes, 0xff).toString("base64url");
    expect([isShareId(write(SHARE_ID_BYTES)), isLinkToken(write(LINK_TOKEN_BYTES))]).toEqual([true, true]);
  });

  const parse = (input?: object) => shareRequest.safeParse(input);

  it("that is asked for with nothing is all of the file for a week", () => {
    const usual = { mode: "full", days: 7, version: undefined, lines: null, maxViews: null, password: null };
    expect(parse().data).toEqual(usual);
    expect(parse({}).data).toEqual(usual);
    expect(parse({ permanent: true }).data).toEqual({ ...usual, days: null });
    expect(parse({ version: 1, max_views: 1 }).data).toEqual({ ...usual, version: 1, maxViews: 1 });
    expect(parse({ mode: "preview", expires_in_days: 365, max_views: 1_000_000, version: 2 }).data).toEqual({
      ...usual,
      mode: "preview",
      days: 365,
      maxViews: 1_000_000,
      version: 2,
    });
  });

  it.each([
    { mode: "half" },
    { expires_in_days: 0 },
    { expires_in_days: 366 },
    { expires_in_days: 1, permanent: true },
    { expires_in_days: 1, expires_at: "2030-01-31T18:00:00Z" },
    { permanent: true, expires_at: "2030-01-31T18:00:00Z" },
    { expires_at: "2030-01-31" },
    { max_views: 0 },
    { max_views: 1_000_001 },
    { version: 0 },
    { lines: "1".repeat(41) },
    { password: "short" },
    { anything: 1 },
  ])("is refused with %j", (input) => {
    expect(parse(input).success).toBe(false);
  });

  it("that is saved to a library needs its id; a password that is no text is none", () => {
    const save = (input?: unknown) => checkBySchema(shareToSave, input);
    expect(save({ share_id: "x", password: 7 })).toEqual({ share_id: "x" });
    const complete = { share_id: "x", password: "secret", file_name: "a.md" };
    expect(save(complete)).toEqual(complete);
    expect(save()).toMatchObject({ refused: "missing_share_id" });
    expect(save({ share_id: "x", file_name: 7 })).toMatchObject({ refused: "invalid_file_name" });
    expect(save("x")).toMatchObject({ refused: "invalid_payload" });
  });
});

describe("an embedded file", () => {
  it("is shown whole up to 1,000 lines and 100,000 characters", () => {
    expect(cutForEmbed("a\nb\n")).toEqual({ text: "a\nb\n", isWhole: true });
    const thousand = Array.from({ length: 1_000 }, (_, i) => `line ${i}`).join("\n");
    expect(cutForEmbed(thousand)).toEqual({ text: thousand, isWhole: true });
    expect(cutForEmbed(`${thousand}\n`).isWhole).toBe(true);
    expect(cutForEmbed(`${thousand}\nmore`)).toEqual({ text: thousand, isWhole: false });
    const long = cutForEmbed("x".repeat(100_001));
    expect([long.text.length, long.isWhole]).toEqual([100_000, false]);
  });

  it("never ends within a character", () => {
    const { text } = cutForEmbed(`${"x".repeat(99_999)}🙂`);
    expect(text.isWellFormed()).toBe(true);
  });

  it("is offered only where no password and no limit of views stands before it", () => {
    expect(isEmbeddable({ password: null, views_left: null })).toBe(true);
    expect(isEmbeddable({ password: {}, views_left: null })).toBe(false);
    expect(isEmbeddable({ password: null, views_left: 3 })).toBe(false);
  });

  it("has a frame as high as its lines, up to a bound", () => {
    expect(embedHeightPx(2) - embedHeightPx(1)).toBe(24);
    expect(embedHeightPx(0)).toBe(embedHeightPx(1));
    expect(embedHeightPx(10_000)).toBe(600);
  });

  it("is put into other pages by code that nothing in a name breaks out of", () => {
    const code = toEmbedCode({ src: "https://a.example/x?a&b", title: '"><script>', heightPx: 100 });
    expect(code).toContain('src="https://a.example/x?a&amp;b"');
    expect(code).toContain('title="&quot;&gt;&lt;script&gt;"');
    expect(code).not.toContain("<script");
  });

  it("is light, dark or as the reader's system", () => {
    expect(["dark", "light", "pink", null].map(readEmbedTheme)).toEqual(["dark", "light", "auto", "auto"]);
  });
});
