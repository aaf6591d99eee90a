import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  BsonSymbol,
  Code,
  compareStrings,
  count,
  Int32,
  isNumber,
  Timestamp,
  typeName,
  UtcDate,
} from "../values/values.ts";
import { isoText } from "./calendar.ts";
import {
  binary,
  type Compiler,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  unary,
  variadic,
} from "./env.ts";
import { show, sixDigits } from "./numbers.ts";

/** The text that string operators make of other types by themselves. */
export function coerceToText(value: Result): string {
  if (typeof value === "string") return value;
  if (nullish(value)) return "";
  if (typeof value === "number") return sixDigits(value);
  if (value instanceof Int32) return String(value.value);
  if (isNumber(value)) return String(value);
  if (value instanceof UtcDate) return isoText(value.ms);
  if (value instanceof BsonSymbol) return value.text;
  if (value instanceof Code && !value.scope) return value.code;
  if (value instanceof Timestamp) return `Timestamp(${value.value >> 32n}, ${value.value & 0xffffffffn})`;
  fail(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

/** Letters of ASCII only: other alphabets stay as they are. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

function checkLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    fail(13548, `a string must not grow to ${length} characters, past the 64MB limit.`);
}

function concat(values: Result[]): Result {
  let out = "";
  for (const value of values) {
    if (nullish(value)) return null;
    if (typeof value !== "string") fail(16702, `$concat only supports strings, not ${typeName(value)}`);
    checkLength(out.length + value.length);
    out += value;
  }
  return out;
}

function split(text: Result, separator: Result): Result {
  if (nullish(text) || nullish(separator)) return null;
  if (typeof text !== "string")
    fail(40085, `$split requires a string as a first argument, found: ${typeName(text)}`);
  if (typeof separator !== "string")
    fail(40086, `$split requires a string as a second argument, found: ${typeName(separator)}`);
  if (separator === "") fail(40087, "$split requires a non-empty separator");
  return text.split(separator);
}

export function codePointLength(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) pairs++;
  return text.length - pairs;
}

function stringLength(code: number, measure: (text: string) => number): Compiler {
  return unary((value, name) => {
    if (typeof value === "string") return count(measure(value));
    fail(code, `${name} requires a string argument, found: ${typeName(value)}`);
  });
}

const WHITESPACE =
  "\0\t\n\v\f\r\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";
const WHITESPACE_SET: ReadonlySet<string> = new Set(WHITESPACE);

function trimmed(text: string, chars: ReadonlySet<string>, isLeft: boolean, isRight: boolean): string {
  const points = [...text];
  let start = 0;
  let end = points.length;
  if (isLeft) while (start < end && chars.has(present(points[start]))) start++;
  if (isRight) while (end > start && chars.has(present(points[end - 1]))) end--;
  return points.slice(start, end).join("");
}

function trimChars(
  chars: Expression | undefined,
  name: string,
): (scope: Parameters<Expression>[0]) => ReadonlySet<string> | null {
  if (!chars) return () => WHITESPACE_SET;
  return (scope) => {
    const value = chars(scope);
    if (nullish(value)) return null;
    if (typeof value === "string") return new Set(value);
    fail(
      50700,
      `${name} requires 'chars' to be a string, got ${show(value)} (of type ${typeName(value)}) instead.`,
    );
  };
}

function trim(isLeft: boolean, isRight: boolean): Compiler {
  return (argument, env, name) => {
    const codes = { object: 50696, unknown: 50694, required: { input: 50695 }, optional: ["chars"] };
    const given = namedArguments(argument, name, codes);
    const input = env.compile(present(given.input));
    const chars = env.compileIfGiven(given.chars);
    const charsOf = trimChars(chars, name);
    return env.fold(
      (scope) => {
        const text = input(scope);
        if (nullish(text)) return null;
        if (typeof text !== "string")
          fail(
            50699,
            `${name} requires its input to be a string, got ${show(text)} (of type ${typeName(text)}) instead.`,
          );
        const set = charsOf(scope);
        return set && trimmed(text, set, isLeft, isRight);
      },
      [input, chars],
    );
  };
}

const REPLACE_CODES = {
  object: 51751,
  unknown: 51750,
  required: { input: 51749, find: 51748, replacement: 51747 },
};
const REPLACE_PARTS = [
  ["input", 51746],
  ["find", 51745],
  ["replacement", 51744],
] as const;

function replace(apply: (text: string, find: string, replacement: string) => string): Compiler {
  return (argument, env, name) => {
    const given = namedArguments(argument, name, REPLACE_CODES);
    const parts = REPLACE_PARTS.map(([part, code]) => ({
      part,
      code,
      operand: env.compile(present(given[part])),
    }));
    return (scope) => {
      const values = parts.map(({ part, code, operand }) => {
        const value = operand(scope);
        if (typeof value === "string" || nullish(value)) return value;
        return fail(code, `${name} requires that '${part}' be a string, found: ${show(value)}`);
      });
      const [text, find, replacement] = values;
      if (nullish(text) || nullish(find) || nullish(replacement)) return null;
      return apply(text, find, replacement);
    };
  };
}

/** An empty text is found before every character and at the end. */
function replaceAll(text: string, find: string, replacement: string): string {
  const parts = find === "" ? ["", ...text, ""] : text.split(find);
  checkLength(text.length + (parts.length - 1) * replacement.length);
  return parts.join(replacement);
}

export const STRING_EXPRESSIONS: OperatorTable = {
  $concat: variadic(concat),
  $ltrim: trim(true, false),
  $replaceAll: replace(replaceAll),
  $replaceOne: replace((text, find, replacement) => text.replace(find, () => replacement)),
  $rtrim: trim(false, true),
  $split: binary(split),
  $strLenBytes: stringLength(34473, Buffer.byteLength),
  $strLenCP: stringLength(34471, codePointLength),
  $strcasecmp: binary(
    (left, right) => new Int32(compareStrings(upper(coerceToText(left)), upper(coerceToText(right)))),
  ),
  $toLower: unary((value) => lower(coerceToText(value))),
  $toUpper: unary((value) => upper(coerceToText(value))),
  $trim: trim(true, true),
};
