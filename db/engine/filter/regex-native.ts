/**
 * Patterns for JavaScript's own engine, and the bound on what it may cost there. That engine backtracks, so
 * only patterns whose number of ways to match at one place is known and small are handed to it.
 */
import { present } from "../values/present.ts";
import type { Assertion, RegexNode } from "./regex-parse.ts";

interface NativeCost {
  /** Upper bound of the steps at one place of the text, and on how many places that may be spent. */
  steps: number;
  anchored: boolean;
  /** Whether the pattern keeps to JavaScript's meaning and to that bound. */
  safe: boolean;
}

const ASSERTIONS: Record<Assertion, string> = {
  start: "^",
  end: "$",
  endOrNewline: "(?=\\n?$)",
  lineStart: "(?:^|(?<=\\n)(?=[^]))",
  lineEnd: "(?=\\n|$)",
  word: "\\b",
  notWord: "\\B",
};

function codeSource(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** The node as JavaScript writes it under the `u` flag; case folding is the caller's `i` flag. */
function plainSource(node: RegexNode): string {
  switch (node.type) {
    case "char":
      return codeSource(node.code);
    case "class": {
      const ranges = node.ranges.map(([low, high]) =>
        low === high ? codeSource(low) : `${codeSource(low)}-${codeSource(high)}`,
      );
      return `[${node.negated ? "^" : ""}${ranges.join("")}${node.properties.join("")}]`;
    }
    case "assert":
      return ASSERTIONS[node.which];
    case "look":
      return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${nativeSource(node.body)})`;
    case "group":
      return `(${node.capture === undefined ? "?:" : ""}${nativeSource(node.body)})`;
    case "sequence":
      return node.items.map(nativeSource).join("");
    case "choice":
      return `(?:${node.options.map(nativeSource).join("|")})`;
    case "repeat": {
      const max = node.max === Infinity ? "" : node.max;
      return `(?:${nativeSource(node.body)}){${node.min},${max}}${node.greedy ? "" : "?"}`;
    }
  }
}

export function nativeSource(node: RegexNode): string {
  const source = plainSource(node);
  return (node.type === "char" || node.type === "class") && node.fold ? `(?i:${source})` : source;
}

const UNSAFE: NativeCost = { steps: Infinity, anchored: false, safe: false };

/** Ways to match at one place times the length of a way, counted generously. */
function bounded(node: RegexNode): { ways: number; length: number } {
  switch (node.type) {
    case "char":
    case "class":
    case "assert":
      return { ways: 1, length: 1 };
    case "look":
    case "group":
      return bounded(node.body);
    case "sequence":
      return node.items
        .map(bounded)
        .reduce((all, one) => ({ ways: all.ways * one.ways, length: all.length + one.length }), {
          ways: 1,
          length: 1,
        });
    case "choice":
      return node.options
        .map(bounded)
        .reduce((all, one) => ({ ways: all.ways + one.ways, length: Math.max(all.length, one.length) }), {
          ways: 0,
          length: 1,
        });
    case "repeat":
      return repeated(node);
  }
}

function repeated(node: { body: RegexNode; min: number; max: number }): { ways: number; length: number } {
  const body = bounded(node.body);
  if (node.max === Infinity) return { ways: Infinity, length: Infinity };
  const each = body.ways === 1 ? node.max - node.min + 1 : body.ways ** (node.max + 1);
  return { ways: Math.max(1, each), length: Math.max(1, node.max * body.length) };
}

/**
 * Repeated groups mean something else in JavaScript where they capture (PCRE keeps what an earlier round
 * took) and where they can be empty (PCRE ends the repetition there).
 */
function repeatsOtherwise(node: RegexNode, repeating: boolean): boolean {
  switch (node.type) {
    case "group":
      return (repeating && node.capture !== undefined) || repeatsOtherwise(node.body, repeating);
    case "look":
      return repeatsOtherwise(node.body, repeating);
    case "repeat":
      return canBeEmpty(node.body) || repeatsOtherwise(node.body, repeating || node.max > 1);
    case "sequence":
      return node.items.some((item) => repeatsOtherwise(item, repeating));
    case "choice":
      return node.options.some((option) => repeatsOtherwise(option, repeating));
  }
  return false;
}

function canBeEmpty(node: RegexNode): boolean {
  switch (node.type) {
    case "char":
    case "class":
      return false;
    case "assert":
    case "look":
      return true;
    case "group":
      return canBeEmpty(node.body);
    case "sequence":
      return node.items.every(canBeEmpty);
    case "choice":
      return node.options.some(canBeEmpty);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.body);
  }
}

function isRun(node: RegexNode): boolean {
  return (
    node.type === "repeat" &&
    node.max === Infinity &&
    (node.body.type === "char" || node.body.type === "class")
  );
}

/**
 * One unbounded run of a single character is safe where it cannot be started over: in a pattern that is
 * anchored to the start of the text, or at the very end, where nothing after it can fail.
 */
export function nativeCost(root: RegexNode): NativeCost {
  if (repeatsOtherwise(root, false)) return UNSAFE;
  const items = root.type === "sequence" ? root.items : [root];
  const anchored = items[0]?.type === "assert" && items[0].which === "start";
  const runs = items.filter(isRun).length;
  const harmless = runs === 0 || (runs === 1 && (anchored || isRun(present(items.at(-1)))));
  if (!harmless) return UNSAFE;
  const rest = bounded({ type: "sequence", items: items.filter((item) => !isRun(item)) });
  const steps = rest.ways * rest.length;
  return { steps, anchored: anchored && runs === 0, safe: Number.isFinite(steps) };
}
