/**
 * PCRE patterns as a tree. Options and inline flags are resolved here, so that every node says by itself
 * what it means. Syntax that PCRE does not know is refused as invalid (51091); syntax that it knows and
 * that cannot be matched in bounded time or with the same meaning (back references, recursion, atomic and
 * possessive groups, conditionals, verbs) is refused as not supported.
 */

import { fail, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Bracket, parseBracket } from "./regex-bracket.ts";
import { CLASS_ESCAPES, complement, type Range } from "./regex-classes.ts";
import { Cursor, escapedCode, invalid, property } from "./regex-cursor.ts";

export type Assertion = "start" | "end" | "endOrNewline" | "lineStart" | "lineEnd" | "word" | "notWord";
export type RegexNode =
  | { type: "char"; code: number; fold: boolean }
  | ({ type: "class"; fold: boolean } & Bracket)
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
const NO_FLAGS: Flags = { fold: false, multiline: false, dotAll: false, extended: false };
const FLAG_NAMES: Record<string, keyof Flags> = {
  i: "fold",
  m: "multiline",
  s: "dotAll",
  x: "extended",
};

const MAX_PATTERN = 32_764;
const MAX_NESTING = 250;
const MAX_REPEAT = 65_535;
const REFUSED_ESCAPES = new Set([..."RXKCGgk"]);

