/** Sums of updates: int32 grows into int64, int64 never into double; a double makes all double. */
import { fitsInt32, fitsInt64, Int32, type NumberValue, toNumber } from "../values/values.ts";

function toBigInt(value: Int32 | bigint): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value;
}

/** Undefined where int64 overflows. */
export function add(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (typeof a === "number" || typeof b === "number") return toNumber(a) + toNumber(b);
  const sum = toBigInt(a) + toBigInt(b);
  if (a instanceof Int32 && b instanceof Int32 && fitsInt32(Number(sum))) return new Int32(Number(sum));
  return fitsInt64(sum) ? sum : undefined;
}
