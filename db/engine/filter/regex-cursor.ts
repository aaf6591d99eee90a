/** A place in a pattern, and the escapes that mean the same in and outside of brackets. */

import { EngineError, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";

export function invalid(reason: string): never {
  throw new EngineError(51091, `Regular expression is invalid: ${reason}`);
}

export class Cursor {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get done(): boolean {
    return this.at >= this.source.length;
  }
  peek(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }
  take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }
  /** The next code point as a string. */
  next(): string {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) invalid("pattern ends unexpectedly");
    const char = String.fromCodePoint(code);
    this.at += char.length;
    return char;
  }
  /** Steps over what a sticky pattern finds here. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}

const NAMED_CODES: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, e: 27, a: 7 };

/** The code point of an escape that stands for one character; `char` follows the backslash. */
export function escapedCode(cursor: Cursor, char: string): number {
  const named = NAMED_CODES[char];
  if (named !== undefined) return named;
  if (char === "x") return hexCode(cursor);
  if (char === "c") return cursor.next().toUpperCase().charCodeAt(0) ^ 64;
  if (char === "o") unsupported("\\o in a regular expression");
  if (char >= "0" && char <= "7") return Number.parseInt(char + (cursor.match(/[0-7]{0,2}/y)?.[0] ?? ""), 8);
  if (/[A-Za-z0-9]/.test(char)) invalid("unrecognized character follows \\");
  return present(char.codePointAt(0));
}

function hexCode(cursor: Cursor): number {
  const [, braced, plain] = cursor.match(/\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{0,2})/y) ?? [];
  const code = Number.parseInt(braced ?? (plain || "0"), 16);
  if (code > 0x10ffff) invalid("character code point value in \\x{} or \\o{} is too large");
  return code;
}

const PROPERTY = /^\^?(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfons]?)$/;

/** A general category as JavaScript writes it; scripts and other properties are refused. */
export function property(cursor: Cursor, letter: string): string {
  const found = cursor.match(/\{(\^?\w+&?)\}|(\w)/y) ?? invalid("malformed \\P or \\p sequence");
  const name = found[1] ?? found[2] ?? "";
  if (!PROPERTY.test(name)) unsupported(`\\p{${name}} in a regular expression`);
  const negated = (letter === "P") !== name.startsWith("^");
  return `\\${negated ? "P" : "p"}{${name.replace("^", "")}}`;
}
