/** What type a value is, and values of one type made into another. */

import { EngineError, fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  fitsInt32,
  fitsInt64,
  Int32,
  isDoc,
  isNumber,
  isTruthy,
  ObjectId,
  Timestamp,
  TYPE_NUMBERS,
  toNumber,
  typeName,
  UtcDate,
  type Value,
} from "../values/values.ts";
import { isoText } from "./calendar.ts";
import { dateOfText } from "./date-text.ts";
import { coerceToDate } from "./date-values.ts";
import {
  argumentList,
  type Compiler,
  constant,
  type Expression,
  namedArguments,
  nullish,
  type OperatorTable,
  type Result,
  unary,
} from "./env.ts";
import { asInt32, shortest } from "./numbers.ts";

const CONVERSION_FAILURE = 241;
const IN_CONVERT = "in $convert with no onError value";

function overflow(value: number | bigint): never {
  fail(CONVERSION_FAILURE, `Conversion would overflow target type ${IN_CONVERT}: ${value}`);
}

function wholePart(value: number): number {
  if (Number.isNaN(value))
    fail(CONVERSION_FAILURE, `Attempt to convert NaN value to integer type ${IN_CONVERT}`);
  if (!Number.isFinite(value))
    fail(CONVERSION_FAILURE, `Attempt to convert infinity value to integer type ${IN_CONVERT}`);
  return Math.trunc(value);
}

function doubleToLong(value: number): bigint {
  const whole = wholePart(value);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : overflow(value);
}

function doubleToInt(value: number): Int32 {
  const whole = wholePart(value);
  return fitsInt32(whole) ? new Int32(whole) : overflow(value);
}

const INTEGER = /^[+-]?\d+$/;
const DOUBLE = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;

function unparsed(text: string): never {
  fail(CONVERSION_FAILURE, `Failed to parse number '${text}' ${IN_CONVERT}`);
}

function textToLong(text: string): bigint {
  const value = INTEGER.test(text) ? BigInt(text.replace("+", "")) : unparsed(text);
  return fitsInt64(value) ? value : unparsed(text);
}

function textToInt(text: string): Int32 {
  const value = Number(textToLong(text));
  return fitsInt32(value) ? new Int32(value) : unparsed(text);
}

function textToDouble(text: string): number {
  if (!DOUBLE.test(text)) unparsed(text);
  if (/nan$/i.test(text)) return Number.NaN;
  if (/inf/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = Number(text);
  return Number.isFinite(value) ? value : unparsed(text);
}

function textToObjectId(text: string): ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text))
    fail(CONVERSION_FAILURE, `Failed to parse objectId '${text}' ${IN_CONVERT}`);
  return new ObjectId(Buffer.from(text, "hex"));
}

type Conversion = (value: never) => Value;
type FromTypes = Readonly<Record<string, Conversion>>;

const same = (value: Value): Value => value;
const fromBool = (one: Value, zero: Value) => (value: boolean) => (value ? one : zero);

/** By target type, then by the type of the input. A pair that is not here is no conversion. */
const CONVERSIONS: Readonly<Record<string, FromTypes>> = {
  double: {
    double: same,
    string: textToDouble,
    bool: fromBool(1, 0),
    date: (value: UtcDate) => Number(value.ms),
    int: toNumber,
    long: toNumber,
  },
  string: {
    double: shortest,
    string: same,
    objectId: (value: ObjectId) => value.bytes.toString("hex"),
    bool: String,
    date: (value: UtcDate) => isoText(value.ms),
    int: (value: Int32) => String(value.value),
    long: String,
  },
  objectId: { string: textToObjectId, objectId: same },
  date: {
    double: (value: number) => new UtcDate(doubleToLong(value)),
    string: (text: string) => new UtcDate(dateOfText(text)),
    objectId: (value: ObjectId) => new UtcDate(coerceToDate(value)),
    date: same,
    timestamp: (value: Timestamp) => new UtcDate(coerceToDate(value)),
    long: (value: bigint) => new UtcDate(value),
  },
  int: {
    double: doubleToInt,
    string: textToInt,
    bool: fromBool(new Int32(1), new Int32(0)),
    int: same,
    long: (value: bigint) => (fitsInt32(Number(value)) ? new Int32(Number(value)) : overflow(value)),
  },
  long: {
    double: doubleToLong,
    string: textToLong,
    bool: fromBool(1n, 0n),
    date: (value: UtcDate) => value.ms,
    int: (value: Int32) => BigInt(value.value),
    long: same,
  },
};

