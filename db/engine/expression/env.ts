/**
 * What the operator tables share: the variables in sight, constants and argument lists.
 *
 * An expression is a closure over a Scope. One whose operands are all constant is evaluated once, while it
 * is compiled; its error then comes even when no document does, as in MongoDB.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, typeName, type Value } from "../values/values.ts";

/** What an expression gives: undefined stands for a missing field. */
export type Result = Value | undefined;

export interface Scope {
  root: Doc;
  /** Variables bound by the expression itself, in slots given out when it is compiled. */
  locals: Result[];
  /** How many elements $map and its like have visited for this document. */
  steps: number;
}

/** undefined stands for a missing field. */
export type Expression = (scope: Scope) => Value | undefined;

/** Turns the argument of `{ name: argument }` into an expression. */
export type Compiler = (argument: Value, env: Environment, name: string) => Expression;
export type OperatorTable = Readonly<Record<string, Compiler>>;

const CONSTANTS = new WeakMap<Expression, { value: Result }>();
const NOWHERE: Scope = { root: new Map(), locals: [], steps: 0 };

export function createConstant(value: Result): Expression {
  const expression = () => value;
  CONSTANTS.set(expression, { value });
  return expression;
}

/** Returns the value of a constant expression in an object, because the value itself may be undefined. */
export function findConstant(expression: Expression | undefined): { value: Result } | undefined {
  return expression && CONSTANTS.get(expression);
}

const root: Expression = (scope) => scope.root;

export class Environment {
  /** The document itself, which paths begin at. */
  readonly root = root;
  readonly #compile: (spec: Value, env: Environment) => Expression;
  readonly #variables: ReadonlyMap<string, Expression>;
  readonly #depth: number;

  constructor(
    compile: (spec: Value, env: Environment) => Expression,
    variables: ReadonlyMap<string, Expression> = new Map(),
    depth = 0,
  ) {
    this.#compile = compile;
    this.#variables = variables;
    this.#depth = depth;
  }

  compile(spec: Value): Expression {
    return this.#compile(spec, this);
  }

  compileThree([first, second, third]: readonly (Value | undefined)[]): [Expression, Expression, Expression] {
    return [this.compile(present(first)), this.compile(present(second)), this.compile(present(third))];
  }

  /** The expressions of an argument list: an array, or the one argument without its array. */
  compileAll(argument: Value): Expression[] {
    return argumentList(argument).map((item) => this.compile(item));
  }

  getVariable(name: string): Expression {
    return this.#variables.get(name) ?? fail(17276, `Use of undefined variable: ${name}`);
  }

  /** Returns a copy of the environment with one more variable, whose value is in Scope.locals at `slot`. */
  bindVariable(name: string): { env: Environment; slot: number } {
    const slot = this.#depth;
    const variables = new Map(this.#variables).set(name, (scope: Scope) => scope.locals[slot]);
    return { env: new Environment(this.#compile, variables, slot + 1), slot };
  }

  foldConstants(evaluate: Expression, operands: readonly (Expression | undefined)[]): Expression {
    for (const operand of operands) if (operand && !CONSTANTS.has(operand)) return evaluate;
    return createConstant(evaluate(NOWHERE));
  }
}

export function isNullish(value: Result): value is null | undefined {
  return value === undefined || value === null;
}

export function argumentList(argument: Value): Value[] {
  return Array.isArray(argument) ? argument : [argument];
}

function requireArguments(count: number, argument: Value, name: string): Value[] {
  const list = argumentList(argument);
  if (list.length === count) return list;
  fail(16020, `Expression ${name} takes exactly ${count} arguments. ${list.length} were passed in.`);
}

function compileApplication(
  operands: Expression[],
  env: Environment,
  apply: (values: Result[]) => Result,
): Expression {
  return env.foldConstants((scope) => apply(operands.map((operand) => operand(scope))), operands);
}

export function createFixedOperator(count: number, apply: (values: Result[]) => Result): Compiler {
  return (argument, env, name) => {
    const operands = requireArguments(count, argument, name).map((item) => env.compile(item));
    return compileApplication(operands, env, apply);
  };
}

export function unary(apply: (value: Result) => Result): Compiler {
  return createFixedOperator(1, ([value]) => apply(value));
}

export function binary(apply: (left: Result, right: Result) => Result): Compiler {
  return createFixedOperator(2, ([left, right]) => apply(left, right));
}

export function createVariadicOperator(apply: (values: Result[]) => Result): Compiler {
  return (argument, env) => compileApplication(env.compileAll(argument), env, apply);
}

/** The error codes of an operator that takes an object: not an object, an unknown field, a missing one. */
interface NamedCodes {
  object: number;
  unknown: number;
  required: Readonly<Record<string, number>>;
  optional?: readonly string[];
}

export function namedArguments(
  argument: Value,
  name: string,
  codes: NamedCodes,
): Record<string, Value | undefined> {
  if (!isDoc(argument))
    fail(codes.object, `${name} only supports an object as its argument, found: ${typeName(argument)}`);
  for (const field of argument.keys())
    if (!Object.hasOwn(codes.required, field) && !codes.optional?.includes(field))
      fail(codes.unknown, `Unrecognized argument to ${name}: ${field}`);
  const out: Record<string, Value | undefined> = {};
  for (const [field, code] of Object.entries(codes.required))
    out[field] = argument.get(field) ?? failIfMissing(argument, field, code, name);
  for (const field of codes.optional ?? []) out[field] = argument.get(field);
  return out;
}

function failIfMissing(argument: Doc, field: string, code: number, name: string): null {
  if (argument.has(field)) return null;
  fail(code, `Missing '${field}' parameter to ${name}`);
}

const LETTER = /[A-Za-z\u0080-\uffff]/;
const NAME_REST = /^[A-Za-z0-9_\u0080-\uffff]*$/;

/** User variables start with a lower-case letter. */
export function checkVariableName(name: string, mayBeSystem: boolean): void {
  if (name === "") fail(9, "empty variable names are not allowed");
  if (!LETTER.test(present(name[0])) || (!mayBeSystem && present(name[0]) >= "A" && present(name[0]) <= "Z"))
    fail(9, `'${name}' starts with an invalid character for a user variable name`);
  if (!NAME_REST.test(name)) fail(9, `'${name}' contains an invalid character for a variable name`);
}
