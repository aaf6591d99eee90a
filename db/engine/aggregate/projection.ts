/**
 * The tree behind $project, $set and find's projection. Its branches are fields of documents, also of
 * the documents in arrays; its leaves say what becomes of a field. Three modes share it:
 *
 *   inclusion  only what the tree names stays     exclusion  all but what the tree names stays
 *   addition   everything stays, computed fields take their place or come last
 */

import type { Expression, Scope } from "../expression/env.ts";
import { compileExpression, createScope, isExpressionOperator } from "../expression/expression.ts";
import { splitPath } from "../expression/path.ts";
import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, isTruthy, typeName, type Value } from "../values/values.ts";

export type Mode = "inclusion" | "exclusion" | "addition";

export type Leaf =
  | { kind: "include" }
  | { kind: "exclude" }
  /** Stays in every mode; something else looks after it. */
  | { kind: "keep" }
  | { kind: "computed"; expression: Expression };

export interface Branch {
  kind: "branch";
  children: Map<string, Branch | Leaf>;
  /** Whether there is a computed field here or below. */
  hasComputed: boolean;
}

function createBranch(): Branch {
  return { kind: "branch", children: new Map(), hasComputed: false };
}

function buildBranchDocument(branch: Branch, scope: Scope, mode: Mode): Doc {
  return applyBranch(new Map(), branch, scope, mode);
}

function applyValue(value: Value, branch: Branch, scope: Scope, mode: Mode): Value | undefined {
  if (value instanceof Map) return applyBranch(value, branch, scope, mode);
  if (Array.isArray(value)) {
    const out: Value[] = [];
    for (const item of value) {
      const result = applyValue(item, branch, scope, mode);
      if (result !== undefined) out.push(result);
    }
    return out;
  }
  if (mode === "exclusion") return value;
  return branch.hasComputed ? buildBranchDocument(branch, scope, mode) : undefined;
}

/** Returns the value of a field that the tree names; undefined if it is removed, or if it is added again at the end. */
function applyChild(value: Value, child: Branch | Leaf, scope: Scope, mode: Mode): Value | undefined {
  switch (child.kind) {
    case "include":
    case "keep":
      return value;
    case "exclude":
      return undefined;
    case "computed":
      return mode === "addition" ? child.expression(scope) : undefined;
    case "branch": {
      const isScalar = !(value instanceof Map) && !Array.isArray(value);
      return isScalar && mode === "inclusion" ? undefined : applyValue(value, child, scope, mode);
    }
  }
}

function addComputed(out: Doc, document: Doc, branch: Branch, scope: Scope, mode: Mode): void {
  for (const [name, child] of branch.children) {
    if (child.kind === "computed") {
      if (mode === "addition" && document.has(name)) continue;
      const value = child.expression(scope);
      if (value !== undefined) out.set(name, value);
    } else if (child.kind === "branch" && child.hasComputed && !out.has(name)) {
      out.set(name, buildBranchDocument(child, scope, mode));
    }
  }
}

function applyBranch(document: Doc, branch: Branch, scope: Scope, mode: Mode): Doc {
  const out: Doc = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    if (child === undefined) {
      if (mode !== "inclusion") out.set(name, value);
      continue;
    }
    const result = applyChild(value, child, scope, mode);
    if (result !== undefined) out.set(name, result);
  }
  if (branch.hasComputed) addComputed(out, document, branch, scope, mode);
  return out;
}

export interface ProjectionTree {
  mode: Mode;
  root: Branch;
}

export function applyProjection({ mode, root }: ProjectionTree, document: Doc): Doc {
  return applyBranch(document, root, createScope(document), mode);
}

/** Adds a leaf at a path. Fails if the path is that of another leaf, or is above or below it. */
export function addLeaf(root: Branch, parts: readonly string[], leaf: Leaf): void {
  let branch = root;
  const path = parts.join(".");
  parts.forEach((part, i) => {
    if (leaf.kind === "computed") branch.hasComputed = true;
    const child = branch.children.get(part);
    if (i === parts.length - 1) {
      if (child) fail(31250, `Path collision at ${path}`);
      branch.children.set(part, leaf);
      return;
    }
    if (child && child.kind !== "branch")
      fail(31249, `Path collision at ${path} remaining portion ${parts.slice(i + 1).join(".")}`);
    const next = child ?? createBranch();
    branch.children.set(part, next);
    branch = next;
  });
}

/** What find's projections know beyond $project: gets every field first, and says whether it took it. */
export interface FindSyntax {
  acceptSlice(parts: readonly string[], value: Value, parser: ProjectionParser): boolean;
  /** What the projection is where no field of it tells. */
  defaultMode(parser: ProjectionParser): Mode | undefined;
}

