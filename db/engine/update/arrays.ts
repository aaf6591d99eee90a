/** The update operators that change arrays: $push, $addToSet and $pull. */

import { compileFilter, type Filter } from "../filter/match.ts";
import { isFieldOperator } from "../filter/match-fields.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isEqual, requireInteger, typeName, type Value } from "../values/values.ts";
import type { Operation, OperationCompiler } from "./operation.ts";

/** The options beside the values that $push adds. */
export const PUSH_CLAUSES: readonly string[] = ["$each", "$slice"];

interface PushClauses {
  values: Value[];
  slice: number | undefined;
}

function pushClauses(operand: Value): PushClauses {
  if (!(operand instanceof Map && operand.has("$each"))) return { values: [operand], slice: undefined };
  for (const name of operand.keys())
    if (!PUSH_CLAUSES.includes(name)) fail(2, `Unrecognized clause in $push: ${name}`);
  const values = present(operand.get("$each"));
  if (!Array.isArray(values))
    fail(2, `The argument to $each in $push must be an array but it was of type: ${typeName(values)}`);
  const slice = operand.get("$slice");
  return {
    values,
    slice:
      slice === undefined
        ? undefined
        : Number(requireInteger(slice, 2, "The value for $slice must be an integer value. ")),
  };
}

function pushValues(array: Value[], { values, slice }: PushClauses): Value[] {
  const joined = [...array, ...values];
  if (slice === undefined) return joined;
  return slice >= 0 ? joined.slice(0, slice) : joined.slice(slice);
}

function compilePush(operand: Value, path: string): Operation {
  const clauses = pushClauses(operand);
  return {
    update(existing) {
      if (!Array.isArray(existing))
        fail(2, `The field '${path}' must be an array but is of type ${typeName(existing)}`);
      return pushValues(existing, clauses);
    },
    create: () => pushValues([], clauses),
  };
}

function setMembers(operand: Value): Value[] {
  if (!(operand instanceof Map) || operand.keys().next().value !== "$each") return [operand];
  const values = present(operand.get("$each"));
  if (!Array.isArray(values))
    fail(14, `The argument to $each in $addToSet must be an array but it was of type ${typeName(values)}`);
  if (operand.size > 1) fail(2, "Found unexpected fields after $each in $addToSet");
  return values;
}

function addToSet(operand: Value, path: string): Operation {
  const members = setMembers(operand);
  const addMissingMembers = (existing: Value[]) => {
    const out = existing.slice();
    for (const member of members) if (!out.some((item) => isEqual(item, member))) out.push(member);
    return out.length === existing.length ? existing : out;
  };
  return {
    update(existing) {
      if (!Array.isArray(existing))
        fail(
          2,
          `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeName(existing)}`,
        );
      return addMissingMembers(existing);
    },
    create: () => addMissingMembers([]),
  };
}

/** $expr has no meaning for an element of an array. */
function elementFilter(query: Doc): Filter {
  const filter = compileFilter(query);
  if (!filter.fields) fail(224, "$expr is not allowed in this context");
  return filter;
}

/** Returns a test for the elements that $pull removes. */
function elementTest(operand: Value): (item: Value) => boolean {
  if (!(operand instanceof Map)) return (item) => isEqual(item, operand);
  if (isFieldOperator(operand.keys().next().value ?? "")) {
    const filter = elementFilter(new Map([["", operand]]));
    return (item) => filter.matches(new Map([["", item]]));
  }
  const filter = elementFilter(operand);
  return (item) => item instanceof Map && filter.matches(item);
}

function compilePull(operand: Value): Operation {
  const goes = elementTest(operand);
  return {
    update(existing) {
      if (!Array.isArray(existing)) fail(2, "Cannot apply $pull to a non-array value");
      const remaining = existing.filter((item) => !goes(item));
      return remaining.length === existing.length ? existing : remaining;
    },
  };
}

export const ARRAY_OPERATORS: Record<string, OperationCompiler> = {
  $push: compilePush,
  $addToSet: addToSet,
  $pull: compilePull,
};
