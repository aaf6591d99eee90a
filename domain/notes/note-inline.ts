/**
 * The words of one line of a note: bold, italic, struck, code and links. There is no markup in the result, only pieces; what
 * is not understood stays the text it is. Time grows with the length alone, because the next end of each mark is
 * searched for once.
 */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "em" | "del"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

const MAX_DEPTH = 4;
// What may begin something; all text between is taken in one step.
const SPECIAL = /[`*_~[\\]|https?:\/\//g;
const ESCAPED = /[!-/:-@[-`{-~]/;
const MARKS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "del"],
  ["*", "em"],
  ["_", "em"],
] as const;
const LETTER = /[\p{L}\p{N}]/u;

type ParsedInline = { part: Inline; end: number };
/** Where each mark that was looked for is next, from which place on. */
type Line = { text: string; depth: number; ends: Map<string, { from: number; end: number }> };

export function inlineParts(text: string, depth = 0): Inline[] {
  const line: Line = { text, depth, ends: new Map() };
  const parts: Inline[] = [];
  let [at, plain] = [0, ""];
  const flush = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    if (text[at] === "\\" && ESCAPED.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    const ticks = ticksAt(text, at);
    const found = codeAt(line, at, ticks) ?? addressAt(line, at) ?? linkAt(line, at) ?? markedAt(line, at);
    if (found) {
      flush();
      parts.push(found.part);
      at = found.end;
    } else {
      // Backticks that nothing closes are text together, not one by one.
      plain += text.slice(at, at + Math.max(1, ticks));
      at += Math.max(1, ticks);
    }
  }
  flush();
  return parts;
}

/** Where a mark ends, behind `from`; -1 where it does not. A line is read from its start, so what was found holds until it is passed. */
function findEnd(line: Line, mark: string, from: number): number {
  const known = line.ends.get(mark);
  if (known && from >= known.from && (known.end < 0 || from <= known.end)) return known.end;
  const end = line.text.indexOf(mark, from);
  line.ends.set(mark, { from, end });
  return end;
}

/** How many backticks begin here. */
function ticksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === "`") end += 1;
  return end - at;
}

function codeAt(line: Line, at: number, ticks: number): ParsedInline | null {
  if (ticks === 0) return null;
  const end = findEnd(line, "`".repeat(ticks), at + ticks);
  if (end < 0) return null;
  const text = line.text.slice(at + ticks, end);
  return { part: { kind: "code", text: text.replace(/^ (.+) $/, "$1") }, end: end + ticks };
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/y;

/** An address that stands in the text; the point behind it ends the sentence and not the address. */
function addressAt(line: Line, at: number): ParsedInline | null {
  if (line.text[at] !== "h" || line.depth >= MAX_DEPTH) return null;
  ADDRESS.lastIndex = at;
  const written = withoutEndMarks(ADDRESS.exec(line.text)?.[0] ?? "");
  if (written === "" || !linkTarget(written)) return null;
  return {
    part: { kind: "link", href: written, parts: [{ kind: "text", text: written }] },
    end: at + written.length,
  };
}

function withoutEndMarks(address: string): string {
  let end = address.length;
  while (end > 0 && ").,;:!?]*_~".includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function linkAt(line: Line, at: number): ParsedInline | null {
  if (line.text[at] !== "[" || line.depth >= MAX_DEPTH) return null;
  const middle = findEnd(line, "](", at + 1);
  const end = middle < 0 ? -1 : findEnd(line, ")", middle + 2);
  if (end < 0) return null;
  const words = line.text.slice(at + 1, middle);
  if (words.includes("[") || words.trim() === "") return null;
  const href = linkTarget(line.text.slice(middle + 2, end).trim());
  if (!href) return null;
  // Inside a link nothing links again.
  return { part: { kind: "link", href, parts: inlineParts(words, MAX_DEPTH) }, end: end + 1 };
}

function markedAt(line: Line, at: number): ParsedInline | null {
  const [mark, kind] = MARKS.find(([written]) => line.text.startsWith(written, at)) ?? [];
  if (!mark || line.depth > MAX_DEPTH) return null;
  const start = at + mark.length;
  const end = findEnd(line, mark, start);
  const inside = end < 0 ? "" : line.text.slice(start, end);
  if (inside === "" || /^\s|\s$/.test(inside)) return null;
  // snake_case_names stay whole.
  const joined = (i: number) => LETTER.test(line.text[i] ?? "");
  if (mark.startsWith("_") && (joined(at - 1) || joined(end + mark.length))) return null;
  return { part: { kind, parts: inlineParts(inside, line.depth + 1) }, end: end + mark.length };
}

const TARGET = /^(?:https?:\/\/[^\s]+|mailto:[^\s]+|\/(?![/\\])[^\s\\]*|#[^\s]*)$/i;

/** Where a link may lead: the web, a mailbox, a page of this site, a place on this page. Anything else is text. */
export function linkTarget(written: string): string | null {
  return TARGET.test(written) ? written : null;
}

/** The text of pieces without their marks. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ("parts" in part ? plainText(part.parts) : part.text)).join("");
}
