/** What an index is: its fields and options, read from the specification a client sends or the catalogue keeps. */

import { type Conjunct, compileFilter, type Filter } from "../filter/match.ts";
import { fail } from "../values/errors.ts";
import type { Direction } from "../values/keys.ts";
import { present } from "../values/present.ts";
import {
  asDoc,
  asString,
  type Doc,
  Int32,
  isEqual,
  isNumber,
  isTruthy,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";
import { type IndexEntry, type IndexField, indexKeys } from "./index-keys.ts";

const MAX_FIELDS = 31;
const MAX_TTL_SECONDS = 2147483647;
const OPTIONS = new Set(["key", "name", "v", "unique", "partialFilterExpression", "expireAfterSeconds"]);
const PARTIAL_OPERATORS = new Set<Conjunct["op"]>(["eq", "gt", "gte", "lt", "lte", "exists", "in"]);

export interface IndexDefinition {
  name: string;
  fields: IndexField[];
  unique: boolean;
  partial: Filter | undefined;
  expireAfterSeconds: number | undefined;
  /** As listIndexes shows it. */
  spec: Doc;
}

function parseDirection(path: string, value: Value): Direction {
  if (path === "" || path.startsWith("$") || path.endsWith(".") || path.includes(".."))
    fail(67, `Index keys cannot have an empty or $-prefixed field: '${path}'`);
  if (/(?:^|\.)\d+(?:\.|$)/.test(path))
    fail(67, `an index on a position in an array, '${path}', is not supported by the embedded engine`);
  if (path.includes("$**")) fail(67, "wildcard indexes are not supported by the embedded engine");
  if (typeof value === "string") fail(67, `index type '${value}' is not supported by the embedded engine`);
  if (!isNumber(value) || toNumber(value) === 0 || Number.isNaN(toNumber(value)))
    fail(67, "Values in the index key pattern must be numbers other than 0");
  return toNumber(value) > 0 ? 1 : -1;
}

function parseFields(key: Doc): IndexField[] {
  if (key.size === 0) fail(67, "Index keys cannot be an empty document");
  if (key.size > MAX_FIELDS) fail(67, `Index keys cannot have more than ${MAX_FIELDS} fields`);
  return [...key].map(([path, value]) => ({
    path,
    parts: path.split("."),
    direction: parseDirection(path, value),
  }));
}

function parsePartial(spec: Doc): Filter | undefined {
  const expression = spec.get("partialFilterExpression");
  if (expression === undefined) return undefined;
  const filter = compileFilter(asDoc(expression, "partialFilterExpression"));
  const plain = filter.conjuncts.every(
    ({ op, operand }) => PARTIAL_OPERATORS.has(op) && !(op === "exists" && !isTruthy(operand)),
  );
  if (!plain || !filter.complete || filter.orBranches || !filter.fields)
    fail(67, "unsupported expression in partial index");
  return filter;
}

function parseTtl(spec: Doc, fields: IndexField[]): number | undefined {
  const value = spec.get("expireAfterSeconds");
  if (value === undefined) return undefined;
  if (!isNumber(value)) fail(67, "TTL index 'expireAfterSeconds' option must be numeric");
  const seconds = toNumber(value);
  if (!(seconds >= 0 && seconds <= MAX_TTL_SECONDS))
    fail(67, `TTL index 'expireAfterSeconds' must be within the range 0 to ${MAX_TTL_SECONDS}`);
  if (fields.length > 1 || present(fields[0]).path === "_id")
    fail(67, "TTL indexes are single-field indexes on a field other than _id");
  return seconds;
}

function parseUnique(spec: Doc): boolean {
  const value = spec.get("unique") ?? false;
  if (typeof value !== "boolean" && !isNumber(value))
    fail(14, `The field 'unique' has a value of type ${typeName(value)}, which is not convertible to bool`);
  return isTruthy(value);
}

export function parseIndex(spec: Doc): IndexDefinition {
  for (const option of spec.keys())
    if (!OPTIONS.has(option))
      fail(197, `The field '${option}' is not valid for an index specification of the embedded engine`);
  const fields = parseFields(asDoc(spec.get("key"), "key"));
  const name = asString(spec.get("name"), "name");
  if (name === "" || name === "*") fail(67, `index name '${name}' is not allowed`);
  return {
    name,
    fields,
    unique: parseUnique(spec),
    partial: parsePartial(spec),
    expireAfterSeconds: parseTtl(spec, fields),
    spec: normalizeSpec(spec, name),
  };
}

/** Options in one order and one shape, so that two specifications can be compared. */
function normalizeSpec(spec: Doc, name: string): Doc {
  const out: Doc = new Map<string, Value>([
    ["v", new Int32(2)],
    ["key", present(spec.get("key"))],
    ["name", name],
  ]);
  if (isTruthy(spec.get("unique"))) out.set("unique", true);
  for (const option of ["expireAfterSeconds", "partialFilterExpression"]) {
    const value = spec.get(option);
    if (value !== undefined) out.set(option, value);
  }
  return out;
}

/** Same fields in the same order and directions. */
export function sameKey(a: IndexDefinition, b: IndexDefinition): boolean {
  return (
    a.fields.length === b.fields.length &&
    a.fields.every(
      ({ path, direction }, i) =>
        present(b.fields[i]).path === path && present(b.fields[i]).direction === direction,
    )
  );
}

/** What tells two indexes of a collection apart; the rest of the options can only be in conflict. */
const SIGNATURE = ["unique", "partialFilterExpression"];

export function sameSignature(a: IndexDefinition, b: IndexDefinition): boolean {
  const signature = ({ spec }: IndexDefinition): Doc =>
    new Map([...spec].filter(([name]) => SIGNATURE.includes(name)));
  return sameKey(a, b) && isEqual(signature(a), signature(b));
}

export function sameOptions(a: IndexDefinition, b: IndexDefinition): boolean {
  const options = ({ spec }: IndexDefinition): Doc =>
    new Map([...spec].filter(([name]) => name !== "name" && name !== "key"));
  return sameKey(a, b) && isEqual(options(a), options(b));
}

const NOTHING: { entries: IndexEntry[]; multikey: number } = { entries: [], multikey: 0 };

/** The entries of a document in an index: none where the index leaves it out. */
export function toIndexEntries(
  index: IndexDefinition,
  document: Doc,
): { entries: IndexEntry[]; multikey: number } {
  if (index.partial && !index.partial.matches(document)) return NOTHING;
  return indexKeys(document, index.fields);
}
