import { showFrontMatterAsCode } from "#app/viewers/markdown/front-matter.ts";
import { escapeUnknownTags } from "#app/viewers/markdown/known-tags.ts";

/**
 * A Markdown text in the words of the compiler, which has rules of its own: footnotes apart, by number; and whatever people write that the
 * compiler takes for something else, written so that it is understood. Code is left as it is.
 */
type MarkdownSource = { text: string; footnotes: string[] };

/** Makes HTML of a few words. */
type CompileInline = (words: string) => string;

export function prepareMarkdown(body: string, compileInline: CompileInline): MarkdownSource {
  const { blocks, footnotes } = takeFootnotes(splitBlocks(showFrontMatterAsCode(body)));
  const numbers = new Map<string, number>();
  const number = (label: string) => {
    if (!footnotes.has(label)) return null;
    const known = numbers.get(label) ?? numbers.size + 1;
    numbers.set(label, known);
    return known;
  };
  const rewrite = (words: string) => rewriteOutsideCode(words, number);
  const text = blocks
    .map(({ isCode, lines }) => {
      if (isCode) return lines.join("\n");
      const definitions = showDefinitions(lines, (words) => compileInline(rewrite(words)));
      return definitions ?? showFormulas(lines, rewrite);
    })
    .join("\n");
  return { text, footnotes: orderFootnotes(footnotes, numbers, number, rewrite) };
}

/** Those that the text refers to, in that order, with those that only footnotes refer to; then the others. */
function orderFootnotes(
  footnotes: Map<string, string>,
  numbers: Map<string, number>,
  number: (label: string) => number | null,
  rewrite: (words: string) => string,
): string[] {
  const rewritten: string[] = [];
  // A footnote may refer to one that has no number yet, which then comes at the end of what is gone through.
  for (const [label] of numbers) rewritten.push(rewrite(footnotes.get(label) ?? ""));
  for (const [label, words] of footnotes) {
    if (numbers.has(label)) continue;
    number(label);
    rewritten.push(rewrite(words));
  }
  return rewritten;
}

/** Lines that belong together: a fence with its code, lines of indented code, blank lines, or a paragraph. */
type Block = { isCode: boolean; lines: string[] };

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;
const LIST_ITEM = /^[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const INDENTED = /^(?: {4}|\t)/;

function splitBlocks(body: string): Block[] {
  const blocks: Block[] = [];
  let current: Block | null = null;
  let fence = "";
  let isInList = false;
  const begin = (isCode: boolean, line: string) => {
    current = { isCode, lines: [line] };
    blocks.push(current);
  };
  for (const line of body.split(/\r\n|\r|\n/)) {
    const isBlank = line.trim() === "";
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "") {
      current = addLine(current, line);
      if (mark.startsWith(fence) && line.trim().replace(/^>+/, "").trim() === mark)
        [fence, current] = ["", null];
    } else if (mark !== "") {
      fence = mark;
      begin(true, line);
    } else if (isBlank) {
      begin(true, line);
      current = null;
    } else if (current === null) {
      if (LIST_ITEM.test(line)) isInList = true;
      else if (!/^[ \t]/.test(line)) isInList = false;
      begin(INDENTED.test(line) && !isInList, line);
    } else current = addLine(current, line);
  }
  return blocks;
}

function addLine(block: Block | null, line: string): Block | null {
  block?.lines.push(line);
  return block;
}

const FOOTNOTE = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*)$/;
const FURTHER = /^(?: {2,}|\t)/;

/** Takes footnotes out of a text, each with the indented paragraphs below it. The first of a name counts. */
function takeFootnotes(blocks: Block[]): { blocks: Block[]; footnotes: Map<string, string> } {
  const kept: Block[] = [];
  const footnotes = new Map<string, string>();
  let open: string | null = null;
  let blanks: Block[] = [];
  const add = (label: string, words: string) => footnotes.set(label, (footnotes.get(label) ?? "") + words);
  for (const block of blocks) {
    const [first = ""] = block.lines;
    const isBlank = block.isCode && first.trim() === "" && block.lines.length === 1;
    if (open !== null && isBlank) {
      blanks.push(block);
      continue;
    }
    if (open !== null && FURTHER.test(first)) {
      add(open, `\n\n${block.lines.map((line) => line.replace(/^(?: {1,4}|\t)/, "")).join("\n")}`);
      blanks = [];
      continue;
    }
    kept.push(...blanks);
    [open, blanks] = [null, []];
    if (block.isCode) {
      kept.push(block);
      continue;
    }
    const before: string[] = [];
    for (const line of block.lines) {
      const [, label, words = ""] = FOOTNOTE.exec(line) ?? [];
      if (label !== undefined) {
        // A label has no space, so that nothing refers to the second of a name; it is shown all the same.
        open = footnotes.has(label) ? `${label} ` : label;
        add(open, words);
      } else if (open !== null) add(open, `\n${line.trim()}`);
      else before.push(line);
    }
    if (before.length > 0) kept.push({ isCode: false, lines: before });
  }
  return { blocks: [...kept, ...blanks], footnotes };
}

