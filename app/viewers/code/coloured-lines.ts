import { highlightFragment } from "#app/viewers/code/highlight-code.ts";
import type { LanguageName } from "#domain/files/language.ts";
import type { Piece } from "#domain/text/word-diff.ts";

/** Colours a text, as one HTML string per line without its end. Null if the colours would be far longer than the text. */
export async function colourLines(text: { body: string; language: LanguageName }): Promise<string[] | null> {
  return cutLines(await highlightFragment(text.body, text.language));
}

/** How much markup may be repeated for colours across line ends, relative to the HTML's length. */
const REPEATED_MAX_FACTOR = 2;
const REPEATED_MIN = 64 * 1024;

/** Splits HTML into lines. A colour that runs across a line end is closed there and reopened in the next line. */
function cutLines(html: string): string[] | null {
  const open: string[] = [];
  let budget = Math.max(REPEATED_MIN, REPEATED_MAX_FACTOR * html.length);
  const lines: string[] = [];
  for (const line of html.split("\n")) {
    const before = open.join("");
    budget -= before.length;
    if (budget < 0) return null;
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === "</span>") open.pop();
      else open.push(tag);
    }
    lines.push(before + line.replace(/\r$/, "") + "</span>".repeat(open.length));
  }
  return lines;
}

const UNIT = /<[^>]*>|&[^;]{1,8};|[^<&]/g;

/** Marks the changed words in a line of coloured HTML. A mark is closed before a tag and reopened after it. */
export function markChanged(html: string, pieces: readonly Piece[]): string {
  if (!pieces.some(({ changed }) => changed)) return html;
  const changed = pieces.flatMap((piece) => Array<boolean>(piece.text.length).fill(piece.changed));
  let [index, isOpen, out] = [0, false, ""];
  for (const [unit] of html.matchAll(UNIT)) {
    const isTag = unit.startsWith("<");
    const isMarked = !isTag && (changed[index] ?? false);
    if (isMarked !== isOpen) out += isMarked ? "<mark>" : "</mark>";
    isOpen = isMarked;
    out += unit;
    if (!isTag) index += 1;
  }
  return isOpen ? `${out}</mark>` : out;
}
