import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Inline } from "#domain/notes/note-inline.ts";
import { linkTarget } from "#domain/notes/note-inline.ts";
import {
  type Block,
  getFirstPlainLine,
  noteBlocks,
  plainLines,
  plainWords,
} from "#domain/notes/note-markdown.ts";
import { findTasks } from "#domain/notes/note-tasks.ts";

const text = (words: string): Inline => ({ kind: "text", text: words });

/** Every checkbox in reading order. */
function boxes(blocks: readonly Block[]): { index: number; checked: boolean }[] {
  return blocks.flatMap((block) =>
    block.kind === "list"
      ? block.items.flatMap(({ task, lists }) => [...(task ? [task] : []), ...boxes(lists)])
      : [],
  );
}

function words(blocks: readonly Block[]): string {
  const of = (parts: readonly Inline[]): string =>
    parts.map((part) => ("parts" in part ? of(part.parts) : part.text)).join("");
  return blocks
    .map((block) => {
      if (block.kind === "heading") return of(block.parts);
      if (block.kind === "paragraph") return block.lines.map(of).join("\n");
      if (block.kind === "code") return block.text;
      if (block.kind === "quote") return words(block.blocks);
      if (block.kind === "rule") return "";
      return block.items.map(({ lines, lists }) => [...lines.map(of), words(lists)].join("\n")).join("\n");
    })
    .join("\n");
}

describe("the body of a note", () => {
  it("has headings, paragraphs with their lines, lists, quotes, code and rules", () => {
    const item = (words: string, ...lists: Block[]) => ({ task: null, lines: [[text(words)]], lists });
    const list = (ordered: boolean, ...items: ReturnType<typeof item>[]) =>
      ({ kind: "list", ordered, start: 1, items }) as Block;
    expect(noteBlocks("## Plan\none\ntwo\n\n- a\n  - b\n1. c\n\n> said\n\n```js\nx < 1\n```\n---")).toEqual([
      { kind: "heading", level: 2, parts: [text("Plan")] },
      { kind: "paragraph", lines: [[text("one")], [text("two")]] },
      list(false, item("a", list(false, item("b")))),
      list(true, item("c")),
      { kind: "quote", blocks: [{ kind: "paragraph", lines: [[text("said")]] }] },
      { kind: "code", text: "x < 1" },
      { kind: "rule" },
    ]);
  });

  it("marks words as bold, italic, struck, code and links, and leaves names_with_lines whole", () => {
    const [paragraph] = noteBlocks(
      "**b** *i* ~~s~~ `c*d*` [l](https://a.b/c) snake_case_name https://x.y/z.",
    );
    expect(paragraph).toEqual({
      kind: "paragraph",
      lines: [
        [
          { kind: "strong", parts: [text("b")] },
          text(" "),
          { kind: "em", parts: [text("i")] },
          text(" "),
          { kind: "del", parts: [text("s")] },
          text(" "),
          { kind: "code", text: "c*d*" },
          text(" "),
          { kind: "link", href: "https://a.b/c", parts: [text("l")] },
          text(" snake_case_name "),
          { kind: "link", href: "https://x.y/z", parts: [text("https://x.y/z")] },
          text("."),
        ],
      ],
    });
  });

  it.each([
    ..."javascript:alert(1) JaVaScRiPt:alert(1) data:text/html,x vbscript:x //evil.example".split(" "),
    ...["/\\evil.example", "file:///etc/passwd", ""],
  ])("has no link to %j", (address) => {
    expect(linkTarget(address)).toBeNull();
    expect(JSON.stringify(noteBlocks(`[x](${address})`))).not.toContain('"link"');
  });

  it.each(["https://a.b", "http://a.b/?q=1#x", "mailto:a@b.c", "/file/1?L=2", "#L3"])(
    "has a link to %s",
    (address) => {
      expect(linkTarget(address)).toBe(address);
    },
  );

  it("shows markup as the text it is", () => {
    expect(noteBlocks("<b>x</b> <script>1</script>")).toEqual([
      { kind: "paragraph", lines: [[text("<b>x</b> <script>1</script>")]] },
    ]);
  });

  it("shows every box exactly once, whatever is written", () => {
    const plain = ["# h", "", "1. x", "---", "- plain", "   text", "- [ ] `", "** [ ] x", "שלום", "`` ` ``"];
    const line = fc.constantFrom(
      ...["- [ ] a", "  - [x] b", "\t* [X]", "> - [ ] q", "    + [ ] deep", "```", "~~~", "````js", ...plain],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
        const content = lines.join(end);
        const shown = boxes(noteBlocks(content)).sort((a, b) => a.index - b.index);
        expect(shown).toEqual(findTasks(content).map(({ index, checked }) => ({ index, checked })));
      }),
      { numRuns: 500 },
    );
  });

  it("loses no letter", () => {
    const unit = fc.constantFrom(..."abאב1*_- \n#>.\\");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (content) => {
        const letters = (of: string) => of.replace(/[^\p{L}]/gu, "");
        expect(letters(words(noteBlocks(content)))).toBe(letters(content));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["stars", "*".repeat(20_000)],
    ["openers without an end", "**a ".repeat(5_000)],
    ["brackets", "[".repeat(20_000)],
    ["half links", "[a](".repeat(5_000)],
    ["nested lists", Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}- x`).join("\n")],
    ["nested quotes", ">".repeat(20_000)],
    ["ticks", "`".repeat(19_999)],
    ["rules that are none", "- ".repeat(10_000)],
  ])("is read in one go: %s", (_, content) => {
    expect(noteBlocks(content).length).toBeGreaterThan(0);
  });
});

it.each([
  ["\n\n# Plan of **today**\nmore", "Plan of today"],
  ["- [ ] buy `milk`", "buy milk"],
  ["", ""],
  ["שלום [עולם](https://a.b)", "שלום עולם"],
])("the note %j is named %j", (content, name) => {
  expect(getFirstPlainLine(content)).toBe(name);
});

describe("a note without its marks", () => {
  const NOTE = "## This **week**\n\n- [x] Renew `it`\n- [ ] Answer\n> said";

  it("keeps its lines, and a task its box", () => {
    expect(plainLines(NOTE)).toBe("This week\n\n☑ Renew it\n☐ Answer\nsaid");
  });

  it("is its words in one line", () => {
    expect(plainWords(NOTE)).toBe("This week Renew it Answer said");
  });
});
