/**
 * PCRE patterns as a tree. Options and inline flags are resolved here, so that every node says by itself
 * what it means. Syntax that PCRE does not know is refused as invalid (51091); syntax that it knows and
 * that cannot be matched in bounded time or with the same meaning (back references, recursion, atomic and
 * possessive groups, conditionals, verbs) is refused as not supported.
 */
import { EngineError, fail, unsupported } from "./errors.ts";
import { CLASS_ESCAPES, complement, POSIX_CLASSES, type Range } from "./regex-classes.ts";

export type Assertion = "start" | "end" | "endOrNewline" | "lineStart" | "lineEnd" | "word" | "notWord";
export type RegexNode =
  | { type: "char"; code: number; fold: boolean }
  | { type: "class"; ranges: Range[]; properties: string[]; negated: boolean; fold: boolean }
  | { type: "assert"; which: Assertion }
  | { type: "look"; behind: boolean; negative: boolean; body: RegexNode }
  | { type: "group"; capture: number | undefined; body: RegexNode }
  | { type: "sequence"; items: RegexNode[] }
  | { type: "choice"; options: RegexNode[] }
  | { type: "repeat"; body: RegexNode; min: number; max: number; greedy: boolean };

export interface ParsedRegex {
  root: RegexNode;
  captures: number;
}

interface Flags {
  fold: boolean;
  multiline: boolean;
  dotAll: boolean;
  extended: boolean;
}
const FLAG_NAMES: Record<string, keyof Flags> = {
  i: "fold",
  m: "multiline",
  s: "dotAll",
  x: "extended",
};

const MAX_PATTERN = 32_764;
const MAX_NESTING = 250;
const MAX_REPEAT = 65_535;
const NAMED_CODES: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, e: 27, a: 7 };
const REFUSED_ESCAPES = new Set([..."RXKCGgk"]);
const QUANTIFIER = /\{(\d+)(?:(,)(\d*))?\}/y;
const PROPERTY = /^\^?(?:L[ulmtoC]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfons]?)$/;

export function parseRegex(pattern: string, options: string): ParsedRegex {
  if (pattern.length > MAX_PATTERN) invalid("regular expression is too large");
  if (pattern.includes("\0")) fail(51109, "Regular expression cannot contain an embedded null byte");
  const flags: Flags = { fold: false, multiline: false, dotAll: false, extended: false };
  for (const option of options) {
    if (option === "u") continue;
    const name = FLAG_NAMES[option];
    if (!name) fail(51108, ` invalid flag in regex options: ${option}`);
    flags[name] = true;
  }
  return new Parser(pattern, flags).parse();
}

function invalid(reason: string): never {
  throw new EngineError(51091, `Regular expression is invalid: ${reason}`);
}

class Parser {
  readonly #source: string;
  #at = 0;
  #captures = 0;
  #nesting = 0;
  #flags: Flags;
  /** Inside \Q…\E everything is itself. */
  #quoting = false;

