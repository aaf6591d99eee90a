import { highlightFragment } from "#app/viewers/code/highlight-code.ts";
import type { LanguageName } from "#domain/files/language.ts";
import type { Piece } from "#domain/text/word-diff.ts";

/** A text as coloured HTML, a string for each line without its end; null where the colours would be far longer than the text. */
export async function colourLines(text: { body: string; language: LanguageName }): Promise<string[] | null> {
  return cutLines(await highlightFragment(text.body, text.language));
}

/** How much colours that run over line ends may add, in relation to the text and its marks. */
const REPEATED_MAX_FACTOR = 2;
const REPEATED_MIN = 64 * 1024;

/** A colour that runs over a line's end is closed there and opened again. */
function cutLines(html: string): string[] | null {
  const open: string[] = [];
  let left = Math.max(REPEATED_MIN, REPEATED_MAX_FACTOR * html.length);
  const lines: string[] = [];
  for (const line of html.split("\n")) {
    const before = open.join("");
    left -= before.length;
    if (left < 0) return null;
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === "</span>") open.pop();
      else open.push(tag);
    }
    lines.push(before + line.replace(/\r$/, "") + "</span>".repeat(open.length));
  }
  return lines;
}

const UNIT = /<[^>]*>|&[^;]{1,8};|[^<&]/g;

/** Coloured HTML of a line with the words marked that changed. A mark is closed before a tag and opened again behind it. */
export function markChanged(html: string, pieces: readonly Piece[]): string {
  if (!pieces.some(({ changed }) => changed)) return html;
  const changed = pieces.flatMap((piece) => Array<boolean>(piece.text.length).fill(piece.changed));
  let [at, marked, out] = [0, false, ""];
  for (const [unit] of html.matchAll(UNIT)) {
    const isTag = unit.startsWith("<");
    const isMarked = !isTag && (changed[at] ?? false);
    if (isMarked !== marked) out += isMarked ? "<mark>" : "</mark>";
    marked = isMarked;
    out += unit;
    if (!isTag) at += 1;
  }
  return marked ? `${out}</mark>` : out;
}
