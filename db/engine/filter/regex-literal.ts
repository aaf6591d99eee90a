/**
 * Patterns that are plain text. Exact text is left to string search; text without regard to case is
 * searched for by Knuth, Morris and Pratt, whose time is linear in any text however it repeats itself.
 */
import { present } from "../values/present.ts";
import { nativeSource } from "./regex-native.ts";
import type { RegexNode } from "./regex-parse.ts";

type CharNode = RegexNode & { type: "char" };

export interface LeadingLiteral {
  anchored: boolean;
  /** The characters that the pattern starts with. */
  chars: CharNode[];
  /** Whether the pattern is nothing else. */
  whole: boolean;
}

export function leadingLiteral(root: RegexNode): LeadingLiteral {
  const items = root.type === "sequence" ? root.items : [root];
  const anchored = items[0]?.type === "assert" && items[0].which === "start";
  const rest = anchored ? items.slice(1) : items;
  const end = rest.findIndex((item) => item.type !== "char");
  const chars = (end < 0 ? rest : rest.slice(0, end)).filter((item) => item.type === "char");
  return { anchored, chars, whole: end < 0 };
}

/** Numbers the characters of a pattern so that a text's character has the number of those it equals. */
class Classes {
  readonly #patterns: RegExp[] = [];
  readonly #known = new Map<number, number>();

  /** The class of a character of the pattern, a new one where no other accepts it. */
  add(node: CharNode): number {
    const seen = this.of(node.code);
    if (seen >= 0) return seen;
    this.#known.clear();
    return this.#patterns.push(new RegExp(`^${nativeSource(node)}$`, "u")) - 1;
  }

  /** -1 for a character that the pattern does not have. */
  of(code: number): number {
    let found = this.#known.get(code);
    if (found === undefined) {
      const char = String.fromCodePoint(code);
      found = this.#patterns.findIndex((pattern) => pattern.test(char));
      this.#known.set(code, found);
    }
    return found;
  }
}

/** Where the characters, all of one case rule, occur first at or after `from`: offsets of start and end. */
export function literalSearch(
  chars: CharNode[],
): (text: string, from: number) => [number, number] | undefined {
  const classes = new Classes();
  const wanted = chars.map((node) => classes.add(node));
  const fallback = fallbacks(wanted);
  return (text, from) => {
    let matched = 0;
    for (let at = from; at < text.length; ) {
      const code = present(text.codePointAt(at));
      at += code > 0xffff ? 2 : 1;
      const found = classes.of(code);
      while (matched > 0 && wanted[matched] !== found) matched = present(fallback[matched - 1]);
      if (wanted[matched] === found) matched++;
      if (matched === wanted.length) return [startOf(text, at, matched), at];
    }
    return undefined;
  };
}

/** For each length matched so far, the longest shorter one that may still go on. */
function fallbacks(wanted: number[]): number[] {
  const out = new Array<number>(wanted.length).fill(0);
  let length = 0;
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = present(out[length - 1]);
    if (wanted[i] === wanted[length]) length++;
    out[i] = length;
  }
  return out;
}

function startOf(text: string, end: number, codePoints: number): number {
  let at = end;
  for (let i = 0; i < codePoints; i++) at -= (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