function convert(value: Value, target: string): Value {
  if (target === "bool") return isTruthy(value);
  const type = typeName(value);
  const conversion = CONVERSIONS[target]?.[type] as ((value: Value) => Value) | undefined;
  if (conversion) return conversion(value);
  fail(CONVERSION_FAILURE, `Unsupported conversion from ${type} to ${target} ${IN_CONVERT}`);
}

const TYPE_NAMES = new Map([...TYPE_NUMBERS].map(([name, number]) => [number, name]));

/** The type that `to` asks for, by name or number; null where it evaluates to nothing. */
function targetType(value: Result): string | null {
  if (nullish(value)) return null;
  if (typeof value === "string")
    return value === "missing" || TYPE_NUMBERS.has(value) ? value : fail(2, `Unknown type name: ${value}`);
  if (!isNumber(value))
    fail(9, `$convert's 'to' argument must be a string or number, but is ${typeName(value)}`);
  const number = asInt32(value) ?? fail(9, "In $convert, numeric 'to' argument is not an integer");
  return (
    TYPE_NAMES.get(number) ??
    fail(9, `In $convert, numeric value for 'to' does not correspond to a BSON type: ${number}`)
  );
}

interface Converter {
  input: Expression;
  to: Expression;
  onError?: Expression;
  onNull?: Expression;
}

function converter({ input, to, onError, onNull }: Converter): Expression {
  return (scope) => {
    const target = targetType(to(scope));
    const value = input(scope);
    if (nullish(value)) return onNull ? onNull(scope) : null;
    if (target === null) return null;
    try {
      return convert(value, target);
    } catch (error) {
      if (onError && error instanceof EngineError && error.code === CONVERSION_FAILURE) return onError(scope);
      throw error;
    }
  };
}

const convertOperator: Compiler = (argument, env, name) => {
  const codes = { object: 9, unknown: 9, required: { input: 9, to: 9 }, optional: ["onError", "onNull"] };
  const given = namedArguments(argument, name, codes);
  const parts = {
    input: env.compile(present(given.input)),
    to: env.compile(present(given.to)),
    onError: env.compileIfGiven(given.onError),
    onNull: env.compileIfGiven(given.onNull),
  };
  return env.fold(converter(parts), Object.values(parts));
};

function conversionTo(type: string): Compiler {
  return (argument, env, name) => {
    const list = argumentList(argument);
    if (list.length !== 1) fail(50723, `${name} requires a single argument, got ${list.length}`);
    const input = env.compile(present(list[0]));
    return env.fold(converter({ input, to: constant(type) }), [input]);
  };
}

function timestampPart(code: number, read: (value: bigint) => bigint): Compiler {
  return unary((value, name) => {
    if (nullish(value)) return null;
    if (value instanceof Timestamp) return read(value.value);
    fail(code, ` Argument to ${name} must be a timestamp, but is ${typeName(value)}`);
  });
}

const rand: Compiler = (argument) => {
  if (!(isDoc(argument) && argument.size === 0) && !(Array.isArray(argument) && argument.length === 0))
    fail(3040501, "$rand does not currently accept arguments");
  return () => Math.random();
};

const literal: Compiler = (argument) => constant(argument);

export const TYPE_EXPRESSIONS: OperatorTable = {
  $const: literal,
  $convert: convertOperator,
  $isNumber: unary((value) => isNumber(value)),
  $literal: literal,
  $rand: rand,
  $toBool: conversionTo("bool"),
  $toDate: conversionTo("date"),
  $toDouble: conversionTo("double"),
  $toInt: conversionTo("int"),
  $toLong: conversionTo("long"),
  $toObjectId: conversionTo("objectId"),
  $toString: conversionTo("string"),
  $tsIncrement: timestampPart(5687302, (value) => value & 0xffffffffn),
  $tsSecond: timestampPart(5687301, (value) => value >> 32n),
  $type: unary((value) => typeName(value)),
};
