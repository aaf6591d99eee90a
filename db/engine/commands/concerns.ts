/** Read and write concerns, as the primary of a set of one takes them. */
import { EngineError, fail } from "../values/errors.ts";
import { asDoc, type Doc, doc, Int32, isNumber, toNumber, type Value } from "../values/values.ts";

const READ_CONCERNS = new Set(["local", "available", "majority", "linearizable"]);
const MEMBERS = 1;
const MAX_MEMBERS = 50;

export function checkConcerns(fields: Doc): void {
  const read = fields.get("readConcern");
  const level = read instanceof Map ? read.get("level") : undefined;
  if (level !== undefined && !READ_CONCERNS.has(level as string))
    fail(72, `readConcern level '${String(level)}' is not supported by the embedded engine`);
  const w = readWriteConcern(fields);
  if (w === undefined || typeof w === "string") return;
  if (!isNumber(w)) fail(9, "w has to be a number or string");
  if (!(toNumber(w) >= 0 && toNumber(w) <= MAX_MEMBERS))
    fail(9, `w has to be a non-negative number and not greater than ${MAX_MEMBERS}; found: ${toNumber(w)}`);
}

function readWriteConcern(fields: Doc): Value | undefined {
  const concern = fields.get("writeConcern");
  return concern === undefined ? undefined : asDoc(concern, "writeConcern").get("w");
}

/** Returns the error of a write that was done but cannot be acknowledged as requested, or undefined. */
export function findWriteConcernError(fields: Doc): Doc | undefined {
  const w = readWriteConcern(fields);
  if (typeof w === "string" && w !== "majority")
    return toWriteConcernError(79, `No write concern mode named '${w}' found in replica set configuration`);
  if (isNumber(w) && toNumber(w) > MEMBERS) return toWriteConcernError(100, "Not enough data-bearing nodes");
  return undefined;
}

function toWriteConcernError(code: number, errmsg: string): Doc {
  const { codeName } = new EngineError(code, errmsg);
  return doc({ code: new Int32(code), codeName, errmsg });
}
