/**
 * Filters. A query document is compiled once into predicates over documents: the conditions on one field
 * become tests of a value, bound to the field's path; $and, $or and $nor join them. Beside the predicate a
 * Filter says what an index can use of it.
 */

import { compileExpression, createScope } from "../expression/expression.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isTruthy, type Value } from "../values/values.ts";
import {
  type Condition,
  type FieldConjunct,
  isOperatorDocument,
  parseConditions,
  type Surroundings,
} from "./match-fields.ts";
import { createEqualityTest } from "./match-values.ts";
import { type Holder, parsePath, type Trail, testPath } from "./path.ts";

export type Conjunct = FieldConjunct & { path: string };

export interface Filter {
  matches(document: Doc): boolean;
  /** The top-level AND of conditions on fields, nested $and included. */
  conjuncts: Conjunct[];
  /** Whether the conjuncts say all that the query says. */
  complete: boolean;
  /** The branches of a top-level $or: what matches the query matches one of them. */
  orBranches: Filter[] | undefined;
  /** The top-level fields it reads; undefined when it needs the whole document. */
  fields: ReadonlySet<string> | undefined;
  /** The array index at which the query met the document, for the positional operator. */
  position(document: Doc): number | undefined;
}

type Matcher = (root: Holder, trail: Trail | undefined) => boolean;

/** One member of the top-level AND. */
interface Clause {
  matches: Matcher;
  conjuncts: Conjunct[];
  branches?: Query[];
}

/** A parsed query document. */
interface Query {
  clauses: Clause[];
  matches: Matcher;
}

interface QueryContext {
  /** The top-level fields read so far; undefined once the whole document is needed. */
  fields: Set<string> | undefined;
  /** Inside $elemMatch: operators over whole documents have no meaning there. */
  nested: boolean;
}

export function compileFilter(query: Doc): Filter {
  const context: QueryContext = { fields: new Set(), nested: false };
  const parsed = parseQuery(query, context);
  return toFilter(parsed, context.fields);
}

function toFilter({ clauses, matches }: Query, fields: ReadonlySet<string> | undefined): Filter {
  const branches = clauses.find((clause) => clause.branches)?.branches;
  return {
    matches: (document) => matches(document, undefined),
    conjuncts: clauses.flatMap((clause) => clause.conjuncts),
    complete: clauses.every((clause) => clause.conjuncts.length > 0),
    orBranches: branches?.map((branch) => toFilter(branch, fields)),
    fields,
    position(document) {
      const trail: Trail = { index: undefined };
      return matches(document, trail) ? trail.index : undefined;
    },
  };
}

function parseQuery(query: Doc, context: QueryContext): Query {
  const clauses: Clause[] = [];
  for (const [name, value] of query) {
    if (name.startsWith("$")) clauses.push(...parseOperator(name, value, context));
    else clauses.push(...parseField(name, value, context));
  }
  return { clauses, matches: combineAll(clauses.map((clause) => clause.matches)) };
}

function combineAll(matchers: Matcher[]): Matcher {
  if (matchers.length === 1) return present(matchers[0]);
  return (root, trail) => {
    for (const matches of matchers) if (!matches(root, trail)) return false;
    return true;
  };
}

function parseField(name: string, value: Value, context: QueryContext): Clause[] {
  if (!context.nested) context.fields?.add(present(name.split(".", 1)[0]));
  const conditions = isOperatorDocument(value)
    ? parseConditions(value, toSurroundings(context))
    : [toEqualityCondition(value)];
  return conditions.map((condition) => bindToPath(name, condition));
}

function toSurroundings(context: QueryContext): Surroundings {
  return {
    parseElement(query) {
      const { matches } = parseQuery(query, { ...context, nested: true });
      return (root) => matches(root, undefined);
    },
    isQueryOperator: (name) => Object.hasOwn(OPERATORS, name),
  };
}

function toEqualityCondition(value: Value): Condition {
  return {
    tests: [{ test: createEqualityTest(value), elements: true }],
    conjuncts: [{ op: "eq", operand: value }],
  };
}

/** The condition on a path: every test of it must find a value, and none when it is negated. */
function bindToPath(name: string, condition: Condition): Clause {
  const path = parsePath(name);
  const conjuncts = condition.conjuncts.map((conjunct): Conjunct => ({ path: name, ...conjunct }));
  const matchers = condition.tests.map(
    ({ test, elements }): Matcher =>
      (root, trail) =>
        testPath(path, root, test, trail, elements),
  );
  const nested = (condition.nested ?? []).map((inner) => bindToPath(name, inner).matches);
  const together = combineAll([...matchers, ...nested]);
  if (condition.negated) return { matches: (root) => !together(root, undefined), conjuncts };
  return { matches: together, conjuncts };
}

type OperatorParser = (value: Value, context: QueryContext) => Clause[];

const OPERATORS: Record<string, OperatorParser> = {
  $and: (value, context) => parseBranches("$and", value, context).flatMap((branch) => branch.clauses),
  $or(value, context) {
    const branches = parseBranches("$or", value, context);
    return branches.length === 1 ? present(branches[0]).clauses : [combineAny(branches)];
  },
  $nor(value, context) {
    const branches = parseBranches("$nor", value, context);
    return [{ matches: (root) => !branches.some(({ matches }) => matches(root, undefined)), conjuncts: [] }];
  },
  $expr: parseExpression,
};

export const QUERY_OPERATORS: readonly string[] = Object.keys(OPERATORS);

function parseOperator(name: string, value: Value, context: QueryContext): Clause[] {
  if (!Object.hasOwn(OPERATORS, name)) {
    const hint =
      name === "$not"
        ? "If you are trying to negate an entire expression, use $nor."
        : "If you have a field name that starts with a '$' symbol, consider using $getField or $setField.";
    fail(2, `unknown top level operator: ${name}. ${hint}`);
  }
  return present(OPERATORS[name])(value, context);
}

function parseBranches(name: string, value: Value, context: QueryContext): Query[] {
  if (!Array.isArray(value)) fail(2, `${name} must be an array`);
  if (value.length === 0) fail(2, "$and/$or/$nor must be a nonempty array");
  return value.map((branch) => {
    if (!(branch instanceof Map)) fail(2, "$or/$and/$nor entries need to be full objects");
    return parseQuery(branch, context);
  });
}

/** Matches if any branch matches; no array position is recorded. */
function combineAny(branches: Query[]): Clause {
  return {
    matches: (root) => {
      for (const { matches } of branches) if (matches(root, undefined)) return true;
      return false;
    },
    conjuncts: [],
    branches,
  };
}

function parseExpression(value: Value, context: QueryContext): Clause[] {
  if (context.nested) fail(2, "$expr can only be applied to the top-level document");
  context.fields = undefined;
  const expression = compileExpression(value);
  return [{ matches: (root) => isTruthy(expression(createScope(root as Doc))), conjuncts: [] }];
}
