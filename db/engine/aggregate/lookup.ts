/** $lookup by equality of two fields. */

import { splitPath } from "../expression/path.ts";
import { fail, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, typeName, type Value } from "../values/values.ts";
import { withField } from "./flow.ts";
import { valueKey } from "./key.ts";
import { mapping } from "./shape.ts";
import type { PipelineContext, Stage } from "./stage.ts";

interface LookupOptions {
  from: string;
  localField: string;
  foreignField: string;
  as: string;
}

const FIELDS = ["from", "localField", "foreignField", "as"] as const;

function lookupOptions(spec: Value): LookupOptions {
  if (!isDoc(spec)) fail(9, `the $lookup stage specification must be an object, but found ${typeName(spec)}`);
  if (spec.has("pipeline") || spec.has("let")) unsupported("$lookup with 'let' or 'pipeline'");
  const found: Partial<LookupOptions> = {};
  for (const [name, value] of spec) {
    const field = FIELDS.find((known) => known === name) ?? fail(9, `unknown argument to $lookup: ${name}`);
    if (typeof value !== "string")
      fail(9, `$lookup argument '${name}' must be a string, found ${typeName(value)}`);
    found[field] = value;
  }
  const { from, localField, foreignField, as } = found;
  if (!from) fail(9, "missing 'from' option to $lookup stage specification");
  if (!as) fail(9, "must specify 'as' field for a $lookup");
  if (!localField || !foreignField)
    fail(9, "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  for (const path of [localField, foreignField, as]) splitPath(path);
  return { from, localField, foreignField, as };
}

/**
 * Every value along the path. A final array stands for its elements; on the way a number is a place in an array, and
 * any other name is looked for in each of its documents. Arrays within arrays are not looked into.
 */
function addValuesAt(document: Doc, parts: readonly string[], first: number, out: Value[]): void {
  let value = document.get(present(parts[first]));
  let at = first + 1;
  while (at < parts.length && Array.isArray(value) && POSITION.test(present(parts[at])))
    value = value[Number(parts[at++])];
  if (at < parts.length) {
    for (const item of Array.isArray(value) ? value : [value])
      if (isDoc(item)) addValuesAt(item, parts, at, out);
  } else if (Array.isArray(value)) for (const item of value) out.push(item);
  else if (value !== undefined) out.push(value);
}

const POSITION = /^\d+$/;

/** A document that joins on nothing joins with what lacks the foreign field or holds null there. */
function joinValues(document: Doc, parts: readonly string[]): Value[] {
  const out: Value[] = [];
  addValuesAt(document, parts, 0, out);
  return out.length === 0 ? [null] : out;
}

export function lookup(spec: Value, context: PipelineContext): Stage {
  const { from, localField, foreignField, as } = lookupOptions(spec);
  const local = localField.split(".");
  const target = as.split(".");
  return mapping((document) => {
    context.checkTime();
    const found = new Map<string, Doc>();
    for (const value of joinValues(document, local))
      for (const foreign of context.lookup(from, foreignField, value))
        found.set(valueKey(foreign.get("_id") ?? null), foreign);
    return withField(document, target, [...found.values()]);
  });
}
