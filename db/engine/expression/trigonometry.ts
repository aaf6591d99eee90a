import { fail } from "../values/errors.ts";
import { isNumber, toNumber, typeName } from "../values/values.ts";
import { numeric } from "./arithmetic.ts";
import { binary, type Compiler, nullish, type OperatorTable, type Result } from "./env.ts";

const INFINITE = Number.POSITIVE_INFINITY;

/** A function over a closed interval of numbers; NaN stays NaN. */
function within(least: number, most: number, apply: (value: number) => number): Compiler {
  return numeric((value, name) => {
    const number = toNumber(value);
    if (number < least || number > most)
      fail(50989, `cannot apply ${name} to ${number}, value must be in [${least},${most}]`);
    return apply(number);
  });
}

function finite(apply: (value: number) => number): Compiler {
  return numeric((value, name) => {
    const number = toNumber(value);
    if (Math.abs(number) === INFINITE)
      fail(50989, `cannot apply ${name} to ${number}, value must be in (-inf,inf)`);
    return apply(number);
  });
}

function everywhere(apply: (value: number) => number): Compiler {
  return numeric((value) => apply(toNumber(value)));
}

function atan2(left: Result, right: Result): Result {
  if (nullish(left)) return null;
  if (!isNumber(left)) fail(51044, `$atan2 only supports numeric types, not ${typeName(left)}`);
  if (nullish(right)) return null;
  if (!isNumber(right)) fail(51045, `$atan2 only supports numeric types, not ${typeName(right)}`);
  return Math.atan2(toNumber(left), toNumber(right));
}

const RADIANS_PER_DEGREE = Math.PI / 180;
const DEGREES_PER_RADIAN = 180 / Math.PI;

export const TRIGONOMETRY_EXPRESSIONS: OperatorTable = {
  $acos: within(-1, 1, Math.acos),
  $acosh: within(1, INFINITE, Math.acosh),
  $asin: within(-1, 1, Math.asin),
  $asinh: everywhere(Math.asinh),
  $atan: everywhere(Math.atan),
  $atan2: binary(atan2),
  $atanh: within(-1, 1, Math.atanh),
  $cos: finite(Math.cos),
  $cosh: everywhere(Math.cosh),
  $degreesToRadians: everywhere((value) => value * RADIANS_PER_DEGREE),
  $radiansToDegrees: everywhere((value) => value * DEGREES_PER_RADIAN),
  $sin: finite(Math.sin),
  $sinh: everywhere(Math.sinh),
  $tan: finite(Math.tan),
  $tanh: everywhere(Math.tanh),
};
