/** $lookup by equality of two fields. */

import { splitPath } from "../expression/path.ts";
import { fail, unsupported } from "../values/errors.ts";
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

/** Every value along the path; a final array stands for its elements. */
function valuesAt(value: Value | undefined, parts: readonly string[], at: number, out: Value[]): void {
  if (Array.isArray(value)) {
    if (at === parts.length) out.push(...value);
    else for (const item of value) if (item instanceof Map) valuesAt(item, parts, at, out);
  } else if (at === parts.length) {
    if (value !== undefined) out.push(value);
  } else if (value instanceof Map) valuesAt(value.get(parts[at]), parts, at + 1, out);
}

/** A document that joins on nothing joins with what lacks the foreign field or holds null there. */
function joinValues(document: Doc, parts: readonly string[]): Value[] {
  const out: Value[] = [];
  valuesAt(document, parts, 0, out);
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
