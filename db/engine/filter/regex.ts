/**
 * $regex as far as it is a text to be found: every character that has a meaning in PCRE is escaped, and the one
 * option is `i`. All other patterns are refused.
 *
 * This process serves everyone, so no text may hold a search up. Exact text is left to string search. Text
 * without regard to case goes to JavaScript's engine while pattern × text is small, else it is searched for by
 * Knuth, Morris and Pratt, whose time is linear in any text however it repeats itself.
 */
import { failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";

const NATIVE_STEPS = 1_000_000;
const MEANINGFUL = /[.*+?^${}()|[\]\\]/;
const ESCAPABLE = /^[^A-Za-z0-9\u0080-\u{10ffff}]$/u;

/** Returns a function that tests if a text contains the literal text of the pattern. */
export function compileLiteral(pattern: string, options: string): (text: string) => boolean {
  if (options !== "" && options !== "i") failUnsupported(`'${options}' as $options`);
  const wanted = readLiteral(pattern);
  return options === "" ? (text) => text.includes(wanted) : compileCaseless([...wanted]);
}

function readLiteral(pattern: string): string {
  const chars = [...pattern];
  let text = "";
  for (let i = 0; i < chars.length; i++) {
    const char = present(chars[i]);
    const escaped = chars[i + 1] ?? "";
    if (char === "\\" && ESCAPABLE.test(escaped)) {
      text += escaped;
      i++;
    } else if (MEANINGFUL.test(char)) failUnsupported("$regex of anything but an escaped text");
    else text += char;
  }
  return text;
}

function compileCaseless(chars: readonly string[]): (text: string) => boolean {
  const native = new RegExp(chars.map(toSource).join(""), "iu");
  const search = linearSearch(chars);
  return (text) => (chars.length * text.length <= NATIVE_STEPS ? native.test(text) : search(text));
}

function toSource(char: string): string {
  return `\\u{${present(char.codePointAt(0)).toString(16)}}`;
}

/** Numbers the characters of a pattern so that a text's character has the number of those it equals. */
class Classes {
  readonly #patterns: RegExp[] = [];
  readonly #numbers = new Map<string, number>();

  /** The class of a character of the pattern, a new one where no other accepts it. */
  add(char: string): number {
    const index = this.find(char);
    if (index >= 0) return index;
    this.#numbers.clear();
    return this.#patterns.push(new RegExp(`^${toSource(char)}$`, "iu")) - 1;
  }

  /** -1 for a character that the pattern does not have. */
  find(char: string): number {
    let number = this.#numbers.get(char);
    if (number === undefined) {
      number = this.#patterns.findIndex((pattern) => pattern.test(char));
      this.#numbers.set(char, number);
    }
    return number;
  }
}

function linearSearch(chars: readonly string[]): (text: string) => boolean {
  const classes = new Classes();
  const wanted = chars.map((char) => classes.add(char));
  const fallback = listFallbacks(wanted);
  return (text) => {
    let matched = 0;
    for (const char of text) {
      const number = classes.find(char);
      while (matched > 0 && wanted[matched] !== number) matched = present(fallback[matched - 1]);
      if (wanted[matched] === number) matched++;
      if (matched === wanted.length) return true;
    }
    return wanted.length === 0;
  };
}

/** For each length matched so far, the longest shorter one that may still go on. */
function listFallbacks(wanted: readonly number[]): number[] {
  const out = new Array<number>(wanted.length).fill(0);
  let length = 0;
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = present(out[length - 1]);
    if (wanted[i] === wanted[length]) length++;
    out[i] = length;
  }
  return out;
}
