import { type Inline, inlineParts, plainText } from "#domain/notes/note-inline.ts";
import { findTasks, type NoteTask } from "#domain/notes/note-tasks.ts";
import { itemAt, lastItem } from "#domain/required.ts";

/**
 * Parses a note into a tree of headings, lists, tasks, quotes, code and paragraphs. The tree holds no markup; the server makes
 * HTML from it. Parsing goes line by line, so its time is linear in the length. `note-tasks` decides which lines are tasks and
 * numbers them, so that the boxes shown are those that can be ticked.
 */
export type Block =
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; lines: Inline[][] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: Item[] }
  | { kind: "rule" };

export type Item = { task: { index: number; checked: boolean } | null; lines: Inline[][]; lists: Block[] };

type List = Extract<Block, { kind: "list" }>;

const FENCE = /^[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const HEADING = /^\s{0,3}(#{1,6})(?=\s)/;
const RULE = /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/s;
const ENTRY = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/s;
const MAX_LIST_DEPTH = 5;
const MAX_QUOTE_DEPTH = 3;

export function noteBlocks(content: string): Block[] {
  const tasks = new Map(findTasks(content).map((task) => [task.line, task]));
  return parseBlocks(content.split(/\r\n|\r|\n/), (line) => tasks.get(line), 0);
}

type FindTask = (line: number) => NoteTask | undefined;

function parseBlocks(lines: string[], findTask: FindTask, depth: number): Block[] {
  const blocks: Block[] = [];
  let paragraphLines: string[] = [];
  const flush = () => {
    if (paragraphLines.length > 0)
      blocks.push({ kind: "paragraph", lines: paragraphLines.map((line) => inlineParts(line)) });
    paragraphLines = [];
  };
  for (let index = 0; index < lines.length; ) {
    const line = itemAt(lines, index);
    const parsed =
      line.trim() === "" ? { block: null, next: index + 1 } : parseBlock(lines, index, findTask, depth);
    if (parsed) {
      flush();
      if (parsed.block) blocks.push(parsed.block);
      index = parsed.next;
    } else {
      paragraphLines.push(line.trim());
      index += 1;
    }
  }
  flush();
  return blocks;
}

type ParsedBlock = { block: Block | null; next: number };

function parseBlock(lines: string[], index: number, findTask: FindTask, depth: number): ParsedBlock | null {
  const line = itemAt(lines, index);
  if (findTask(index)) return parseList(lines, index, findTask);
  const fence = findFence(line);
  if (fence) return parseCode(lines, index, fence, findTask);
  const heading = HEADING.exec(line);
  if (heading)
    return {
      block: {
        kind: "heading",
        level: heading[1]?.length ?? 1,
        parts: inlineParts(stripClosingHashes(line.slice(heading[0].length).trim())),
      },
      next: index + 1,
    };
  if (RULE.test(line)) return { block: { kind: "rule" }, next: index + 1 };
  if (QUOTE.test(line) && depth < MAX_QUOTE_DEPTH) return parseQuote(lines, index, depth);
  return ENTRY.test(line) ? parseList(lines, index, findTask) : null;
}

function stripClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return /\s/.test(text[end - 1] ?? "") ? text.slice(0, end).trimEnd() : text;
}

/** Finds the opening of code by the same rule as `note-tasks`. */
function findFence(line: string): string | undefined {
  const mark = FENCE.exec(line);
  return mark?.[1] ?? mark?.[2];
}

/** Code extends to its closing fence, or to the end. */
function parseCode(lines: string[], index: number, fence: string, findTask: FindTask): ParsedBlock {
  let end = index + 1;
  const isClosingFence = (line: string | undefined) => {
    const mark = line?.trim() ?? "";
    return mark.length >= fence.length && [...mark].every((char) => char === fence[0]);
  };
  while (end < lines.length && !isClosingFence(lines[end]) && !findTask(end)) end += 1;
  const isClosed = isClosingFence(lines[end]);
  return {
    block: { kind: "code", text: lines.slice(index + 1, end).join("\n") },
    next: isClosed ? end + 1 : end,
  };
}

function parseQuote(lines: string[], index: number, depth: number): ParsedBlock {
  const quotedLines: string[] = [];
  for (let next = index; next < lines.length; next += 1) {
    const words = QUOTE.exec(itemAt(lines, next))?.[1];
    if (words === undefined) break;
    quotedLines.push(words);
  }
  const blocks = parseBlocks(quotedLines, () => undefined, depth + 1);
  return { block: { kind: "quote", blocks }, next: index + quotedLines.length };
}

type Level = { indent: number; list: List };

/** Parses nested lists by the indent of their entries. Indented lines without a mark continue their entry. */
function parseList(lines: string[], index: number, findTask: FindTask): ParsedBlock {
  const levels: Level[] = [];
  let root: List | null = null;
  let next = index;
  for (; next < lines.length; next += 1) {
    const line = itemAt(lines, next);
    const entry = RULE.test(line) && !findTask(next) ? null : ENTRY.exec(line);
    if (!entry && !findTask(next)) {
      if (findFence(line)) break;
      const item = levels.at(-1)?.list.items.at(-1);
      if (!item || !/^\s{2,}\S/.test(line)) break;
      item.lines.push(inlineParts(line.trim()));
      continue;
    }
    const indent = countIndent(line);
    const ordered = entry?.[3] !== undefined;
    while (levels.length > 1 && lastItem(levels).indent > indent) levels.pop();
    const level = chooseLevel(levels, indent, ordered, Number(entry?.[3] ?? 1));
    if (!level) break;
    root ??= level.list;
    level.list.items.push(parseItem(line, entry?.[4] ?? "", findTask(next)));
  }
  return { block: root, next };
}

/** Chooses the list of an entry: an open list, or a new one inside the last entry. Returns null where another list begins. */
function chooseLevel(levels: Level[], indent: number, ordered: boolean, start: number): Level | null {
  const last = levels.at(-1);
  const list: List = { kind: "list", ordered, start, items: [] };
  if (!last || (indent >= last.indent + 2 && levels.length < MAX_LIST_DEPTH)) {
    last?.list.items.at(-1)?.lists.push(list);
    levels.push({ indent, list });
  } else if (last.list.ordered !== ordered) {
    if (levels.length === 1) return null;
    levels.pop();
    levels.at(-1)?.list.items.at(-1)?.lists.push(list);
    levels.push({ indent, list });
  }
  return lastItem(levels);
}

function parseItem(line: string, text: string, task: NoteTask | undefined): Item {
  const words = task ? line.replace(/^\s*[-*+]\s+\[[ xX]\]\s?/, "") : text;
  return {
    task: task ? { index: task.index, checked: task.checked } : null,
    lines: [inlineParts(words)],
    lists: [],
  };
}

function countIndent(line: string): number {
  return line.slice(0, line.length - line.trimStart().length).replaceAll("\t", "    ").length;
}

/** The part of a text that is read for its first words. */
export const BEGINNING = 2_000;

/** Returns the first line with words, without marks. */
export function getFirstPlainLine(content: string): string {
  const line = splitLines(content.slice(0, BEGINNING)).find((text) => text.trim() !== "") ?? "";
  return plainText(inlineParts(line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s?)?)/, "").trim()));
}

/** Returns the lines of a note without marks; a task keeps its box. */
export function plainLines(content: string): string {
  return splitLines(content)
    .map((line) => {
      const box = /^\s*[-*+]\s+\[([ xX])\]/.exec(line)?.[1];
      return `${box ? (box === " " ? "☐ " : "☑ ") : ""}${getFirstPlainLine(line)}`;
    })
    .join("\n");
}

/** Returns the beginning of a note as a single line without marks. */
export function plainWords(content: string): string {
  return splitLines(content.slice(0, BEGINNING)).map(getFirstPlainLine).filter(Boolean).join(" ");
}

function splitLines(content: string): string[] {
  return content.split(/\r\n|\r|\n/);
}
