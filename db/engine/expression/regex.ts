/** $regexFind, $regexFindAll and $regexMatch: one compiled pattern where it is constant, else one per use. */

import { type CompiledRegex, compileRegex, type RegexMatch } from "../filter/regex.ts";
import { EngineError, fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { doc, Int32, Regex, type Value } from "../values/values.ts";
import {
  type Compiler,
  constantOf,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  type Scope,
} from "./env.ts";
import { valueBytes } from "./size.ts";
import { codePointLength } from "./strings.ts";

const BAD_PATTERN = 51091;
const FIND_ALL_MAX_BYTES = 64 * 1024 * 1024;

function compilePattern(pattern: Result, options: Result, name: string): CompiledRegex | null {
  if (!nullish(pattern) && typeof pattern !== "string" && !(pattern instanceof Regex))
    fail(51105, `${name} needs 'regex' to be of type string or regex`);
  if (!nullish(options) && typeof options !== "string")
    fail(51106, `${name} needs 'options' to be of type string`);
  const own = pattern instanceof Regex ? pattern.options : "";
  if (typeof options === "string" && own !== "")
    fail(51107, `${name}: found regex option(s) specified in both 'regex' and 'option' fields`);
  const source = pattern instanceof Regex ? pattern.pattern : pattern;
  const flags = typeof options === "string" ? options : own;
  if (typeof source === "string" && source.includes("\0"))
    fail(51109, `${name}: regular expression cannot contain an embedded null byte`);
  if (flags.includes("\0"))
    fail(51110, `${name}: regular expression options cannot contain an embedded null byte`);
  const wrong = /[^imsux]/.exec(flags);
  if (wrong) fail(51108, `${name} invalid flag in regex options: ${wrong[0]}`);
  return typeof source === "string" ? validRegex(new Regex(source, flags.replaceAll("u", "")), name) : null;
}

/** A filter calls a bad pattern by another number than an expression. */
function validRegex(regex: Regex, name: string): CompiledRegex {
  try {
    return compileRegex(regex);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== BAD_PATTERN) throw error;
    fail(51111, `Invalid Regex in ${name}: ${error.message}`);
  }
}

function patternReader(regex: Expression, options: Expression | undefined, name: string) {
  const known = constantOf(regex);
  const knownOptions = options ? constantOf(options) : { value: null };
  if (known && knownOptions) {
    const compiled = compilePattern(known.value, knownOptions.value, name);
    return () => compiled;
  }
  return (scope: Scope) => compilePattern(regex(scope), options?.(scope), name);
}

function matchDocument(text: string, { index, match, captures }: RegexMatch): Value {
  return doc({ match, idx: new Int32(codePointLength(text.slice(0, index))), captures });
}

function find(text: string, regex: CompiledRegex): Value {
  const found = regex.exec(text);
  return found && matchDocument(text, found);
}

/** After an empty match the search goes on one character further. */
function findAll(text: string, regex: CompiledRegex): Value {
  const out: Value[] = [];
  let bytes = 0;
  let from = 0;
  do {
    const found = regex.exec(text, from);
    if (!found) break;
    const match = matchDocument(text, found);
    bytes += valueBytes(match);
    if (bytes > FIND_ALL_MAX_BYTES)
      fail(51151, "$regexFindAll: the size of buffer to store output exceeded the 64MB limit");
    out.push(match);
    const step = (text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1;
    from = found.index + (found.match.length || step);
  } while (from < text.length);
  return out;
}

const CODES = {
  object: 51103,
  unknown: 31024,
  required: { input: 31022, regex: 31023 },
  optional: ["options"],
};

/** `nothing` is the answer where the text or the pattern is null or missing. */
function regexOperator(nothing: () => Value, apply: (text: string, regex: CompiledRegex) => Value): Compiler {
  return (argument, env, name) => {
    const given = namedArguments(argument, name, CODES);
    const input = env.compile(present(given.input));
    const patternAt = patternReader(
      env.compile(present(given.regex)),
      env.compileIfGiven(given.options),
      name,
    );
    return (scope) => {
      const text = input(scope);
      if (!nullish(text) && typeof text !== "string")
        fail(51104, `${name} needs 'input' to be of type string`);
      const regex = patternAt(scope);
      return typeof text === "string" && regex ? apply(text, regex) : nothing();
    };
  };
}

export const REGEX_EXPRESSIONS: OperatorTable = {
  $regexFind: regexOperator(() => null, find),
  $regexFindAll: regexOperator(() => [], findAll),
  $regexMatch: regexOperator(
    () => false,
    (text, regex) => regex.test(text),
  ),
};
