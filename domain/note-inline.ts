/**
 * The words of one line of a note: bold, italic, struck, code and links. There is no markup in the result, only pieces; what
 * is not understood stays the text it is. Time grows with the length alone: a mark that finds no end is not looked for again.
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

type Found = { part: Inline; end: number };
type Line = { text: string; depth: number; endless: Set<string> };

export function inlineParts(text: string, depth = 0): Inline[] {
  const line: Line = { text, depth, endless: new Set() };
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
    const found = codeAt(line, at) ?? addressAt(line, at) ?? linkAt(line, at) ?? markedAt(line, at);
    if (found) {
      flush();
      parts.push(found.part);
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return parts;
}

/** Where a mark ends, behind `from`; a mark without an end is remembered. */
function endOf(line: Line, mark: string, from: number): number {
  if (line.endless.has(mark)) return -1;
  const end = line.text.indexOf(mark, from);
  if (end < 0) line.endless.add(mark);
  return end;
}

function codeAt(line: Line, at: number): Found | null {
  if (line.text[at] !== "`") return null;
  const fence = /`+/y;
  fence.lastIndex = at;
  const ticks = fence.exec(line.text)![0];
  const end = endOf(line, ticks, at + ticks.length);
  if (end < 0) return null;
  const text = line.text.slice(at + ticks.length, end);
  return { part: { kind: "code", text: text.replace(/^ (.+) $/, "$1") }, end: end + ticks.length };
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/y;

/** An address that stands in the text; the point behind it ends the sentence and not the address. */
function addressAt(line: Line, at: number): Found | null {
  if (line.text[at] !== "h" || line.depth >= MAX_DEPTH) return null;
  ADDRESS.lastIndex = at;
  const written = ADDRESS.exec(line.text)?.[0].replace(/[).,;:!?\]*_~]+$/, "");
  if (!written || !linkTarget(written)) return null;
  return {
    part: { kind: "link", href: written, parts: [{ kind: "text", text: written }] },
    end: at + written.length,
  };
}

function linkAt(line: Line, at: number): Found | null {
  if (line.text[at] !== "[" || line.depth >= MAX_DEPTH) return null;
  const middle = endOf(line, "](", at + 1);
  const end = middle < 0 ? -1 : endOf(line, ")", middle + 2);
  if (end < 0) return null;
  const words = line.text.slice(at + 1, middle);
  const href = linkTarget(line.text.slice(middle + 2, end).trim());
  if (words.includes("[") || words.trim() === "" || !href) return null;
  // Inside a link nothing links again.
  return { part: { kind: "link", href, parts: inlineParts(words, MAX_DEPTH) }, end: end + 1 };
}

function markedAt(line: Line, at: number): Found | null {
  const [mark, kind] = MARKS.find(([written]) => line.text.startsWith(written, at)) ?? [];
  if (!mark || line.depth > MAX_DEPTH) return null;
  const start = at + mark.length;
  const end = endOf(line, mark, start);
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
