import { describe, expect, it } from "vitest";
import { parseCsv } from "#app/viewers/csv-table.ts";
import { renderNotes } from "#app/viewers/markdown/note-html.ts";
import { analyseCode } from "#domain/code-runs/code-reading.ts";
import { parseFailure } from "#domain/code-runs/failure-reading.ts";
import { listRelativePaths } from "#domain/files/folders/relative-address.ts";
import { mergeNote } from "#domain/notes/note-merge.ts";
import { diffLines, splitLines } from "#domain/text/line-diff.ts";
import { mergeTexts } from "#domain/text/line-merge.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

/** Texts that once took seconds. Each limit is at least ten times the worst time on a slow machine. */
const times = (text: string, length: number) => text.repeat(Math.floor(length / text.length));

const NOTE_LENGTH = 20_000;
const NOTES: [name: string, content: string][] = [
  ["backticks", times("`", NOTE_LENGTH)],
  ["backticks of every length", Array.from({ length: 199 }, (_, i) => "`".repeat(i + 1)).join(" ")],
  ["brackets before one end", `${times("[", NOTE_LENGTH)}](https://example.com)`],
  ["an address and what could end it", `https://a${times(").", NOTE_LENGTH)}x`],
  ["a heading with a gap", `# a${times(" ", NOTE_LENGTH)}b`],
  ["a fence that is cut by a line separator", `${times("`", NOTE_LENGTH)}\u2028x`],
  ["an entry that is cut by a line separator", `- ${times(" ", NOTE_LENGTH)}x\u2028y`],
];

it.each(NOTES)("twenty long notes are read within a moment: %s", async (_, content) => {
  const notes = Array.from({ length: 20 }, () => ({ content, form: null }));
  const ms = await ownProcessorMs(() => expect(renderNotes({ notes, locale: "en" })).toHaveLength(20));
  expect(ms).toBeLessThan(2_000);
});

it.each([
  ["line ends", "\n".repeat(100_000)],
  ["line ends behind blanks", " \n".repeat(50_000)],
  ["what looks like a place", '\n  at (x:1\n  File "'.repeat(5_000)],
  ["blanks on many lines", `${" ".repeat(990)}\n`.repeat(100)],
])("a text to explain is read within a moment: %s", async (_, text) => {
  const ms = await ownProcessorMs(() => {
    expect(parseFailure(text)).toBeNull();
    for (const language of ["java", "python", "javascript"])
      expect(analyseCode(text, language).language).toBe(language);
  });
  expect(ms).toBeLessThan(2_000);
});

describe("the relative addresses of a long document are listed within a moment", () => {
  const DOCUMENT_LENGTH = 512 * 1024;

  it.each([
    ["an escape that is none, again and again", times("](%", DOCUMENT_LENGTH)],
    ["escapes that are none", Array.from({ length: 60_000 }, (_, i) => `](%${i}`).join("")],
    ["one address, again and again", times("](a", DOCUMENT_LENGTH)],
    ["definitions", times("[a]:b\n", DOCUMENT_LENGTH)],
    ["attributes", times("src=a ", DOCUMENT_LENGTH)],
    ["addresses without an end", times(`](<${"a".repeat(996)}`, DOCUMENT_LENGTH)],
  ])("%s", async (_, text) => {
    const ms = await ownProcessorMs(() =>
      expect(listRelativePaths(text, 500).length).toBeLessThanOrEqual(500),
    );
    expect(ms).toBeLessThan(400);
  });
});

describe("long texts are compared and merged within a bound on work", () => {
  const labels = { mine: "mine", theirs: "theirs" };
  const LINES = 256 * 1024;
  const many = (words: string[]) =>
    Array.from({ length: 150_000 }, (_, i) => `${words[(i * 7 + (i >> 3)) % words.length]} ${i % 97}\n`).join(
      "",
    );

  it.each<[string, string, string, string]>([
    ["line ends", "\n".repeat(LINES), "\n".repeat(LINES - 9), `a${"\n".repeat(LINES - 1)}`],
    ["lines that come again", many(["a", "b"]), many(["b", "c"]), many(["c", "a", "b"])],
  ])("%s", async (_, base, mine, theirs) => {
    const ms = await ownProcessorMs(() =>
      expect(mergeTexts({ base, mine, theirs, labels }).text.length).toBeGreaterThan(0),
    );
    expect(ms).toBeLessThan(8_000);
  });

  it("also where each cut leaves one more line that is there once", async () => {
    const pairs = Array.from({ length: 20_000 }, (_, i) => [`${i}`, `${i + 1}`]);
    const [from, to] = [pairs.flat(), pairs.toReversed().flat()];
    const ms = await ownProcessorMs(() => expect(diffLines(from, to).length).toBeGreaterThan(0));
    expect(ms).toBeLessThan(10_000);
  });

  it("lines keep their ends, whatever they are", () => {
    expect(splitLines("a\r\nb\n\nc")).toEqual(["a\r\n", "b\n", "\n", "c"]);
    expect(splitLines("\n")).toEqual(["\n"]);
    expect(splitLines("")).toEqual([]);
  });

  it("two texts of a note, with what differs", async () => {
    const [mine, theirs] = [times("a b\n", NOTE_LENGTH), times("b a\n", NOTE_LENGTH)];
    const ms = await ownProcessorMs(() =>
      expect(mergeNote({ base: "", mine, theirs, labels }).collisions).toBe(1),
    );
    expect(ms).toBeLessThan(3_000);
  });
});

it("a table of a million columns keeps those that are shown and counts all", async () => {
  const table = parseCsv(`${",".repeat(999_999)}\n1,2`);
  expect(table.rows.map((row) => row.length)).toEqual([100, 2]);
  expect(table).toMatchObject({ totalRows: 2, totalColumns: 1_000_000 });
});
