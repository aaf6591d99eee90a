/** What a $merge asks for, read from its specification. */
import { fail } from "../values/errors.ts";
import { type Doc, isDoc, typeName, type Value } from "../values/values.ts";
import { type Target, targetFields } from "./target.ts";

export type WhenMatched = "fail" | "keepExisting" | "merge" | "pipeline" | "replace";
export type WhenNotMatched = "discard" | "fail" | "insert";

export interface MergeOptions {
  target: Target;
  /** The fields that tell which document is meant. */
  on: string[];
  whenMatched: WhenMatched;
  /** The stages where whenMatched is a pipeline. */
  stages: Value[];
  /** Variables of that pipeline, computed from the new document. */
  variables: Doc;
  whenNotMatched: WhenNotMatched;
}

const ANY: readonly WhenNotMatched[] = ["discard", "fail", "insert"];
/** Where an existing document stays as it is, one that does not exist can only be inserted. */
const COMBINATIONS: Readonly<Record<WhenMatched, readonly WhenNotMatched[]>> = {
  fail: ["insert"],
  keepExisting: ["insert"],
  merge: ANY,
  pipeline: ANY,
  replace: ANY,
};
const FIELDS = ["into", "on", "let", "whenMatched", "whenNotMatched"];

function targetOf(into: Value | undefined, db: string): Target {
  if (into === undefined) fail(40414, "BSON field '$merge.into' is missing but a required field");
  if (typeof into !== "string" && !isDoc(into))
    fail(51178, `$merge 'into' field must be either a string or an object, but found ${typeName(into)}`);
  const target = typeof into === "string" ? { coll: into } : targetFields(into, "$merge.into");
  if (!target.coll) fail(51178, "$merge 'into' field must specify a 'coll' that is not empty");
  return { db, ...target, coll: target.coll };
}

function onFields(on: Value | undefined): string[] {
  if (on === undefined) return ["_id"];
  if (typeof on === "string") return [on];
  if (!Array.isArray(on))
    fail(
      51186,
      `$merge 'on' field must be either a string or an array of strings, but found ${typeName(on)}`,
    );
  if (on.length === 0) fail(51187, "If explicitly specifying $merge 'on', must include at least one field");
  const names = on.map((name) =>
    typeof name === "string"
      ? name
      : fail(51134, `$merge 'on' array elements must be strings, but found ${typeName(name)}`),
  );
  if (new Set(names).size < names.length) fail(31465, "Found a duplicate field in the $merge 'on' list");
  return names;
}

function oneOf<T extends string>(value: Value | undefined, known: readonly T[], field: string): T {
  const found = known.find((name) => name === value);
  return (
    found ?? fail(2, `Enumeration value '${String(value)}' for field '$merge.${field}' is not a valid value.`)
  );
}

function whenMatchedOf(value: Value): WhenMatched {
  if (Array.isArray(value)) return "pipeline";
  if (typeof value !== "string")
    fail(
      51191,
      `$merge 'whenMatched' field must be either a string or an array, but found ${typeName(value)}`,
    );
  return oneOf(value, ["fail", "keepExisting", "merge", "replace"], "whenMatched");
}

export function mergeOptions(spec: Value, db: string): MergeOptions {
  if (typeof spec !== "string" && !isDoc(spec))
    fail(51182, `$merge requires a string or object argument, but found ${typeName(spec)}`);
  const given: Doc = typeof spec === "string" ? new Map([["into", spec]]) : spec;
  for (const name of given.keys())
    if (!FIELDS.includes(name)) fail(40415, `BSON field '$merge.${name}' is an unknown field.`);
  const action = given.get("whenMatched") ?? "merge";
  const whenMatched = whenMatchedOf(action);
  const whenNotMatched = oneOf(given.get("whenNotMatched") ?? "insert", ANY, "whenNotMatched");
  if (!COMBINATIONS[whenMatched].includes(whenNotMatched))
    fail(
      51181,
      `Combination of $merge modes 'whenMatched: ${whenMatched}' and 'whenNotMatched: ${whenNotMatched}' is not supported`,
    );
  const variables = given.get("let") ?? new Map();
  if (!isDoc(variables)) fail(14, "BSON field '$merge.let' is the wrong type, expected type 'object'");
  if (given.has("let") && whenMatched !== "pipeline")
    fail(51199, `Cannot use 'let' variables with 'whenMatched: ${whenMatched}' mode`);
  return {
    target: targetOf(given.get("into"), db),
    on: onFields(given.get("on")),
    whenMatched,
    stages: Array.isArray(action) ? action : [],
    variables,
    whenNotMatched,
  };
}
