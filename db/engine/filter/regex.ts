/**
 * MongoDB's regular expressions (PCRE syntax) on JavaScript.
 *
 * Meaning: options i, m, s and x (u is always on); `$` also before a final newline; `.` is everything but
 * a newline; \d \w \s and POSIX classes are ASCII; text is read by code points; inline flags, \Q…\E and
 * comments are known.
 *
 * Time: this process serves everyone, so no pattern may hold it up. A pattern is matched
 *   - by text search, linear in the text, when it is literal, with or without a leading ^ and with any case;
 *   - by JavaScript's engine when its ways to match at one place are countable and steps × text length
 *     stay under NATIVE_STEPS, that is: no unbounded repetition except one run of a single character in a
 *     pattern anchored to the start, or at the pattern's very end;
 *   - by a linear machine otherwise, with at most 50 million steps on a text (51156 beyond).
 * Back references, possessive and atomic groups, recursion and conditionals are refused, and look-around
 * where it would need the linear machine.
 */

import { present } from "../values/present.ts";
import type { Regex } from "../values/values.ts";
import { type LeadingLiteral, leadingLiteral, literalSearch } from "./regex-literal.ts";
import { Machine } from "./regex-machine.ts";
import { nativeCost, nativeSource } from "./regex-native.ts";
import { type ParsedRegex, parseRegex, type RegexNode } from "./regex-parse.ts";

export interface RegexMatch {
  /** Offset in the text in UTF-16 units. */
  index: number;
  match: string;
  /** One per group; null where a group took no part. */
  captures: (string | null)[];
}

export interface CompiledRegex {
  test(text: string): boolean;
  /** The first match at or after the offset `from`; anchors still mean the whole text. */
  exec(text: string, from?: number): RegexMatch | null;
  /** What every matching text starts with, byte for byte; undefined where nothing is known. */
  literalPrefix: string | undefined;
}

type Engine = Pick<CompiledRegex, "test" | "exec">;

const NATIVE_STEPS = 500_000_000;

export function compileRegex(regex: Regex): CompiledRegex {
  const parsed = parseRegex(regex.pattern, regex.options);
  const literal = leadingLiteral(parsed.root);
  const engine = chooseEngine(parsed, literal);
  return {
    test: exactTest(literal) ?? engine.test,
    exec: engine.exec,
    literalPrefix: literalPrefix(literal),
  };
}

function chooseEngine(parsed: ParsedRegex, literal: LeadingLiteral): Engine {
  const { safe, steps, anchored } = nativeCost(parsed.root);
  if (!safe) return linearEngine(parsed);
  const native = nativeEngine(parsed.root);
  const affordable = (text: string) => steps * (anchored ? 1 : text.length) <= NATIVE_STEPS;
  let slow: Engine | undefined;
  const engineFor = (text: string) => {
    if (affordable(text)) return native;
    slow ??= isUniform(literal) ? literalEngine(literal) : linearEngine(parsed);
    return slow;
  };
  return {
    test: (text) => engineFor(text).test(text),
    exec: (text, from) => engineFor(text).exec(text, from),
  };
}

function isUniform({ anchored, chars, whole }: LeadingLiteral): boolean {
  return whole && !anchored && chars.every(({ fold }) => fold === present(chars[0]).fold);
}

function nativeEngine(root: RegexNode): Engine {
  const pattern = new RegExp(nativeSource(root), "gu");
  const find = (text: string, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  return {
    test: (text) => find(text, 0) !== null,
    exec(text, from = 0) {
      const found = find(text, from);
      return (
        found && { index: found.index, match: found[0], captures: found.slice(1).map((at) => at ?? null) }
      );
    },
  };
}

function literalEngine({ chars }: LeadingLiteral): Engine {
  const search = literalSearch(chars);
  return {
    test: (text) => search(text, 0) !== undefined,
    exec(text, from = 0) {
      const found = search(text, from);
      return found ? { index: found[0], match: text.slice(...found), captures: [] } : null;
    },
  };
}

function linearEngine(parsed: ParsedRegex): Engine {
  const machine = new Machine(parsed);
  return {
    test: (text) => machine.test(text),
    exec(text, from = 0) {
      const slots = machine.exec(text, from);
      return slots ? fromSlots(text, slots) : null;
    },
  };
}

function fromSlots(text: string, slots: readonly number[]): RegexMatch {
  const captures: (string | null)[] = [];
  for (let i = 2; i < slots.length; i += 2)
    captures.push(
      present(slots[i]) >= 0 && present(slots[i + 1]) >= 0 ? text.slice(slots[i], slots[i + 1]) : null,
    );
  return { index: present(slots[0]), match: text.slice(slots[0], slots[1]), captures };
}

function exactText(chars: LeadingLiteral["chars"]): string {
  const end = chars.findIndex(({ fold }) => fold);
  return String.fromCodePoint(...(end < 0 ? chars : chars.slice(0, end)).map(({ code }) => code));
}

function exactTest({ anchored, chars, whole }: LeadingLiteral): ((text: string) => boolean) | undefined {
  if (!whole || chars.some(({ fold }) => fold)) return undefined;
  const wanted = exactText(chars);
  return anchored ? (text) => text.startsWith(wanted) : (text) => text.includes(wanted);
}

function literalPrefix({ anchored, chars }: LeadingLiteral): string | undefined {
  return (anchored && exactText(chars)) || undefined;
}
