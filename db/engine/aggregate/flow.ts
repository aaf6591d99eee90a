/** Stages that choose among documents or multiply them: $match, $limit, $unwind. */

import { formatForError } from "../expression/numbers.ts";
import { splitPath } from "../expression/path.ts";
import { compileFilter } from "../filter/match.ts";
import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from "../values/values.ts";
import type { PipelineContext, Stage } from "./stage.ts";

export function compileMatch(spec: Value): Stage {
  if (!isDoc(spec)) fail(15959, "the match filter must be an expression in an object");
  const filter = compileFilter(spec);
  return {
    push: (document, next) => (filter.matches(document) ? next(document) : true),
    finish: () => {},
  };
}

export function compileLimit(spec: Value): Stage {
  const most = isNumber(spec) ? toNumber(spec) : Number.NaN;
  if (!Number.isInteger(most) || most < 0)
    fail(
      5107201,
      `invalid argument to $limit stage: Expected a non-negative integer, found ${formatForError(spec)}`,
    );
  if (most === 0) fail(15958, "the limit must be positive");
  let passed = 0;
  return {
    push: (document, next) => passed < most && ++passed <= most && next(document) && passed < most,
    finish: () => {},
  };
}

function parseUnwindPath(path: Value): string[] {
  if (path === "") fail(28812, "no path specified to $unwind stage");
  if (typeof path !== "string")
    fail(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (!path.startsWith("$"))
    fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return splitPath(path.slice(1));
}

/** Follows the path through documents only; an array on the way gives undefined. */
function getNestedValue(document: Doc, path: readonly string[]): Value | undefined {
  let node: Value | undefined = document;
  for (const name of path) node = node instanceof Map ? node.get(name) : undefined;
  return node;
}

/** Copies the document with the field set; documents on the path are copied too. */
function withField(document: Doc, path: readonly string[], value: Value, at = 0): Doc {
  const out = new Map(document);
  const name = present(path[at]);
  const below = out.get(name);
  const isLast = at === path.length - 1;
  return out.set(name, isLast || !(below instanceof Map) ? value : withField(below, path, value, at + 1));
}

const CHECK_EVERY = 256;

export function compileUnwind(spec: Value, context: PipelineContext): Stage {
  if (isDoc(spec)) failUnsupported("$unwind with options");
  const path = parseUnwindPath(spec);
  return {
    push(document, next) {
      const value = getNestedValue(document, path);
      if (value === undefined || value === null) return true;
      if (!Array.isArray(value)) return next(document);
      for (let i = 0; i < value.length; i++) {
        if (i % CHECK_EVERY === 0) context.checkTime();
        if (!next(withField(document, path, present(value[i])))) return false;
      }
      return true;
    },
    finish: () => {},
  };
}
