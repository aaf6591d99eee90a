/** The document that an upsert starts from: what the query says its fields are equal to. */

import { type Conjunct, compileFilter } from "../filter/match.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { compareStrings, type Doc, type Value } from "../values/values.ts";

function equalValues({ op, operand }: Conjunct): Value[] {
  if (op === "eq") return [operand];
  if (op === "all") return operand;
  return op === "in" && operand.length === 1 ? operand : [];
}

/** The conditions on fields that must all hold; a $or of one branch is that branch. */
function listConjuncts(query: Doc): Conjunct[] {
  return [...query].flatMap(([name, value]) => {
    if (!name.startsWith("$")) return compileFilter(new Map([[name, value]])).conjuncts;
    const together = name === "$and" || (name === "$or" && (value as Value[]).length === 1);
    return together ? (value as Doc[]).flatMap(listConjuncts) : [];
  });
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/**
 * Fields come in the order of their paths. A path that is asked for twice, or together with one inside it,
 * leaves open what to insert and is refused. A replacement takes over nothing but _id.
 */
export function seedFromQuery(query: Doc, replaces = false): Doc {
  const equalities: [string, Value][] = [];
  for (const conjunct of listConjuncts(query)) {
    const { path } = conjunct;
    if (replaces && !isWithin(path, "_id")) continue;
    for (const value of equalValues(conjunct)) {
      const other = equalities.find(([otherPath]) => isWithin(path, otherPath) || isWithin(otherPath, path));
      if (other) refuseTwice(path, other[0]);
      if (replaces && path !== "_id")
        fail(111, `field at '_id' must be exactly specified, field at sub-path '${path}' found`);
      equalities.push([path, value]);
    }
  }
  const seed: Doc = new Map();
  for (const [path, value] of equalities.sort(([a], [b]) => compareStrings(a, b)))
    setAtPath(seed, path, value);
  return seed;
}

function refuseTwice(path: string, other: string): never {
  if (path === other) fail(54, `cannot infer query fields to set, path '${path}' is matched twice`);
  fail(54, `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`);
}

/** Sets a value at a path; a part of digits becomes a field name, because no array exists yet. */
function setAtPath(seed: Doc, path: string, value: Value): void {
  const parts = path.split(".");
  if (parts.includes(""))
    fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  let current = seed;
  for (const part of parts.slice(0, -1)) {
    const next: Doc = (current.get(part) as Doc | undefined) ?? new Map();
    current.set(part, next);
    current = next;
  }
  current.set(present(parts.at(-1)), value);
}
