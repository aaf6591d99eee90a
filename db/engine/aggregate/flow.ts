/** Stages that choose among documents or multiply them: $match, $limit, $skip, $sample, $count, $unwind. */

import { intOrLong, show } from "../expression/numbers.ts";
import { splitPath } from "../expression/path.ts";
import { documentBytes } from "../expression/size.ts";
import { compileFilter } from "../filter/match.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from "../values/values.ts";
import { HeldMemory, release } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

export function match(spec: Value, { now, variables }: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15959, "the match filter must be an expression in an object");
  const filter = compileFilter(spec, { now, let: variables });
  return {
    push: (document, next) => (filter.matches(document) ? next(document) : true),
    finish: () => {},
  };
}

function wholeNumber(value: Value, code: number, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (Number.isInteger(number) && number >= 0) return number;
  fail(code, `invalid argument to ${name} stage: Expected a non-negative integer, found ${show(value)}`);
}

export function limit(spec: Value): Stage {
  const most = wholeNumber(spec, 5107201, "$limit");
  if (most === 0) fail(15958, "the limit must be positive");
  return limiting(most);
}

function limiting(most: number): Stage {
  let passed = 0;
  return {
    push: (document, next) => passed < most && ++passed <= most && next(document) && passed < most,
    finish: () => {},
  };
}

export function skip(spec: Value): Stage {
  const least = wholeNumber(spec, 5107200, "$skip");
  let skipped = 0;
  return {
    push: (document, next) => (skipped < least ? ++skipped > 0 : next(document)),
    finish: () => {},
  };
}

/** A sample of fixed size from a stream of unknown length: each document is as likely as every other. */
export function sample(spec: Value, context: PipelineContext): Stage {
  const size = sampleSize(spec);
  const held: Doc[] = [];
  const memory = new HeldMemory("$sample");
  let seen = 0;
  return {
    push(document) {
      seen++;
      if (held.length < size) {
        memory.add(documentBytes(document));
        held.push(document);
      } else {
        const at = Math.floor(Math.random() * seen);
        if (at < size) held[at] = document;
      }
      return true;
    },
    finish: (next) => release(shuffled(held), next, context),
  };
}

function sampleSize(spec: Value): number {
  if (!isDoc(spec)) fail(28745, "the $sample stage specification must be an object");
  for (const field of spec.keys())
    if (field !== "size") fail(28748, `unrecognized option to $sample: ${field}`);
  const size = spec.get("size") ?? fail(28749, "$sample stage must specify a size");
  if (!isNumber(size)) fail(28746, "size argument to $sample must be a number");
  const number = Math.trunc(toNumber(size));
  return number >= 0 ? number : fail(28747, "size argument to $sample must not be negative");
}

function shuffled(documents: Doc[]): Doc[] {
  for (let i = documents.length - 1; i > 0; i--) {
    const k = Math.floor(Math.random() * (i + 1));
    [documents[i], documents[k]] = [present(documents[k]), present(documents[i])];
  }
  return documents;
}

export function countDocuments(spec: Value): Stage {
  if (typeof spec !== "string") fail(40156, "the count field must be a non-empty string");
  if (spec === "") fail(40157, "the count field must be a non-empty string");
  if (spec.startsWith("$")) fail(40158, "the count field cannot be a $-prefixed path");
  if (spec.includes("\0")) fail(40159, "the count field cannot contain a null byte");
  if (spec.includes(".")) fail(40160, "the count field cannot contain '.'");
  let counted = 0;
  return {
    push: () => ++counted > 0,
    finish(next) {
      if (counted > 0) next(new Map([[spec, intOrLong(BigInt(counted))]]));
    },
  };
}

interface UnwindOptions {
  path: string[];
  keepsEmpty: boolean;
  indexPath: string[] | undefined;
}

function fieldPath(path: Value | undefined): string[] {
  if (path === undefined || path === "") fail(28812, "no path specified to $unwind stage");
  if (typeof path !== "string")
    fail(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (!path.startsWith("$"))
    fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return splitPath(path.slice(1));
}

function unwindOptions(spec: Value): UnwindOptions {
  if (typeof spec === "string") return { path: fieldPath(spec), keepsEmpty: false, indexPath: undefined };
  if (!isDoc(spec))
    fail(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(spec)}`,
    );
  for (const field of spec.keys())
    if (!["path", "preserveNullAndEmptyArrays", "includeArrayIndex"].includes(field))
      fail(28811, `unrecognized option to $unwind stage: ${field}`);
  const keepsEmpty = spec.get("preserveNullAndEmptyArrays") ?? false;
  if (typeof keepsEmpty !== "boolean")
    fail(
      28809,
      `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeName(keepsEmpty)}`,
    );
  return {
    path: fieldPath(spec.get("path")),
    keepsEmpty,
    indexPath: indexPath(spec.get("includeArrayIndex")),
  };
}

function indexPath(path: Value | undefined): string[] | undefined {
  if (path === undefined) return undefined;
  if (typeof path !== "string" || path === "")
    fail(
      28810,
      `expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ${typeName(path)}`,
    );
  if (path.startsWith("$"))
    fail(28822, `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${path}`);
  return splitPath(path);
}

/** Through documents only: an array on the way ends the path. */
function nested(document: Doc, path: readonly string[]): Value | undefined {
  let node: Value | undefined = document;
  for (const part of path) node = node instanceof Map ? node.get(part) : undefined;
  return node;
}

/** A copy with the field set; undefined takes it away. */
export function withField(document: Doc, path: readonly string[], value: Value | undefined, at = 0): Doc {
  const out = new Map(document);
  const name = present(path[at]);
  if (at < path.length - 1) {
    const below = out.get(name);
    out.set(name, withField(below instanceof Map ? below : new Map(), path, value, at + 1));
  } else if (value === undefined) out.delete(name);
  else out.set(name, value);
  return out;
}

const CHECK_EVERY = 256;

export function unwind(spec: Value, context: PipelineContext): Stage {
  const { path, keepsEmpty, indexPath: index } = unwindOptions(spec);
  const indexed = (document: Doc, at: bigint | null) => (index ? withField(document, index, at) : document);
  return {
    push(document, next) {
      const value = nested(document, path);
      const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
      if (isEmpty) {
        if (!keepsEmpty) return true;
        return next(indexed(Array.isArray(value) ? withField(document, path, undefined) : document, null));
      }
      if (!Array.isArray(value)) return next(indexed(document, null));
      for (let i = 0; i < value.length; i++) {
        if (i % CHECK_EVERY === 0) context.checkTime();
        if (!next(indexed(withField(document, path, value[i]), BigInt(i)))) return false;
      }
      return true;
    },
    finish: () => {},
  };
}
