/**
 * Expected against actual by the format's rules: numbers compare by value, order of keys does not count,
 * extra keys are allowed in a root document and nowhere below it, and single-key objects whose key starts
 * with `$$` are assertions. A difference is thrown as a Mismatch that names the path.
 */

import { BSON } from "mongodb";
import { required } from "#domain/required.ts";
import { type Fields, fieldsOf, hasType, isDocument, numberOf, textOf } from "./values.ts";

export class Mismatch extends Error {}

/** What the assertions ask of the test's entities. */
export interface References {
  value(name: string): unknown;
  lsid(session: string): unknown;
}

interface Place {
  path: string;
  /** A root document may carry fields that the test does not name. */
  root: boolean;
  references: References;
}

type Assertion = (operand: unknown, actual: unknown, place: Place) => void;

export function matchRoot(expected: unknown, actual: unknown, path: string, references: References): void {
  matchAt(expected, actual, { path, root: true, references });
}

export function matchValue(expected: unknown, actual: unknown, path: string, references: References): void {
  matchAt(expected, actual, { path, root: false, references });
}

/** The documents of a cursor: as many as expected, each one a root document. */
export function matchEachRoot(
  expected: unknown[],
  actual: unknown,
  path: string,
  references: References,
): void {
  matchLength(expected, actual, path);
  for (const [index, value] of expected.entries()) {
    matchRoot(value, (actual as unknown[])[index], `${path}[${index}]`, references);
  }
}

function matchAt(expected: unknown, actual: unknown, place: Place): void {
  const assertion = assertionIn(expected);
  if (assertion !== undefined) assertion.check(assertion.operand, actual, place);
  else if (Array.isArray(expected)) matchArray(expected, actual, place);
  else if (isDocument(expected)) matchDocument(expected, actual, place);
  else matchScalar(expected, actual, place.path);
}

function matchDocument(expected: Fields, actual: unknown, place: Place): void {
  if (!isDocument(actual)) throw different(place.path, expected, actual);
  const found = fieldsOf(actual);
  for (const [key, value] of Object.entries(expected)) {
    matchAt(value, found[key], { ...place, path: `${place.path}.${key}`, root: false });
  }
  if (place.root) return;
  const extra = Object.keys(found).filter((key) => !Object.hasOwn(expected, key));
  if (extra.length > 0) throw new Mismatch(`${place.path} has unexpected fields: ${extra.join(", ")}`);
}

function matchArray(expected: unknown[], actual: unknown, place: Place): void {
  matchLength(expected, actual, place.path);
  for (const [index, value] of expected.entries()) {
    matchAt(value, (actual as unknown[])[index], { ...place, path: `${place.path}[${index}]`, root: false });
  }
}

function matchLength(expected: unknown[], actual: unknown, path: string): void {
  if (!Array.isArray(actual)) throw different(path, expected, actual);
  if (actual.length !== expected.length) {
    throw new Mismatch(
      `${path} has ${actual.length} elements instead of ${expected.length}: ${show(actual)}`,
    );
  }
}

function matchScalar(expected: unknown, actual: unknown, path: string): void {
  const number = numberOf(expected);
  const same =
    number === undefined
      ? actual !== undefined && textOf(actual) === textOf(expected)
      : // biome-ignore lint/suspicious/noDoubleEquals: 1 and 1n are the same number
        numberOf(actual) !== undefined && (required(numberOf(actual)) == number || bothNaN(number, actual));
  if (!same) throw different(path, expected, actual);
}

function bothNaN(number: number | bigint, actual: unknown): boolean {
  return Number.isNaN(number) && Number.isNaN(numberOf(actual));
}