  constructor(source: string, flags: Flags) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): ParsedRegex {
    if (this.#source.startsWith("(*")) unsupported("A regular expression that starts with a verb");
    const root = this.#choice();
    if (this.#at < this.#source.length) invalid("unmatched closing parenthesis");
    return { root, captures: this.#captures };
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }
  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }
  /** The next code point as a string. */
  #next(): string {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) invalid("pattern ends unexpectedly");
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #choice(): RegexNode {
    if (++this.#nesting > MAX_NESTING) invalid("parentheses are too deeply nested");
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    this.#nesting--;
    return options.length === 1 ? options[0] : { type: "choice", options };
  }

  #sequence(): RegexNode {
    const items: RegexNode[] = [];
    for (;;) {
      if (!this.#quoting) this.#skipIgnored();
      if (this.#at >= this.#source.length) break;
      if (!this.#quoting && (this.#peek("|") || this.#peek(")"))) break;
      const atom = this.#atom();
      if (atom) items.push(this.#quantified(atom));
    }
    return items.length === 1 ? items[0] : { type: "sequence", items };
  }

  /** White space and comments of the extended mode, and \E without \Q. */
  #skipIgnored(): void {
    for (;;) {
      if (this.#flags.extended) {
        const white = /[\t-\r ]*(?:#[^\n]*\n?)?/y;
        white.lastIndex = this.#at;
        const length = white.exec(this.#source)![0].length;
        this.#at += length;
        if (length > 0) continue;
      }
      if (!this.#take("\\E")) return;
    }
  }

  #quantified(atom: RegexNode): RegexNode {
    let node = atom;
    if (this.#quoting && this.#take("\\E")) this.#quoting = false;
    for (;;) {
      const bounds = this.#quoting ? undefined : this.#quantifier();
      if (!bounds) return node;
      const greedy = !this.#take("?");
      if (greedy && this.#take("+")) unsupported("A possessive quantifier in a regular expression");
      node = { type: "repeat", body: node, min: bounds[0], max: bounds[1], greedy };
    }
  }

  #quantifier(): [number, number] | undefined {
    this.#skipIgnored();
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    QUANTIFIER.lastIndex = this.#at;
    const found = QUANTIFIER.exec(this.#source);
    if (!found) return undefined;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === "" ? Infinity : Number(found[3]);
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      invalid("number too big in {} quantifier");
    if (max < min) invalid("numbers out of order in {} quantifier");
    return [min, max];
  }

  /** One item; undefined for what stands for nothing, such as inline flags. */
  #atom(): RegexNode | undefined {
    if (this.#quoting) {
      if (this.#take("\\E")) {
        this.#quoting = false;
        return undefined;
      }
      return this.#char(this.#next());
    }
    const char = this.#next();
    switch (char) {
      case "^":
        return { type: "assert", which: this.#flags.multiline ? "lineStart" : "start" };
      case "$":
        return { type: "assert", which: this.#flags.multiline ? "lineEnd" : "endOrNewline" };
      case ".":
        return this.#class(this.#flags.dotAll ? [[0, 0x10ffff]] : complement([[10, 10]]));
      case "[":
        return this.#bracket();
      case "(":
        return this.#group();
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        return invalid("quantifier does not follow a repeatable item");
    }
    return this.#char(char);
  }

  #char(char: string): RegexNode {
    return { type: "char", code: char.codePointAt(0)!, fold: this.#flags.fold };
  }
  #code(code: number): RegexNode {
    return { type: "char", code, fold: this.#flags.fold };
  }
  #class(ranges: Range[], properties: string[] = [], negated = false): RegexNode {
    return { type: "class", ranges, properties, negated, fold: this.#flags.fold };
  }

  #group(): RegexNode | undefined {
    if (!this.#take("?")) {
      if (this.#peek("*")) unsupported("A verb in a regular expression");
      return this.#body(++this.#captures);
    }
    if (this.#take("#")) {
      const end = this.#source.indexOf(")", this.#at);
      if (end < 0) invalid("missing ) after (?# comment");
      this.#at = end + 1;
      return undefined;
    }
    if (this.#take(":")) return this.#body(undefined);
    for (const [opening, behind, negative] of LOOKS) {
      if (!this.#take(opening)) continue;
      const inner = this.#body(undefined) as { body: RegexNode };
      return { type: "look", behind, negative, body: inner.body };
    }
    const name = /(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y;
    name.lastIndex = this.#at;
    const named = name.exec(this.#source);
    if (named) {
      this.#at += named[0].length;
      return this.#body(++this.#captures);
    }
    return this.#inlineFlags();
  }

  #inlineFlags(): RegexNode | undefined {
    const setting = /(\^?)([imsx]*)(?:-([imsx]*))?([:)])/y;
    setting.lastIndex = this.#at;
    const found = setting.exec(this.#source);
    if (!found) unsupported("This kind of group in a regular expression");
    this.#at += found[0].length;
    const flags: Flags = found[1]
      ? { fold: false, multiline: false, dotAll: false, extended: false }
      : { ...this.#flags };
    for (const on of found[2]) flags[FLAG_NAMES[on]] = true;
    for (const off of found[3] ?? "") flags[FLAG_NAMES[off]] = false;
    if (found[4] === ")") {
      this.#flags = flags;
      return undefined;
    }
    return this.#body(undefined, flags);
  }

  #body(capture: number | undefined, flags: Flags = { ...this.#flags }): RegexNode {
    const outer = this.#flags;
    this.#flags = flags;
    const body = this.#choice();
    if (!this.#take(")")) invalid("missing closing parenthesis");
    this.#flags = outer;
    return { type: "group", capture, body };
  }

  #escape(): RegexNode | undefined {
    const char = this.#next();
    const assertion = ASSERTION_ESCAPES[char];
    if (assertion) return { type: "assert", which: assertion };
    const ranges = CLASS_ESCAPES[char];
    if (ranges) return this.#class(ranges);
    if (char === "Q") {
      this.#quoting = true;
      return undefined;
    }
    if (char === "p" || char === "P") return this.#class([], [this.#property(char)]);
    if (REFUSED_ESCAPES.has(char)) unsupported(`\\${char} in a regular expression`);
    if (/[1-9]/.test(char)) unsupported("A back reference in a regular expression");
    return this.#code(this.#escapedCode(char));
  }

  /** The code point of an escape that stands for one character, in and outside of brackets. */
  #escapedCode(char: string): number {
    const named = NAMED_CODES[char];
    if (named !== undefined) return named;
    if (char === "x") return this.#hex();
    if (char === "c") return this.#next().toUpperCase().charCodeAt(0) ^ 64;
    if (char === "o") unsupported("\\o in a regular expression");
    if (char >= "0" && char <= "7") {
      const octal = /[0-7]{0,2}/y;
      octal.lastIndex = this.#at;
      const digits = octal.exec(this.#source)![0];
      this.#at += digits.length;
      return Number.parseInt(char + digits, 8);
    }
    if (/[A-Za-z0-9]/.test(char)) invalid("unrecognized character follows \\");
    return char.codePointAt(0)!;
  }

  #hex(): number {
    const hex = /\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{0,2})/y;
    hex.lastIndex = this.#at;
    const found = hex.exec(this.#source)!;
    this.#at += found[0].length;
    const code = Number.parseInt(found[1] ?? (found[2] || "0"), 16);
    if (code > 0x10ffff) invalid("character code point value in \\x{} or \\o{} is too large");
    return code;
  }

  #property(letter: string): string {
    const braced = /\{(\^?\w+&?)\}|(\w)/y;
    braced.lastIndex = this.#at;
    const found = braced.exec(this.#source);
    if (!found) invalid("malformed \\P or \\p sequence");
    this.#at += found[0].length;
    const name = found[1] ?? found[2];
    if (!PROPERTY.test(name)) unsupported(`\\p{${name}} in a regular expression`);
    const negated = (letter === "P") !== name.startsWith("^");
    return `\\${negated ? "P" : "p"}{${name.replace("^", "")}}`;
  }

  #bracket(): RegexNode {
    const negated = this.#take("^");
    const ranges: Range[] = [];
    const properties: string[] = [];
    for (let first = true; ; first = false) {
      if (this.#at >= this.#source.length) invalid("missing terminating ] for character class");
      if (this.#quoting ? this.#take("\\E") : this.#take("\\Q")) this.#quoting = !this.#quoting;
      else if (!first && !this.#quoting && this.#take("]")) break;
      else this.#member(ranges, properties);
    }
    return this.#class(ranges, properties, negated);
  }

  #member(ranges: Range[], properties: string[]): void {
    const low = this.#memberItem(ranges, properties);
    if (low === undefined || this.#quoting || !this.#peek("-")) {
      if (low !== undefined) ranges.push([low, low]);
      return;
    }
    const dash = this.#at++;
    if (this.#peek("]")) {
      this.#at = dash;
      ranges.push([low, low]);
      return;
    }
    const high = this.#memberItem(ranges, properties);
    if (high === undefined) invalid("invalid range in character class");
    if (high < low) invalid("range out of order in character class");
    ranges.push([low, high]);
  }

  /** A code point, or undefined when the item is a class that has been added. */
  #memberItem(ranges: Range[], properties: string[]): number | undefined {
    const posix = /\[:(\^?)([a-z]+):\]/y;
    posix.lastIndex = this.#at;
    const found = this.#quoting ? null : posix.exec(this.#source);
    if (found) {
      const known = POSIX_CLASSES.get(found[2]) ?? invalid("unknown POSIX class name");
      ranges.push(...(found[1] ? complement(known) : known));
      this.#at += found[0].length;
      return undefined;
    }
    const char = this.#next();
    if (char !== "\\" || this.#quoting) return char.codePointAt(0)!;
    const letter = this.#next();
    if (letter === "b") return 8;
    const known = CLASS_ESCAPES[letter];
    if (known) ranges.push(...known);
    else if (letter === "p" || letter === "P") properties.push(this.#property(letter));
    else return this.#escapedCode(letter);
    return undefined;
  }
}

const LOOKS: [string, boolean, boolean][] = [
  ["=", false, false],
  ["!", false, true],
  ["<=", true, false],
  ["<!", true, true],
];
const ASSERTION_ESCAPES: Record<string, Assertion> = {
  A: "start",
  z: "end",
  Z: "endOrNewline",
  b: "word",
  B: "notWord",
};
