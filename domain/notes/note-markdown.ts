import { type Inline, inlineParts, plainText } from "#domain/notes/note-inline.ts";
import { type NoteTask, tasksIn } from "#domain/notes/note-tasks.ts";
import { itemAt, lastItem } from "#domain/required.ts";

/**
 * The body of a note as a tree: headings, lists, tasks, quotes, code and paragraphs. It holds no markup;
 * the server makes HTML of it. It is read line by line, so that its time grows with the length alone. `note-tasks` decides which lines
 * are tasks and numbers them, so that what is shown is what can be ticked.
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
  const tasks = new Map(tasksIn(content).map((task) => [task.line, task]));
  return parseBlocks(content.split(/\r\n|\r|\n/), (line) => tasks.get(line), 0);
}

type TaskAt = (line: number) => NoteTask | undefined;

function parseBlocks(lines: string[], taskAt: TaskAt, depth: number): Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  const flush = () => {
    if (open.length > 0) blocks.push({ kind: "paragraph", lines: open.map((line) => inlineParts(line)) });
    open = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = itemAt(lines, at);
    const read = line.trim() === "" ? { block: null, next: at + 1 } : blockAt(lines, at, taskAt, depth);
    if (read) {
      flush();
      if (read.block) blocks.push(read.block);
      at = read.next;
    } else {
      open.push(line.trim());
      at += 1;
    }
  }
  flush();
  return blocks;
}

type Read = { block: Block | null; next: number };

/** What begins at a line, unless it is a line of a paragraph. */
function blockAt(lines: string[], at: number, taskAt: TaskAt, depth: number): Read | null {
  const line = itemAt(lines, at);
  if (taskAt(at)) return listAt(lines, at, taskAt);
  const fence = fenceIn(line);
  if (fence) return codeAt(lines, at, fence, taskAt);
  const heading = HEADING.exec(line);
  if (heading)
    return {
      block: {
        kind: "heading",
        level: heading[1]?.length ?? 1,
        parts: inlineParts(headingWords(line.slice(heading[0].length).trim())),
      },
      next: at + 1,
    };
  if (RULE.test(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (QUOTE.test(line) && depth < MAX_QUOTE_DEPTH) return quoteAt(lines, at, depth);
  return ENTRY.test(line) ? listAt(lines, at, taskAt) : null;
}

/** The words of a heading; hashes behind them close it. */
function headingWords(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return /\s/.test(text[end - 1] ?? "") ? text.slice(0, end).trimEnd() : text;
}

/** What opens code, as `note-tasks` sees it. */
function fenceIn(line: string): string | undefined {
  const mark = FENCE.exec(line);
  return mark?.[1] ?? mark?.[2];
}

/** Code goes on to its closing fence, or to the end. */
function codeAt(lines: string[], at: number, fence: string, taskAt: TaskAt): Read {
  let end = at + 1;
  const closes = (line: string | undefined) => {
    const mark = line?.trim() ?? "";
    return mark.length >= fence.length && [...mark].every((char) => char === fence[0]);
  };
  while (end < lines.length && !closes(lines[end]) && !taskAt(end)) end += 1;
  const closed = closes(lines[end]);
  return {
    block: { kind: "code", text: lines.slice(at + 1, end).join("\n") },
    next: closed ? end + 1 : end,
  };
}

function quoteAt(lines: string[], at: number, depth: number): Read {
  const inside: string[] = [];
  for (let next = at; next < lines.length; next += 1) {
    const words = QUOTE.exec(itemAt(lines, next))?.[1];
    if (words === undefined) break;
    inside.push(words);
  }
  const blocks = parseBlocks(inside, () => undefined, depth + 1);
  return { block: { kind: "quote", blocks }, next: at + inside.length };
}

type Level = { indent: number; list: List };

/** A list with the lists inside it, by how far each entry is set in. Lines set in without a mark go on with their entry. */
function listAt(lines: string[], at: number, taskAt: TaskAt): Read {
  const levels: Level[] = [];
  let root: List | null = null;
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = itemAt(lines, next);
    const entry = RULE.test(line) && !taskAt(next) ? null : ENTRY.exec(line);
    if (!entry && !taskAt(next)) {
      if (fenceIn(line)) break;
      const item = levels.at(-1)?.list.items.at(-1);
      if (!item || !/^\s{2,}\S/.test(line)) break;
      item.lines.push(inlineParts(line.trim()));
      continue;
    }
    const indent = countIndent(line);
    const ordered = entry?.[3] !== undefined;
    while (levels.length > 1 && lastItem(levels).indent > indent) levels.pop();
    const level = levelFor(levels, indent, ordered, Number(entry?.[3] ?? 1));
    if (!level) break;
    root ??= level.list;
    level.list.items.push(parseItem(line, entry?.[4] ?? "", taskAt(next)));
  }
  return { block: root, next };
}

/** The list an entry belongs to: one that is open, or a new one inside the last entry. Null where another list begins. */
function levelFor(levels: Level[], indent: number, ordered: boolean, start: number): Level | null {
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

/** How much of a text is read for its first words. */
export const BEGINNING = 2_000;

/** The first words a note shows, without their marks. */
export function firstLine(content: string): string {
  const line = splitLines(content.slice(0, BEGINNING)).find((text) => text.trim() !== "") ?? "";
  return plainText(inlineParts(line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s?)?)/, "").trim()));
}

/** The lines of a note without their marks; a task keeps its box. */
export function plainLines(content: string): string {
  return splitLines(content)
    .map((line) => {
      const box = /^\s*[-*+]\s+\[([ xX])\]/.exec(line)?.[1];
      return `${box ? (box === " " ? "☐ " : "☑ ") : ""}${firstLine(line)}`;
    })
    .join("\n");
}

/** The words that a note begins with, without any marks, in one line. */
export function plainWords(content: string): string {
  return splitLines(content.slice(0, BEGINNING)).map(firstLine).filter(Boolean).join(" ");
}

function splitLines(content: string): string[] {
  return content.split(/\r\n|\r|\n/);
}
