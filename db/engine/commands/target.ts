/** The collection that a stage writes to. */
import type { Documents } from "../cursors.ts";
import { fail } from "../values/errors.ts";
import { isDoc, typeName, type Value } from "../values/values.ts";

/** Writes all that comes. */
export type Write = (documents: Documents) => Promise<void>;

export interface Target {
  db: string;
  coll: string;
}

/** Strings `db` and `coll` of a document that has nothing else. */
export function targetFields(spec: Value, stage: string): Partial<Target> {
  if (!isDoc(spec)) fail(14, `BSON field '${stage}' is the wrong type '${typeName(spec)}', expected object`);
  const found: Partial<Target> = {};
  for (const [name, value] of spec) {
    if (name !== "db" && name !== "coll") fail(40415, `BSON field '${stage}.${name}' is an unknown field.`);
    if (typeof value !== "string")
      fail(
        14,
        `BSON field '${stage}.${name}' is the wrong type '${typeName(value)}', expected type 'string'`,
      );
    found[name] = value;
  }
  return found;
}
