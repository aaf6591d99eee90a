/**
 * Accumulators as expressions: over the elements of one array, or over several arguments. The same
 * accumulators serve $group.
 */

import {
  type Accumulator,
  Average,
  Extreme,
  FirstN,
  LastN,
  MergedObjects,
  positiveCount,
  StandardDeviation,
  Sum,
} from "../aggregate/accumulators.ts";
import { OrderedN } from "../aggregate/best.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { typeName } from "../values/values.ts";
import { type Compiler, namedArguments, type OperatorTable, type Result, variadic } from "./env.ts";

function accumulated(make: () => Accumulator): Compiler {
  return variadic((values) => {
    const accumulator = make();
    const [only] = values;
    const inputs: Result[] = values.length === 1 && Array.isArray(only) ? only : values;
    for (const value of inputs) accumulator.add(value);
    return accumulator.result();
  });
}

const N_CODES = { unknown: 5787901, required: { n: 5787906, input: 5787907 } };

/** `{n, input}`: some of the elements of an array. */
function accumulatedN(notObject: number, make: (n: number) => Accumulator): Compiler {
  return (argument, env, name) => {
    const given = namedArguments(argument, name, { object: notObject, ...N_CODES });
    const n = env.compile(present(given.n));
    const input = env.compile(present(given.input));
    return env.fold(
      (scope) => {
        const accumulator = make(positiveCount(n(scope)));
        const array = input(scope);
        if (!Array.isArray(array)) fail(5788200, `Input must be an array, found ${typeName(array)}`);
        for (const item of array) accumulator.add(item);
        return accumulator.result();
      },
      [n, input],
    );
  };
}

export const ACCUMULATOR_EXPRESSIONS: OperatorTable = {
  $avg: accumulated(() => new Average()),
  $firstN: accumulatedN(5787801, (n) => new FirstN(n)),
  $lastN: accumulatedN(5787801, (n) => new LastN(n)),
  $max: accumulated(() => new Extreme(-1)),
  $maxN: accumulatedN(5787900, (n) => new OrderedN(n, -1)),
  $mergeObjects: accumulated(() => new MergedObjects()),
  $min: accumulated(() => new Extreme(1)),
  $minN: accumulatedN(5787900, (n) => new OrderedN(n, 1)),
  $stdDevPop: accumulated(() => new StandardDeviation(0)),
  $stdDevSamp: accumulated(() => new StandardDeviation(1)),
  $sum: accumulated(() => new Sum()),
};
