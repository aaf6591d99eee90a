/** The update operators that change arrays: $push, $addToSet, $pull, $pullAll and $pop. */

import { compileFilter, type Filter } from "../filter/match.ts";
import { isFieldOperator } from "../filter/match-fields.ts";
import { integerArgument } from "../filter/match-operators.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, equal, Regex, typeName, type Value } from "../values/values.ts";
import type { Operation, OperationCompiler } from "./operation.ts";
import { sortOrder } from "./sort.ts";

interface PushClauses {
  values: Value[];
  slice: number | undefined;
  position: number | undefined;
  order: ((a: Value, b: Value) => number) | undefined;
}

const PUSH_CLAUSES = new Set(["$each", "$slice", "$sort", "$position"]);

function integerClause(clauses: Doc, name: string): number | undefined {
  const value = clauses.get(name);
  return value === undefined
    ? undefined
    : Number(integerArgument(value, 2, `The value for ${name} must be an integer value. `));
}

function pushClauses(operand: Value): PushClauses {
  if (!(operand instanceof Map && operand.has("$each")))
    return { values: [operand], slice: undefined, position: undefined, order: undefined };
  for (const name of operand.keys())
    if (!PUSH_CLAUSES.has(name)) fail(2, `Unrecognized clause in $push: ${name}`);
  const values = present(operand.get("$each"));
  if (!Array.isArray(values))
    fail(2, `The argument to $each in $push must be an array but it was of type: ${typeName(values)}`);
  const sort = operand.get("$sort");
  return {
    values,
    slice: integerClause(operand, "$slice"),
    position: integerClause(operand, "$position"),
    order: sort === undefined ? undefined : sortOrder(sort),
  };
}

function pushed(array: Value[], { values, slice, position, order }: PushClauses): Value[] {
  // A position is what slice() understands: a negative one counts from the end.
  const at = position ?? array.length;
  const joined = [...array.slice(0, at), ...values, ...array.slice(at)];
  if (order) joined.sort(order);
  if (slice === undefined) return joined;
  return slice >= 0 ? joined.slice(0, slice) : joined.slice(slice);
}

function push(operand: Value, path: string): Operation {
  const clauses = pushClauses(operand);
  return {
    update(existing) {
      if (!Array.isArray(existing))
        fail(2, `The field '${path}' must be an array but is of type ${typeName(existing)}`);
      return pushed(existing, clauses);
    },
    create: () => pushed([], clauses),
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
  const united = (existing: Value[]) => {
    const out = existing.slice();
    for (const member of members) if (!out.some((item) => equal(item, member))) out.push(member);
    return out.length === existing.length ? existing : out;
  };
  return {
    update(existing) {
      if (!Array.isArray(existing))
        fail(
          2,
          `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeName(existing)}`,
        );
      return united(existing);
    },
    create: () => united([]),
  };
}

/** Leaves out the elements that `goes` names. */
function cull(name: string, goes: (item: Value) => boolean): Operation {
  return {
    update(existing) {
      if (!Array.isArray(existing)) fail(2, `Cannot apply ${name} to a non-array value`);
      const kept = existing.filter((item) => !goes(item));
      return kept.length === existing.length ? existing : kept;
    },
  };
}

/** $expr and its like have no meaning for an element of an array. */
export function elementFilter(query: Doc): Filter {
  const filter = compileFilter(query);
  if (!filter.fields) fail(224, "$expr is not allowed in this context");
  return filter;
}

function pull(operand: Value): Operation {
  if (operand instanceof Map && !isFieldOperator(operand.keys().next().value ?? "")) {
    const filter = elementFilter(operand);
    return cull("$pull", (item) => item instanceof Map && filter.matches(item));
  }
  if (operand instanceof Map || operand instanceof Regex) {
    const filter = elementFilter(new Map([["", operand]]));
    return cull("$pull", (item) => filter.matches(new Map([["", item]])));
  }
  return cull("$pull", (item) => equal(item, operand));
}

function pullAll(operand: Value): Operation {
  if (!Array.isArray(operand))
    fail(2, `$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return cull("$pullAll", (item) => operand.some((other) => equal(item, other)));
}

function pop(operand: Value, path: string): Operation {
  const end = integerArgument(operand, 9);
  if (end !== 1n && end !== -1n) fail(9, `$pop expects 1 or -1, found: ${end}`);
  return {
    update(existing) {
      if (!Array.isArray(existing))
        fail(14, `Path '${path}' contains an element of non-array type '${typeName(existing)}'`);
      if (existing.length === 0) return existing;
      return end === 1n ? existing.slice(0, -1) : existing.slice(1);
    },
  };
}

export const ARRAY_OPERATORS: Record<string, OperationCompiler> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};
