import { fail } from "../values/errors.ts";
import { Int32, typeName, type Value } from "../values/values.ts";
import { numeric } from "./arithmetic.ts";
import { type Compiler, nullish, type OperatorTable, variadic } from "./env.ts";

type Combine = (a: bigint, b: bigint) => bigint;

/** Over int32 and int64 only; the result is an int64 as soon as one operand is. */
function bitwise(identity: bigint, combine: Combine): Compiler {
  return variadic((values, name) => {
    let total = identity;
    let isLong = false;
    for (const value of values) {
      if (nullish(value)) return null;
      if (value instanceof Int32) total = combine(total, BigInt(value.value));
      else if (typeof value === "bigint") {
        total = combine(total, value);
        isLong = true;
      } else fail(14, `${name} only supports int and long operands.`);
    }
    return isLong ? BigInt.asIntN(64, total) : new Int32(Number(total));
  });
}

function bitNot(value: Value): Value {
  if (value instanceof Int32) return new Int32(~value.value);
  if (typeof value === "bigint") return ~value;
  fail(14, `$bitNot only supports int and long, not: ${typeName(value)}.`);
}

export const BIT_EXPRESSIONS: OperatorTable = {
  $bitAnd: bitwise(-1n, (a, b) => a & b),
  $bitNot: numeric(bitNot),
  $bitOr: bitwise(0n, (a, b) => a | b),
  $bitXor: bitwise(0n, (a, b) => a ^ b),
};
