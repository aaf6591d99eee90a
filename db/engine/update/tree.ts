/**
 * The paths of an update as one tree. It shows conflicts between paths when it is built, and applies all
 * operators in one walk, in the order of their paths: names in byte order, indexes by number. That order is
 * also the order in which new fields appear. `$`, `$[]` and `$[identifier]` meet the indexes they stand for
 * during the walk; what they share with each other is merged then, or refused as a conflict.
 */

import type { Filter } from "../filter/match.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { compareStrings } from "../values/values.ts";
import type { Operation } from "./operation.ts";

export interface Leaf {
  kind: "leaf";
  path: string;
  /** Undefined for the source of a $rename, which only keeps its place. */
  operation: Operation | undefined;
  /** The source of a $rename, whose target this leaf is. */
  renamedFrom?: string[];
}

export interface Branch {
  /** An array's children are named by their filter; "" is `$[]`. */
  kind: "object" | "array";
  children: Map<string, UpdateNode>;
  positional: UpdateNode | undefined;
}
export type UpdateNode = Leaf | Branch;

export type ArrayFilters = ReadonlyMap<string, Filter>;

const IDENTIFIER = /^\$\[(.*)\]$/s;
const DIGITS = /^[0-9]+$/;

export function isDynamic(parts: readonly string[]): boolean {
  return parts.some((part) => part === "$" || IDENTIFIER.test(part));
}

/** A path as its parts; empty names and misplaced `$` are refused. */
export function parseUpdatePath(path: string): string[] {
  if (path === "") fail(56, "An empty update path is not valid.");
  const parts = path.split(".");
  if (parts.includes(""))
    fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (parts.filter((part) => part === "$").length > 1)
    fail(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  if (parts[0] === "$")
    fail(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  if (IDENTIFIER.test(present(parts[0])))
    fail(
      2,
      `Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`,
    );
  return parts;
}

export class UpdateTree {
  readonly root: Branch = branch("object");
  readonly #filters: ArrayFilters;
  readonly #used = new Set<string>();

  constructor(filters: ArrayFilters) {
    this.#filters = filters;
  }

  add(leaf: Leaf, parts: string[]): void {
    let current = this.root;
    for (let i = 0; i < parts.length - 1; i++) {
      const name = this.#childName(present(parts[i]), leaf.path);
      const kind = IDENTIFIER.test(present(parts[i + 1])) ? "array" : "object";
      let next = childOf(current, name);
      if (!next) {
        next = branch(kind);
        setChild(current, name, next);
      }
      if (next.kind !== kind) conflict(leaf.path, parts.slice(0, i + 1).join("."));
      current = next as Branch;
    }
    const last = this.#childName(present(parts.at(-1)), leaf.path);
    if (childOf(current, last)) conflict(leaf.path, leaf.path);
    setChild(current, last, leaf);
  }

  /** The name under which a part is kept: identifiers without their brackets. */
  #childName(part: string, path: string): string {
    const found = IDENTIFIER.exec(part);
    if (!found) return part;
    const identifier = present(found[1]);
    if (identifier === "") return "";
    if (!this.#filters.has(identifier))
      fail(2, `No array filter found for identifier '${identifier}' in path '${path}'`);
    this.#used.add(identifier);
    return identifier;
  }

  /** Every filter must have been meant; then the order of the walk is settled. */
  finish(): void {
    for (const identifier of this.#filters.keys())
      if (!this.#used.has(identifier))
        fail(9, `The array filter for identifier '${identifier}' was not used in the update`);
    sortChildren(this.root);
  }
}

function branch(kind: Branch["kind"]): Branch {
  return { kind, children: new Map(), positional: undefined };
}

function childOf(parent: Branch, name: string): UpdateNode | undefined {
  return name === "$" && parent.kind === "object" ? parent.positional : parent.children.get(name);
}

function setChild(parent: Branch, name: string, child: UpdateNode): void {
  if (name === "$" && parent.kind === "object") parent.positional = child;
  else parent.children.set(name, child);
}

function conflict(path: string, at: string): never {
  fail(40, `Updating the path '${path}' would create a conflict at '${at}'`);
}

export function comparePathParts(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b) && Number(a) !== Number(b)) return Number(a) - Number(b);
  return compareStrings(a, b);
}

function sortChildren(node: UpdateNode): void {
  if (node.kind === "leaf") return;
  const sorted = [...node.children].sort(([a], [b]) => comparePathParts(a, b));
  node.children = new Map(sorted);
  for (const child of node.children.values()) sortChildren(child);
  if (node.positional) sortChildren(node.positional);
}

/** What two nodes do to the same place together. */
export function merge(a: UpdateNode | undefined, b: UpdateNode | undefined, place: string): UpdateNode {
  if (!a || !b) return present(a ?? b);
  if (a.kind === "leaf" || a.kind !== b.kind) fail(40, `Update created a conflict at '${place}'`);
  const merged = branch(a.kind);
  for (const name of new Set([...a.children.keys(), ...b.children.keys()]))
    merged.children.set(name, merge(a.children.get(name), b.children.get(name), `${place}.${name}`));
  if (a.positional || b.positional) merged.positional = merge(a.positional, b.positional, `${place}.$`);
  sortChildren(merged);
  return merged;
}
