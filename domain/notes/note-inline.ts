/**
 * Parses the inline markup of a line of a note: bold, italic, struck, code and links. The result has pieces and no markup;
 * anything unknown remains text. Time is linear in the length, because the next end of each mark is searched for once.
 */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "em" | "del"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

const MAX_DEPTH = 4;
// The starts of markup; all text between is taken in one step.
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
/** `ends` caches the next position of each mark. */
type Line = { text: string; depth: number; markEnds: Map<string, { from: number; end: number }> };

export function inlineParts(text: string, depth = 0): Inline[] {
  const line: Line = { text, depth, markEnds: new Map() };
  const parts: Inline[] = [];
  let [offset, pendingText] = [0, ""];
  const flush = () => {
    if (pendingText !== "") parts.push({ kind: "text", text: pendingText });
    pendingText = "";
  };
  while (offset < text.length) {
    SPECIAL.lastIndex = offset;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    pendingText += text.slice(offset, next);
    offset = next;
    if (offset >= text.length) break;
    if (text[offset] === "\\" && ESCAPED.test(text[offset + 1] ?? "")) {
      pendingText += text[offset + 1];
      offset += 2;
      continue;
    }
    const ticks = countBackticks(text, offset);
    const parsed =
      parseCode(line, offset, ticks) ??
      parseAddress(line, offset) ??
      parseLink(line, offset) ??
      parseEmphasis(line, offset);
    if (parsed) {
      flush();
      parts.push(parsed.part);
      offset = parsed.end;
    } else {
      // Unclosed backticks are taken as text together.
      pendingText += text.slice(offset, offset + Math.max(1, ticks));
      offset += Math.max(1, ticks);
    }
  }
  flush();
  return parts;
}

/** Finds the end of a mark after `from`, or -1. A line is read forwards, so a cached end is valid until it is passed. */
function findEnd(line: Line, mark: string, from: number): number {
  const cached = line.markEnds.get(mark);
  if (cached && from >= cached.from && (cached.end < 0 || from <= cached.end)) return cached.end;
  const end = line.text.indexOf(mark, from);
  line.markEnds.set(mark, { from, end });
  return end;
}

function countBackticks(text: string, offset: number): number {
  let end = offset;
  while (text[end] === "`") end += 1;
  return end - offset;
}

function parseCode(line: Line, offset: number, ticks: number): ParsedInline | null {
  if (ticks === 0) return null;
  const end = findEnd(line, "`".repeat(ticks), offset + ticks);
  if (end < 0) return null;
  const text = line.text.slice(offset + ticks, end);
  return { part: { kind: "code", text: text.replace(/^ (.+) $/, "$1") }, end: end + ticks };
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/y;

/** Parses a bare address. Punctuation at its end belongs to the sentence. */
function parseAddress(line: Line, offset: number): ParsedInline | null {
  if (line.text[offset] !== "h" || line.depth >= MAX_DEPTH) return null;
  ADDRESS.lastIndex = offset;
  const address = trimPunctuation(ADDRESS.exec(line.text)?.[0] ?? "");
  if (address === "" || !linkTarget(address)) return null;
  return {
    part: { kind: "link", href: address, parts: [{ kind: "text", text: address }] },
    end: offset + address.length,
  };
}

function trimPunctuation(address: string): string {
  let end = address.length;
  while (end > 0 && ").,;:!?]*_~".includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function parseLink(line: Line, offset: number): ParsedInline | null {
  if (line.text[offset] !== "[" || line.depth >= MAX_DEPTH) return null;
  const middle = findEnd(line, "](", offset + 1);
  const end = middle < 0 ? -1 : findEnd(line, ")", middle + 2);
  if (end < 0) return null;
  const words = line.text.slice(offset + 1, middle);
  if (words.includes("[") || words.trim() === "") return null;
  const href = linkTarget(line.text.slice(middle + 2, end).trim());
  if (!href) return null;
  // Links cannot be nested.
  return { part: { kind: "link", href, parts: inlineParts(words, MAX_DEPTH) }, end: end + 1 };
}

function parseEmphasis(line: Line, offset: number): ParsedInline | null {
  const [mark, kind] = MARKS.find(([written]) => line.text.startsWith(written, offset)) ?? [];
  if (!mark || line.depth > MAX_DEPTH) return null;
  const start = offset + mark.length;
  const end = findEnd(line, mark, start);
  const content = end < 0 ? "" : line.text.slice(start, end);
  if (content === "" || /^\s|\s$/.test(content)) return null;
  // Underscores inside names such as snake_case are no emphasis.
  const isLetter = (i: number) => LETTER.test(line.text[i] ?? "");
  if (mark.startsWith("_") && (isLetter(offset - 1) || isLetter(end + mark.length))) return null;
  return { part: { kind, parts: inlineParts(content, line.depth + 1) }, end: end + mark.length };
}

const TARGET = /^(?:https?:\/\/[^\s]+|mailto:[^\s]+|\/(?![/\\])[^\s\\]*|#[^\s]*)$/i;

/** Returns the address if a link may lead to it: the web, a mailbox, a page of this site or an anchor on this page. Otherwise the link stays text. */
export function linkTarget(address: string): string | null {
  return TARGET.test(address) ? address : null;
}

export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ("parts" in part ? plainText(part.parts) : part.text)).join("");
}