const LOOKS: [opening: string, behind: boolean, negative: boolean][] = [
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

export function parseRegex(pattern: string, options: string): ParsedRegex {
  if (pattern.length > MAX_PATTERN) invalid("regular expression is too large");
  if (pattern.includes("\0")) fail(51109, "Regular expression cannot contain an embedded null byte");
  const flags = { ...NO_FLAGS };
  for (const option of options) {
    if (option === "u") continue;
    const name = FLAG_NAMES[option] ?? fail(51108, ` invalid flag in regex options: ${option}`);
    flags[name] = true;
  }
  return new Parser(pattern, flags).parse();
}

class Parser {
  readonly #cursor: Cursor;
  #captures = 0;
  #nesting = 0;
  #flags: Flags;
  /** Inside \\Q…\\E everything is itself. */
  #quoting = false;

  constructor(source: string, flags: Flags) {
    this.#cursor = new Cursor(source);
    this.#flags = flags;
  }

  parse(): ParsedRegex {
    if (this.#cursor.peek("(*")) unsupported("A regular expression that starts with a verb");
    const root = this.#choice();
    if (!this.#cursor.done) invalid("unmatched closing parenthesis");
    return { root, captures: this.#captures };
  }

  #choice(): RegexNode {
    if (++this.#nesting > MAX_NESTING) invalid("parentheses are too deeply nested");
    const options = [this.#sequence()];
    while (this.#cursor.take("|")) options.push(this.#sequence());
    this.#nesting--;
    return options.length === 1 ? present(options[0]) : { type: "choice", options };
  }

  #sequence(): RegexNode {
    const items: RegexNode[] = [];
    for (;;) {
      if (!this.#quoting) this.#skipIgnored();
      if (this.#cursor.done) break;
      if (!this.#quoting && (this.#cursor.peek("|") || this.#cursor.peek(")"))) break;
      const atom = this.#atom();
      if (atom) items.push(this.#quantified(atom));
    }
    return items.length === 1 ? present(items[0]) : { type: "sequence", items };
  }

  /** White space and comments of the extended mode, and \\E without \\Q. */
  #skipIgnored(): void {
    for (;;) {
      const ignored = this.#flags.extended && this.#cursor.match(/[\t-\r ]+|#[^\n]*/y);
      if (!ignored && !this.#cursor.take("\\E")) return;
    }
  }

  #quantified(atom: RegexNode): RegexNode {
    let node = atom;
    if (this.#quoting && this.#cursor.take("\\E")) this.#quoting = false;
    for (;;) {
      const bounds = this.#quoting ? undefined : this.#quantifier();
      if (!bounds) return node;
      const greedy = !this.#cursor.take("?");
      if (greedy && this.#cursor.take("+")) unsupported("A possessive quantifier in a regular expression");
      node = { type: "repeat", body: node, min: bounds[0], max: bounds[1], greedy };
    }
  }

  #quantifier(): [number, number] | undefined {
    this.#skipIgnored();
    if (this.#cursor.take("*")) return [0, Infinity];
    if (this.#cursor.take("+")) return [1, Infinity];
    if (this.#cursor.take("?")) return [0, 1];
    const counted = this.#cursor.match(/\{(\d+)(?:(,)(\d*))?\}/y);
    if (!counted) return undefined;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === "" ? Infinity : Number(counted[3]);
    if (min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      invalid("number too big in {} quantifier");
    if (max < min) invalid("numbers out of order in {} quantifier");
    return [min, max];
  }

  /** One item; undefined for what stands for nothing, such as inline flags. */
  #atom(): RegexNode | undefined {
    const char = this.#cursor.next();
    if (this.#quoting) {
      if (char !== "\\" || !this.#cursor.take("E")) return this.#char(present(char.codePointAt(0)));
      this.#quoting = false;
      return undefined;
    }
    switch (char) {
      case "^":
        return { type: "assert", which: this.#flags.multiline ? "lineStart" : "start" };
      case "$":
        return { type: "assert", which: this.#flags.multiline ? "lineEnd" : "endOrNewline" };
      case ".":
        return this.#ranges(this.#flags.dotAll ? [[0, 0x10ffff]] : complement([[10, 10]]));
      case "[":
        return { type: "class", fold: this.#flags.fold, ...parseBracket(this.#cursor) };
      case "(":
        return this.#group();
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        return invalid("quantifier does not follow a repeatable item");
    }
    return this.#char(present(char.codePointAt(0)));
  }

  #char(code: number): RegexNode {
    return { type: "char", code, fold: this.#flags.fold };
  }
  #ranges(ranges: Range[]): RegexNode {
    return { type: "class", ranges, properties: [], negated: false, fold: this.#flags.fold };
  }

  #escape(): RegexNode | undefined {
    const char = this.#cursor.next();
    const assertion = ASSERTION_ESCAPES[char];
    if (assertion) return { type: "assert", which: assertion };
    const ranges = CLASS_ESCAPES[char];
    if (ranges) return this.#ranges(ranges);
    if (char === "Q") {
      this.#quoting = true;
      return undefined;
    }
    if (char === "p" || char === "P") {
      const properties = [property(this.#cursor, char)];
      return { type: "class", ranges: [], properties, negated: false, fold: this.#flags.fold };
    }
    if (REFUSED_ESCAPES.has(char)) unsupported(`\\${char} in a regular expression`);
    if (char >= "1" && char <= "9") unsupported("A back reference in a regular expression");
    return this.#char(escapedCode(this.#cursor, char));
  }

  #group(): RegexNode | undefined {
    if (!this.#cursor.take("?")) {
      if (this.#cursor.peek("*")) unsupported("A verb in a regular expression");
      return this.#capture();
    }
    if (this.#cursor.take("#")) {
      if (!this.#cursor.match(/[^)]*\)/y)) invalid("missing ) after (?# comment");
      return undefined;
    }
    if (this.#cursor.take(":")) return this.#plainGroup({ ...this.#flags });
    for (const [opening, behind, negative] of LOOKS)
      if (this.#cursor.take(opening)) return { type: "look", behind, negative, body: this.#body() };
    if (this.#cursor.match(/P?<[A-Za-z_]\w*>|'[A-Za-z_]\w*'/y)) return this.#capture();
    return this.#inlineFlags();
  }

  #inlineFlags(): RegexNode | undefined {
    const found = this.#cursor.match(/(\^?)([imsx]*)(?:-([imsx]*))?([:)])/y);
    if (!found) unsupported("This kind of group in a regular expression");
    const flags = found[1] ? { ...NO_FLAGS } : { ...this.#flags };
    for (const on of present(found[2])) flags[present(FLAG_NAMES[on])] = true;
    for (const off of found[3] ?? "") flags[present(FLAG_NAMES[off])] = false;
    if (found[4] === ":") return this.#plainGroup(flags);
    this.#flags = flags;
    return undefined;
  }

  #capture(): RegexNode {
    const capture = ++this.#captures;
    return { type: "group", capture, body: this.#body() };
  }
  #plainGroup(flags: Flags): RegexNode {
    return { type: "group", capture: undefined, body: this.#body(flags) };
  }

  /** Up to the closing parenthesis; flags set inside end there. */
  #body(flags: Flags = { ...this.#flags }): RegexNode {
    const outer = this.#flags;
    this.#flags = flags;
    const body = this.#choice();
    if (!this.#cursor.take(")")) invalid("missing closing parenthesis");
    this.#flags = outer;
    return body;
  }
}
