/**
 * The paths of an update as one tree. It shows conflicts between paths when it is built, and applies all
 * operators in one walk, in the order of their paths: names in byte order, indexes by number. That order is
 * also the order in which new fields appear. `$` stands alone among the elements of its array.
 */

import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { compareStrings } from "../values/values.ts";
import type { Operation } from "./operation.ts";

export interface Leaf {
  kind: "leaf";
  path: string;
  operation: Operation;
}

export interface Branch {
  kind: "branch";
  children: Map<string, UpdateNode>;
}
export type UpdateNode = Leaf | Branch;

const DIGITS = /^[0-9]+$/;

/** A path as its parts; empty names and misplaced `$` are refused. */
function parseUpdatePath(path: string): string[] {
  if (path === "") fail(56, "An empty update path is not valid.");
  const parts = path.split(".");
  if (parts.includes(""))
    fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (parts.some((part) => part.startsWith("$["))) failUnsupported("'$[]' in the path of an update");
  if (parts.filter((part) => part === "$").length > 1)
    fail(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  if (parts[0] === "$")
    fail(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  return parts;
}

export class UpdateTree {
  readonly root: Branch = createBranch();

  add(leaf: Leaf): void {
    const parts = parseUpdatePath(leaf.path);
    const last = present(parts.pop());
    let current = this.root;
    for (const [i, name] of parts.entries()) {
      const next = current.children.get(name) ?? createBranch();
      if (next.kind === "leaf") failConflict(leaf.path, parts.slice(0, i + 1).join("."));
      current.children.set(name, next);
      current = next;
    }
    if (current.children.has(last)) failConflict(leaf.path, leaf.path);
    current.children.set(last, leaf);
  }

  /** Sorts all branches, which sets the order of the changes. */
  sortBranches(): void {
    sortChildren(this.root);
  }
}

function createBranch(): Branch {
  return { kind: "branch", children: new Map() };
}

function failConflict(path: string, otherPath: string): never {
  fail(40, `Updating the path '${path}' would create a conflict at '${otherPath}'`);
}

function comparePathParts(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b) && Number(a) !== Number(b)) return Number(a) - Number(b);
  return compareStrings(a, b);
}

function sortChildren(node: UpdateNode): void {
  if (node.kind === "leaf") return;
  if (node.children.has("$") && node.children.size > 1)
    failUnsupported("'$' beside other elements of its array");
  node.children = new Map([...node.children].sort(([a], [b]) => comparePathParts(a, b)));
  for (const child of node.children.values()) sortChildren(child);
}
