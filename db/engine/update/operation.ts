import type { Value } from "../values/values.ts";

export interface Operation {
  /** The value instead of the one that is there; undefined removes it. The same value means no change. */
  update(existing: Value): Value | undefined;
  /** The value where none is; an operator without this leaves missing fields alone. */
  create?(): Value;
  /** Acts only when an upsert makes a new document. */
  insertOnly?: boolean;
  /** A path that could not even be created is no error. */
  lenient?: boolean;
}

export type OperationCompiler = (operand: Value, path: string) => Operation;
