import { itemAt } from "#domain/required.ts";

/** The headings of a Markdown text with the ids that links use. Pages and notes share these rules. */
export type MarkdownHeading = {
  id: string;
  text: string;
  /** Counted from 1. */
  line: number;
};

// Ids that the page around the text uses itself.
const RESERVED_IDS = ["content", "files", "language", "text"];

function slugify(text: string): string {
  const slug = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
  return slug || "section";
}

export function headingIds(texts: readonly string[]): string[] {
  const uses = new Map(RESERVED_IDS.map((id) => [id, 1]));
  return texts.map((text) => createUniqueId(slugify(text), uses));
}

/** The first heading keeps its slug and the next ones are numbered; numbers that are another heading's slug are skipped. */
function createUniqueId(slug: string, uses: Map<string, number>): string {
  let n = uses.get(slug) ?? 0;
  let id = n === 0 ? slug : `${slug}-${n}`;
  while (n > 0 && uses.has(id)) id = `${slug}-${++n}`;
  uses.set(slug, n + 1);
  if (id !== slug) uses.set(id, 1);
  return id;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HASHES = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const HEADING_MAX = 500;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

export function findHeadingsWithIds(lines: readonly string[]): MarkdownHeading[] {
  const headings = findHeadings(lines);
  const ids = headingIds(headings.map(({ text }) => text));
  return headings.map((heading, i) => ({ ...heading, id: itemAt(ids, i) }));
}

/** Finds headings with `#` or an underline, outside fenced code. */
export function findHeadings(lines: readonly string[]): Omit<MarkdownHeading, "id">[] {
  const headings: { text: string; line: number }[] = [];
  let fence: string | null = null;
  for (const [i, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    const previousLine = lines[i - 1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark) fence = mark;
    else if (HASHES.test(line)) headings.push({ text: toVisibleText(stripHashes(line)), line: i + 1 });
    else if (UNDERLINE.test(line) && previousLine !== undefined && isParagraph(previousLine))
      headings.push({ text: toVisibleText(previousLine), line: i });
  }
  return headings;
}

function stripHashes(line: string): string {
  const text = line.replace(HASHES, "").trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

const isParagraph = (line: string) => line.trim() !== "" && !/^\s*(?:[-*+>|#]|\d+[.)]|```|~~~)/.test(line);

function toVisibleText(text: string): string {
  return text
    .slice(0, HEADING_MAX)
    .replace(/!?\[([^[\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/\*(.+?)\*/g, "$1")
    .trim();
}