export class ProjectionParser {
  readonly root = createBranch();
  mode: Mode | undefined;
  idIncluded = false;
  hasExpressions = false;
  readonly #find: FindSyntax | undefined;

  constructor(find?: FindSyntax) {
    this.#find = find;
  }

  parse(spec: Doc): ProjectionTree {
    for (const [name, value] of spec) this.#field(name, value, []);
    const mode = this.mode ?? this.#find?.defaultMode(this) ?? (this.idIncluded ? "inclusion" : "exclusion");
    const namesId = [...spec.keys()].some((name) => name === "_id" || name.startsWith("_id."));
    if (mode === "inclusion" && !namesId) addLeaf(this.root, ["_id"], { kind: "include" });
    if (mode === "exclusion" && this.idIncluded) this.root.children.delete("_id");
    return { mode, root: this.root };
  }

  /** Sets the mode at the first field and fails if a later field has another mode. Only _id may differ. */
  setMode(mode: "inclusion" | "exclusion", code: number, message: string): void {
    if (this.mode !== undefined && this.mode !== mode) fail(code, message);
    this.mode = mode;
  }

  #computed(parts: readonly string[], value: Value): void {
    this.hasExpressions = true;
    addLeaf(this.root, parts, { kind: "computed", expression: compileExpression(value) });
  }

  #field(name: string, value: Value, above: readonly string[]): void {
    if (name === "$" || name.endsWith(".$") || name.includes(".$."))
      failUnsupported("the positional operator in a projection");
    const parts = [...above, ...splitPath(name)];
    if (this.#find?.acceptSlice(parts, value, this)) return;
    if (isDoc(value)) this.#object(parts, value);
    else if (typeof value === "boolean" || isNumber(value)) this.#flag(parts, isTruthy(value));
    else {
      this.#computed(parts, value);
      this.setMode(
        "inclusion",
        31310,
        `Cannot use an expression ${parts.join(".")}: ${typeName(value)} in an exclusion projection`,
      );
    }
  }

  #flag(parts: readonly string[], isIncluded: boolean): void {
    addLeaf(this.root, parts, { kind: isIncluded ? "include" : "exclude" });
    const path = parts.join(".");
    if (path === "_id") this.idIncluded = isIncluded;
    else if (isIncluded)
      this.setMode("inclusion", 31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    else this.setMode("exclusion", 31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  }

  #object(parts: readonly string[], value: Doc): void {
    if (value.size === 0)
      fail(51270, "An empty sub-projection is not a valid value. Found empty object at path");
    const [first = ""] = value.keys();
    if (value.size > 1 || !first.startsWith("$")) {
      for (const [name, below] of value) this.#field(name, below, parts);
      return;
    }
    if (!isExpressionOperator(first)) fail(31325, `Unknown expression ${first}`);
    this.setMode("inclusion", 31252, "Cannot use expression other than $meta in exclusion projection");
    this.#computed(parts, value);
  }
}

/** Parses the specification of $set: every leaf is an expression, and only top-level names may have dots. */
export function parseSetSpec(spec: Doc): ProjectionTree {
  const root = createBranch();
  const add = (parts: readonly string[], value: Value) => {
    if (isDoc(value) && value.size > 0 && !present([...value.keys()][0]).startsWith("$")) {
      for (const [name, below] of value) {
        if (name.startsWith("$")) fail(40181, "an expression specification must contain exactly one field");
        if (name.includes(".")) fail(40183, `cannot use dotted field name '${name}' in a sub object`);
        add([...parts, ...splitPath(name)], below);
      }
    } else addComputedLeaf(root, parts, value);
  };
  for (const [name, value] of spec) add(splitPath(name), value);
  return { mode: "addition", root };
}

function addComputedLeaf(root: Branch, parts: readonly string[], value: Value): void {
  const conflicts = hasOverlappingPath(root, parts);
  if (conflicts)
    fail(40176, `specification contains two conflicting paths. Cannot specify '${parts.join(".")}'`);
  if (isDoc(value) && value.size > 1)
    fail(40181, "an expression specification must contain exactly one field, the name of the expression.");
  addLeaf(root, parts, { kind: "computed", expression: compileExpression(value) });
}

function hasOverlappingPath(root: Branch, parts: readonly string[]): boolean {
  let branch: Branch | Leaf | undefined = root;
  for (const part of parts) {
    if (branch.kind !== "branch") return true;
    branch = branch.children.get(part);
    if (!branch) return false;
  }
  return true;
}
