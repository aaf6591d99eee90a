/**
 * Removes the types from a TypeScript program. Blanks in their place keep every line and column. If that is impossible, as for
 * enums, the text is output, and a function maps its lines to the program's.
 */
import { stripTypeScriptTypes } from "node:module";

export function stripTypes(program, name) {
  try {
    return { code: strip(program), line: null };
  } catch (error) {
    if (error.code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw toSyntaxError(error, name);
  }
  try {
    const output = strip(program, { mode: "transform", sourceMap: true });
    const [, map] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(output) ?? [];
    return { code: output, line: map ? readLines(JSON.parse(Buffer.from(map, "base64").toString())) : null };
  } catch (error) {
    throw toSyntaxError(error, name);
  }
}

let isBroken = false;

/** True after a program broke the parser, whose memory must not be used for another program. */
export const isParserBroken = () => isBroken;

function strip(program, options) {
  if (!isBroken) {
    try {
      return stripTypeScriptTypes(program, options);
    } catch (error) {
      isBroken = !/^ERR_(INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(error.code);
      if (!isBroken) throw error;
    }
  }
  throw new SyntaxError("This is nested too deeply, or too long, for its types to be taken out");
}

/** Node puts the line at the beginning of the stack. */
function toSyntaxError({ message, stack }, name) {
  const [, line] = /^:(\d+)\n/.exec(String(stack)) ?? [];
  const error = new SyntaxError(message);
  error.stack = `SyntaxError: ${message}${line ? ` [${name}:${line}]` : ""}`;
  return error;
}

/** Maps each output line to its source line; both count from 1. */
function readLines({ mappings }) {
  let sourceLine = 0;
  const lines = mappings.split(";").map((segments) => {
    let first = null;
    for (const segment of segments === "" ? [] : segments.split(",")) {
      sourceLine += readNumbers(segment)[2] ?? 0;
      first ??= sourceLine;
    }
    return first ?? sourceLine;
  });
  return (line) => (lines[line - 1] ?? line - 1) + 1;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes numbers of a source map: five bits per character, and the lowest bit of a number is its sign. */
function readNumbers(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
