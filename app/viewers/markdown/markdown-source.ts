import { showFrontMatterAsCode } from "#app/viewers/markdown/front-matter.ts";
import { escapeUnknownTags } from "#app/viewers/markdown/known-tags.ts";

/**
 * Rewrites Markdown for the compiler, which has rules of its own: footnotes are taken out and numbered, and what the compiler would
 * misunderstand is rewritten. Code stays as it is.
 */
type MarkdownSource = { text: string; footnotes: string[] };

type CompileInline = (words: string) => string;

export function prepareMarkdown(body: string, compileInline: CompileInline): MarkdownSource {
  const { blocks, footnotes } = takeFootnotes(splitBlocks(showFrontMatterAsCode(body)));
  const numbers = new Map<string, number>();
  const number = (label: string) => {
    if (!footnotes.has(label)) return null;
    const knownNumber = numbers.get(label) ?? numbers.size + 1;
    numbers.set(label, knownNumber);
    return knownNumber;
  };
  const rewrite = (words: string) => rewriteOutsideCode(words, number);
  const text = blocks
    .map(({ isCode, lines }) => {
      if (isCode) return lines.join("\n");
      const definitions = renderDefinitionList(lines, (words) => compileInline(rewrite(words)));
      return definitions ?? toCodeFormulas(lines, rewrite);
    })
    .join("\n");
  return { text, footnotes: orderFootnotes(footnotes, numbers, number, rewrite) };
}

/** Orders footnotes by their references in the text and in other footnotes; unreferenced ones come last. */
function orderFootnotes(
  footnotes: Map<string, string>,
  numbers: Map<string, number>,
  number: (label: string) => number | null,
  rewrite: (words: string) => string,
): string[] {
  const rewritten: string[] = [];
  // A footnote may refer to one without a number, which is then appended to the map and visited later.
  for (const [label] of numbers) rewritten.push(rewrite(footnotes.get(label) ?? ""));
  for (const [label, words] of footnotes) {
    if (numbers.has(label)) continue;
    number(label);
    rewritten.push(rewrite(words));
  }
  return rewritten;
}

/** A fence with its code, lines of indented code, blank lines, or a paragraph. */
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

/** Takes the footnotes out of a text, each with the indented paragraphs below it. The first footnote of a name counts. */
function takeFootnotes(blocks: Block[]): { blocks: Block[]; footnotes: Map<string, string> } {
  const remaining: Block[] = [];
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
    remaining.push(...blanks);
    [open, blanks] = [null, []];
    if (block.isCode) {
      remaining.push(block);
      continue;
    }
    const before: string[] = [];
    for (const line of block.lines) {
      const [, label, words = ""] = FOOTNOTE.exec(line) ?? [];
      if (label !== undefined) {
        // A label has no space, so nothing refers to the second footnote of a name; it is shown all the same.
        open = footnotes.has(label) ? `${label} ` : label;
        add(open, words);
      } else if (open !== null) add(open, `\n${line.trim()}`);
      else before.push(line);
    }
    if (before.length > 0) remaining.push({ isCode: false, lines: before });
  }
  return { blocks: [...remaining, ...blanks], footnotes };
}

const TERM = /^(?![ \t>#|:]|[-*+][ \t]|\d{1,9}[.)][ \t])\S/;
const MEANING = /^:[ \t]+(.*)$/;

/** Renders a paragraph of terms, each with meanings after a colon below it, as a definition list; null if it is none. */
function renderDefinitionList(lines: string[], compile: CompileInline): string | null {
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

/** Turns formulas of whole lines, between pairs of dollar signs, into code, because their characters mean other things in Markdown. */
function toCodeFormulas(lines: string[], rewrite: (words: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < lines.length; i += 1) {
    if (!lines[i]?.trimStart().startsWith("$$")) continue;
    const end = findFormulaEnd(lines, i);
    if (end < 0) break;
    if (i > from) parts.push(rewrite(lines.slice(from, i).join("\n")));
    const fence = `${/^[ \t]*/.exec(lines[i] ?? "")}${FORMULA_FENCE}`;
    parts.push([fence, ...lines.slice(i, end + 1), fence].join("\n"));
    [from, i] = [end + 1, end];
  }
  if (from < lines.length) parts.push(rewrite(lines.slice(from).join("\n")));
  return parts.join("\n\n");
}

function findFormulaEnd(lines: string[], begin: number): number {
  const first = lines[begin]?.trim() ?? "";
  if (first.length > 4 && first.endsWith("$$")) return begin;
  for (let i = begin + 1; i < lines.length; i += 1) if (lines[i]?.trimEnd().endsWith("$$")) return i;
  return -1;
}

function rewriteOutsideCode(text: string, number: (label: string) => number | null): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  // The positions of runs by their length, the next one last.
  const runsByLength = Map.groupBy(runs.toReversed(), ({ length }) => length);
  let rewritten = "";
  let position = 0;
  for (const { index, length } of runs) {
    const sameLength = runsByLength.get(length) ?? [];
    if (index < position) continue;
    while ((sameLength.at(-1)?.index ?? Infinity) <= index) sameLength.pop();
    const end = sameLength.at(-1)?.index;
    if (end === undefined) continue;
    rewritten += rewriteWords(text.slice(position, index), number) + text.slice(index, end + length);
    position = end + length;
  }
  return rewritten + rewriteWords(text.slice(position), number);
}

/** A formula within a line, as opposed to a price or a shell variable. */
const FORMULA = /(?<![\p{L}\p{N}\\$])(\$\$?)(?![\s$])[^$\n`]{0,500}(?<![\s\\])\1(?![\p{L}\p{N}$])/gu;
const STRUCK = /(?<![\p{L}\p{N}~\\])~(?![\s~])([^~\n]*[^~\s\\])~(?![\p{L}\p{N}~])/gu;
const REFERENCE = /(!?)\[\^([^\]\s]{1,100})\]/g;

function rewriteWords(words: string, number: (label: string) => number | null): string {
  let rewritten = "";
  let position = 0;
  for (const { index, 0: formula } of words.matchAll(FORMULA)) {
    rewritten += `${rewritePlain(words.slice(position, index), number)}\`${formula}\``;
    position = index + formula.length;
  }
  return rewritten + rewritePlain(words.slice(position), number);
}

function rewritePlain(words: string, number: (label: string) => number | null): string {
  return escapeUnknownTags(words)
    .replace(STRUCK, "~~$1~~")
    .replace(REFERENCE, (_, mark: string, label: string) => {
      const footnote = number(label);
      const exclaimed = mark && "&#33;";
      return footnote === null ? `${exclaimed}\\[^${label}]` : `${exclaimed}[^${footnote}]`;
    });
}
