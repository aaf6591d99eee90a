import { itemAt } from "#domain/required.ts";

/** The headings of a Markdown text and the names by which they are linked to: the same for the page and for notes on it. */
export type MarkdownHeading = {
  id: string;
  text: string;
  /** Counted from 1. */
  line: number;
};

// Names that the page around the text uses itself.
const TAKEN = ["content", "files", "language", "text"];

/** The words of a heading in their own script, joined by dashes. */
function slugify(text: string): string {
  const slug = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
  return slug || "section";
}

/** A name for each heading of a text, in order. */
export function headingIds(texts: readonly string[]): string[] {
  const uses = new Map(TAKEN.map((id) => [id, 1]));
  return texts.map((text) => unused(slugify(text), uses));
}

/** The first keeps the name and the next ones are numbered; a number that another heading already has is skipped. */
function unused(slug: string, uses: Map<string, number>): string {
  let n = uses.get(slug) ?? 0;
  let id = n === 0 ? slug : `${slug}-${n}`;
  while (n > 0 && uses.has(id)) id = `${slug}-${++n}`;
  uses.set(slug, n + 1);
  if (id !== slug) uses.set(id, 1);
  return id;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HASHES = /^ {0,3}#{1,6}(?=[ \t]|$)/;
/** Longer names are cut. */
const HEADING_READ = 500;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** The headings, each with the name that links to it. */
export function headingsIn(lines: readonly string[]): MarkdownHeading[] {
  const found = findHeadings(lines);
  const ids = headingIds(found.map(({ text }) => text));
  return found.map((heading, i) => ({ ...heading, id: itemAt(ids, i) }));
}

/** The headings outside fenced code, by `#` or by an underline. */
export function findHeadings(lines: readonly string[]): Omit<MarkdownHeading, "id">[] {
  const found: { text: string; line: number }[] = [];
  let fence: string | null = null;
  for (const [i, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    const before = lines[i - 1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark) fence = mark;
    else if (HASHES.test(line)) found.push({ text: plain(wordsAfterHashes(line)), line: i + 1 });
    else if (UNDERLINE.test(line) && before !== undefined && isParagraph(before))
      found.push({ text: plain(before), line: i });
  }
  return found;
}

/** What stands between the hashes before a heading and those that may close it. */
function wordsAfterHashes(line: string): string {
  const text = line.replace(HASHES, "").trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

const isParagraph = (line: string) => line.trim() !== "" && !/^\s*(?:[-*+>|#]|\d+[.)]|```|~~~)/.test(line);

/** What a reader sees of a heading: marks of emphasis, code and links are gone, their words stay. */
function plain(text: string): string {
  return text
    .slice(0, HEADING_READ)
    .replace(/!?\[([^[\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/\*(.+?)\*/g, "$1")
    .trim();
}
