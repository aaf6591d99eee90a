/** What stands in brackets: characters, ranges, classes by name and by escape. */
import { present } from "../values/present.ts";
import { CLASS_ESCAPES, complement, POSIX_CLASSES, type Range } from "./regex-classes.ts";
import { type Cursor, escapedCode, invalid, property } from "./regex-cursor.ts";

export interface Bracket {
  ranges: Range[];
  properties: string[];
  negated: boolean;
}

/** Reads on from behind the opening bracket to behind the closing one. */
export function parseBracket(cursor: Cursor): Bracket {
  const bracket: Bracket = { negated: cursor.take("^"), ranges: [], properties: [] };
  let quoting = false;
  for (let first = true; ; first = false) {
    if (cursor.done) invalid("missing terminating ] for character class");
    if (cursor.take(quoting ? "\\E" : "\\Q")) quoting = !quoting;
    else if (!first && !quoting && cursor.take("]")) return bracket;
    else if (quoting) bracket.ranges.push(single(present(cursor.next().codePointAt(0))));
    else addMember(cursor, bracket);
  }
}

function single(code: number): Range {
  return [code, code];
}

function addMember(cursor: Cursor, bracket: Bracket): void {
  const low = memberCode(cursor, bracket);
  if (low === undefined) return;
  if (!cursor.match(/-(?!\])/y)) {
    bracket.ranges.push(single(low));
    return;
  }
  const high = memberCode(cursor, bracket) ?? invalid("invalid range in character class");
  if (high < low) invalid("range out of order in character class");
  bracket.ranges.push([low, high]);
}

/** A code point, or undefined when the member is a class, which is added. */
function memberCode(cursor: Cursor, { ranges, properties }: Bracket): number | undefined {
  const posix = cursor.match(/\[:(\^?)([a-z]+):\]/y);
  if (posix) {
    const known = POSIX_CLASSES.get(present(posix[2])) ?? invalid("unknown POSIX class name");
    ranges.push(...(posix[1] ? complement(known) : known));
    return undefined;
  }
  const char = cursor.next();
  if (char !== "\\") return present(char.codePointAt(0));
  const letter = cursor.next();
  if (letter === "b") return 8;
  if (letter === "N") invalid("\\N is not supported in a class");
  const known = CLASS_ESCAPES[letter];
  if (known) ranges.push(...known);
  else if (letter === "p" || letter === "P") properties.push(property(cursor, letter));
  else return escapedCode(cursor, letter);
  return undefined;
}
