/**
 * Aggregation expressions: compiled once into closures, evaluated against one Scope per document.
 * The operators live in one table per group; what is in no table is refused.
 */
import { fail } from "../values/errors.ts";
import type { Doc, Value } from "../values/values.ts";
import { ARITHMETIC_EXPRESSIONS } from "./arithmetic.ts";
import { ARRAY_EXPRESSIONS } from "./arrays.ts";
import { COMPARISON_EXPRESSIONS } from "./comparison.ts";
import { CONDITIONAL_EXPRESSIONS } from "./conditional.ts";
import {
  type Compiler,
  createConstant,
  Environment,
  type Expression,
  type OperatorTable,
  type Scope,
} from "./env.ts";
import { ITERATION_EXPRESSIONS } from "./iteration.ts";
import { checkFieldName, compilePath } from "./path.ts";
import { STRING_EXPRESSIONS } from "./strings.ts";
import { TYPE_EXPRESSIONS } from "./types.ts";

export function createScope(root: Doc): Scope {
  return { root, locals: [], steps: 0 };
}

/** Every group of operators with its name in the documentation. */
export const EXPRESSION_GROUPS: Readonly<Record<string, OperatorTable>> = {
  Arithmetic: ARITHMETIC_EXPRESSIONS,
  Comparison: COMPARISON_EXPRESSIONS,
  Conditions: CONDITIONAL_EXPRESSIONS,
  Strings: STRING_EXPRESSIONS,
  Arrays: { ...ARRAY_EXPRESSIONS, ...ITERATION_EXPRESSIONS },
  Types: TYPE_EXPRESSIONS,
};

const OPERATORS = new Map<string, Compiler>(
  Object.values(EXPRESSION_GROUPS).flatMap((group) => Object.entries(group)),
);

export const EXPRESSION_OPERATORS: readonly string[] = [...OPERATORS.keys()].sort();

export function isExpressionOperator(name: string): boolean {
  return OPERATORS.has(name);
}

function compileOperator(spec: Doc, name: string, argument: Value, env: Environment): Expression {
  if (spec.size !== 1)
    fail(15983, `An object representing an expression must have exactly one field, found ${spec.size}`);
  const compiler = OPERATORS.get(name) ?? fail(168, `Unrecognized expression '${name}'`);
  return compiler(argument, env, name);
}

function compileObject(spec: Doc, env: Environment): Expression {
  const fields: [string, Expression][] = [];
  for (const [name, value] of spec) {
    if (name.startsWith("$") && fields.length === 0) return compileOperator(spec, name, value, env);
    checkFieldName(name);
    fields.push([name, env.compile(value)]);
  }
  const evaluate: Expression = (scope) => {
    const out: Doc = new Map();
    for (const [name, expression] of fields) {
      const value = expression(scope);
      if (value !== undefined) out.set(name, value);
    }
    return out;
  };
  return env.foldConstants(
    evaluate,
    fields.map(([, expression]) => expression),
  );
}

function compileArray(spec: Value[], env: Environment): Expression {
  const items = spec.map((item) => env.compile(item));
  return env.foldConstants((scope) => items.map((item) => item(scope) ?? null), items);
}

function compile(spec: Value, env: Environment): Expression {
  if (typeof spec === "string") return spec.startsWith("$") ? compilePath(spec, env) : createConstant(spec);
  if (spec instanceof Map) return compileObject(spec, env);
  if (Array.isArray(spec)) return compileArray(spec, env);
  return createConstant(spec);
}

const SYSTEM = new Environment(compile);

/** An expression over a document; a variable that no operator in it binds is refused here and now. */
export function compileExpression(spec: Value): Expression {
  return compile(spec, SYSTEM);
}
