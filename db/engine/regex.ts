/**
 * MongoDB's regular expressions (PCRE syntax) on JavaScript.
 *
 * Meaning: options i, m, s and x (u is always on); `$` also before a final newline; `.` is everything but
 * a newline; \d \w \s and POSIX classes are ASCII; text is read by code points; inline flags, \Q…\E and
 * comments are known.
 *
 * Time: this process serves everyone, so no pattern may hold it up. A pattern is matched
 *   - by plain string search when it is literal text, with or without a leading ^;
 *   - by JavaScript's engine when its ways to match at one place are countable and steps × text length
 *     stay under NATIVE_STEPS, that is: no unbounded repetition except one run of a single character in a
 *     pattern anchored to the start, or at the pattern's very end;
 *   - by a linear machine otherwise, with at most 20 million steps on a text (51156 beyond).
 * Back references, possessive and atomic groups, recursion and conditionals are refused, and look-around
 * where it would need the linear machine.
 */
import { Machine } from "./regex-machine.ts";
import { nativeCost, nativeSource } from "./regex-native.ts";
import { type ParsedRegex, parseRegex, type RegexNode } from "./regex-parse.ts";
import type { Regex } from "./values.ts";

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

const NATIVE_STEPS = 500_000_000;

export function compileRegex(regex: Regex): CompiledRegex {
  const parsed = parseRegex(regex.pattern, regex.options);
  const engine = chooseEngine(parsed);
  return {
    test: literalTest(parsed.root) ?? engine.test,
    exec: engine.exec,
    literalPrefix: literalPrefix(parsed.root),
  };
}

function chooseEngine(parsed: ParsedRegex): Pick<CompiledRegex, "test" | "exec"> {
  const { safe, steps } = nativeCost(parsed.root);
  if (!safe) return linear(new Machine(parsed));
  const pattern = new RegExp(nativeSource(parsed.root), "gu");
  const find = (text: string, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  const affordable = (text: string) => steps * text.length <= NATIVE_STEPS;
  return {
    test: (text) => (affordable(text) ? find(text, 0) !== null : linear(new Machine(parsed)).test(text)),
    exec: (text, from = 0) => {
      if (!affordable(text)) return linear(new Machine(parsed)).exec(text, from);
      const found = find(text, from);
      return (
        found && { index: found.index, match: found[0], captures: found.slice(1).map((at) => at ?? null) }
      );
    },
  };
}

function linear(machine: Machine): Pick<CompiledRegex, "test" | "exec"> {
  return {
    test: (text) => machine.test(text),
    exec: (text, from = 0) => {
      const slots = machine.exec(text, from);
      return slots ? fromSlots(text, slots) : null;
    },
  };
}

function fromSlots(text: string, slots: readonly number[]): RegexMatch {
  const captures: (string | null)[] = [];
  for (let i = 2; i < slots.length; i += 2)
    captures.push(slots[i] >= 0 && slots[i + 1] >= 0 ? text.slice(slots[i], slots[i + 1]) : null);
  return { index: slots[0], match: text.slice(slots[0], slots[1]), captures };
}

interface Literal {
  anchored: boolean;
  text: string;
  /** Whether the pattern is nothing else. */
  whole: boolean;
}

/** The exact characters that the pattern starts with. */
function leadingLiteral(root: RegexNode): Literal {
  const items = root.type === "sequence" ? root.items : [root];
  const anchored = items[0]?.type === "assert" && items[0].which === "start";
  let text = "";
  let at = anchored ? 1 : 0;
  for (; at < items.length; at++) {
    const item = items[at];
    if (item.type !== "char" || item.fold) break;
    text += String.fromCodePoint(item.code);
  }
  return { anchored, text, whole: at === items.length };
}

function literalTest(root: RegexNode): ((text: string) => boolean) | undefined {
  const { anchored, text: wanted, whole } = leadingLiteral(root);
  if (!whole) return undefined;
  return anchored ? (text) => text.startsWith(wanted) : (text) => text.includes(wanted);
}

function literalPrefix(root: RegexNode): string | undefined {
  const { anchored, text } = leadingLiteral(root);
  return anchored && text !== "" ? text : undefined;
}