const TERM = /^(?![ \t>#|:]|[-*+][ \t]|\d{1,9}[.)][ \t])\S/;
const MEANING = /^:[ \t]+(.*)$/;

/** A paragraph of terms with meanings below them, each after a colon, as a list of them; null where it is none. */
function showDefinitions(lines: string[], compile: CompileInline): string | null {
  if (!MEANING.test(lines[1] ?? "") || !TERM.test(lines[0] ?? "")) return null;
  const entries: { isTerm: boolean; words: string }[] = [];
  for (const line of lines) {
    const meaning = MEANING.exec(line)?.[1];
    const last = entries.at(-1);
    if (meaning !== undefined) entries.push({ isTerm: false, words: meaning });
    else if (last && !last.isTerm && /^[ \t]/.test(line)) last.words += ` ${line.trim()}`;
    else entries.push({ isTerm: true, words: line });
  }
  const rows = entries.map(({ isTerm, words }) => {
    const html = compile(words).replace(/\n+/g, " ");
    return isTerm ? `<dt>${html}</dt>` : `<dd>${html}</dd>`;
  });
  return `<dl>${rows.join("")}</dl>`;
}

const FORMULA_FENCE = "~~~~~~";

/** Formulas of whole lines, from two dollar signs to the next two, as code: their signs mean other things in Markdown. */
function showFormulas(lines: string[], rewrite: (words: string) => string): string {
  const written: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.length; i += 1) {
    if (!lines[i]?.trimStart().startsWith("$$")) continue;
    const end = findFormulaEnd(lines, i);
    if (end < 0) break;
    if (i > from) written.push(rewrite(lines.slice(from, i).join("\n")));
    const fence = `${/^[ \t]*/.exec(lines[i] ?? "")}${FORMULA_FENCE}`;
    written.push([fence, ...lines.slice(i, end + 1), fence].join("\n"));
    [from, i] = [end + 1, end];
  }
  if (from < lines.length) written.push(rewrite(lines.slice(from).join("\n")));
  return written.join("\n\n");
}

/** The line with which a formula that begins in this one ends; -1 where it does not. */
function findFormulaEnd(lines: string[], begin: number): number {
  const first = lines[begin]?.trim() ?? "";
  if (first.length > 4 && first.endsWith("$$")) return begin;
  for (let i = begin + 1; i < lines.length; i += 1) if (lines[i]?.trimEnd().endsWith("$$")) return i;
  return -1;
}

/** Rewrites what lies between code: `inline code` is nobody's to change. */
function rewriteOutsideCode(text: string, number: (label: string) => number | null): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  // Where runs of each length stand, the next one last.
  const waiting = Map.groupBy(runs.toReversed(), ({ length }) => length);
  let rewritten = "";
  let at = 0;
  for (const { index, length } of runs) {
    const same = waiting.get(length) ?? [];
    if (index < at) continue;
    while ((same.at(-1)?.index ?? Infinity) <= index) same.pop();
    const end = same.at(-1)?.index;
    if (end === undefined) continue;
    rewritten += rewriteWords(text.slice(at, index), number) + text.slice(index, end + length);
    at = end + length;
  }
  return rewritten + rewriteWords(text.slice(at), number);
}

/** A formula within a line: not a price, nor the variable of a shell. */
const FORMULA = /(?<![\p{L}\p{N}\\$])(\$\$?)(?![\s$])[^$\n`]{0,500}(?<![\s\\])\1(?![\p{L}\p{N}$])/gu;
const STRUCK = /(?<![\p{L}\p{N}~\\])~(?![\s~])([^~\n]*[^~\s\\])~(?![\p{L}\p{N}~])/gu;
const REFERENCE = /(!?)\[\^([^\]\s]{1,100})\]/g;

function rewriteWords(words: string, number: (label: string) => number | null): string {
  let rewritten = "";
  let at = 0;
  for (const { index, 0: formula } of words.matchAll(FORMULA)) {
    rewritten += `${rewritePlain(words.slice(at, index), number)}\`${formula}\``;
    at = index + formula.length;
  }
  return rewritten + rewritePlain(words.slice(at), number);
}

function rewritePlain(words: string, number: (label: string) => number | null): string {
  return escapeUnknownTags(words)
    .replace(STRUCK, "~~$1~~")
    .replace(REFERENCE, (_, mark: string, label: string) => {
      const place = number(label);
      const exclaimed = mark && "&#33;";
      return place === null ? `${exclaimed}\\[^${label}]` : `${exclaimed}[^${place}]`;
    });
}