/** `{ $$name: operand }`, or nothing. An unknown assertion is an error, never a literal. */
function assertionIn(expected: unknown): { check: Assertion; operand: unknown } | undefined {
  if (!isDocument(expected)) return undefined;
  const [key, ...rest] = Object.keys(expected);
  if (key === undefined || rest.length > 0 || !key.startsWith("$$")) return undefined;
  const check = ASSERTIONS[key];
  // An expression variable such as { $$ROOT: … } never stands alone as a key, so this is a typing error.
  if (check === undefined) throw new Error(`unknown assertion ${key}`);
  return { check, operand: expected[key] };
}

const ASSERTIONS: Record<string, Assertion> = {
  $$exists: (operand, actual, { path }) => {
    if ((actual !== undefined) !== operand) {
      throw new Mismatch(operand === true ? `${path} is missing` : `${path} exists: ${show(actual)}`);
    }
  },
  $$type: (operand, actual, { path }) => {
    const types = Array.isArray(operand) ? operand : [operand];
    if (actual === undefined || !types.some((type) => hasType(actual, type))) {
      throw new Mismatch(`${path} is not of type ${types.join(" or ")}: ${show(actual)}`);
    }
  },
  $$unsetOrMatches: (operand, actual, place) => {
    if (actual !== undefined) matchAt(operand, actual, place);
  },
  $$matchesEntity: (operand, actual, place) => {
    matchAt(place.references.value(operand as string), actual, place);
  },
  $$matchesHexBytes: (operand, actual, { path }) => {
    const hex = hexOf(operand);
    const bytes =
      typeof actual === "string" || actual instanceof Uint8Array ? Buffer.from(actual) : undefined;
    if (bytes?.toString("hex") !== hex) throw different(path, operand, actual);
  },
  $$sessionLsid: (operand, actual, { path, references }) => {
    const lsid = references.lsid(operand as string);
    if (actual === undefined || textOf(actual) !== textOf(lsid)) throw different(path, lsid, actual);
  },
  $$lte: (operand, actual, { path }) => {
    const [found, most] = [numberOf(actual), numberOf(operand)];
    if (found === undefined || most === undefined || found > most) {
      throw new Mismatch(`${path} is not at most ${show(operand)}: ${show(actual)}`);
    }
  },
  $$matchAsDocument: (operand, actual, place) => {
    if (typeof actual !== "string") throw different(place.path, operand, actual);
    matchAt(operand, BSON.EJSON.parse(actual), { ...place, root: false });
  },
  $$matchAsRoot: (operand, actual, place) => {
    matchAt(operand, actual, { ...place, root: true });
  },
};

function hexOf(operand: unknown): string {
  if (typeof operand !== "string" || !/^([0-9a-f]{2})*$/i.test(operand)) {
    throw new Error(`malformed hexadecimal bytes ${show(operand)}`);
  }
  return operand.toLowerCase();
}

/** Collection contents match exactly, order of keys aside: no assertions, no extra fields. */
export function matchExactly(expected: unknown, actual: unknown, path: string): void {
  if (Array.isArray(expected)) {
    matchLength(expected, actual, path);
    for (const [index, value] of expected.entries()) {
      matchExactly(value, (actual as unknown[])[index], `${path}[${index}]`);
    }
  } else if (isDocument(expected)) {
    matchSameFields(expected, actual, path);
  } else {
    matchScalar(expected, actual, path);
  }
}

function matchSameFields(expected: Fields, actual: unknown, path: string): void {
  if (!isDocument(actual)) throw different(path, expected, actual);
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const name of names) {
    if (!Object.hasOwn(expected, name)) throw new Mismatch(`${path} has an unexpected field ${name}`);
    matchExactly(expected[name], actual[name], `${path}.${name}`);
  }
}

function different(path: string, expected: unknown, actual: unknown): Mismatch {
  return new Mismatch(`${path} is ${show(actual)} instead of ${show(expected)}`);
}

export function show(value: unknown): string {
  if (value === undefined) return "missing";
  const text = BSON.EJSON.stringify(isDocument(value) ? fieldsOf(value) : value, { relaxed: true });
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
