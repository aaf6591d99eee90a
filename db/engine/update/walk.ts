/**
 * Walks an update tree over a document. Everything on the way to a change is copied first, so the document
 * given stays as it is, and what no path touches is shared with the result.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, typeName, type Value } from "../values/values.ts";
import {
  type ArrayFilters,
  type Branch,
  comparePathParts,
  type Leaf,
  merge,
  type UpdateNode,
} from "./tree.ts";

interface WalkOptions {
  insert: boolean;
  position: number | undefined;
  now: bigint;
  filters: ArrayFilters;
}

type Container = Doc | Value[];

/** A container on the way, the walk's own copy, or the place where one would have to be made. */
interface Spot {
  container: Container | undefined;
  /** A value that is no container is in the way. */
  blocker: Value | undefined;
  parent: Spot | undefined;
  name: string;
}

const MAX_PADDING = 1_500_000;
const DIGITS = /^[0-9]+$/;
const MAX_INDEX = 2 ** 32 - 1;

/** Digits of any length mean an index, also with zeros in front; -1 for any other name. */
function indexOf(name: string): number {
  return DIGITS.test(name) && Number(name) <= MAX_INDEX ? Number(name) : -1;
}

function read(container: Container | undefined, name: string): Value | undefined {
  if (container instanceof Map) return container.get(name);
  return container?.[indexOf(name)];
}

/** Puts a value where one was or at the end; an array is filled up with nulls to the index. */
function put(container: Container, name: string, value: Value): void {
  if (container instanceof Map) {
    container.set(name, value);
    return;
  }
  const index = indexOf(name);
  if (index < 0) fail(28, `Cannot create field '${name}' in an array`);
  if (index - container.length > MAX_PADDING) fail(34, `can't backfill more than ${MAX_PADDING} elements`);
  while (container.length < index) container.push(null);
  container[index] = value;
}

export class Walk {
  readonly #options: WalkOptions;
  readonly #root: Doc;
  readonly #own = new Set<Container>();

  constructor(document: Doc, options: WalkOptions) {
    this.#root = new Map(document);
    this.#options = options;
  }

  run(tree: Branch): Doc {
    this.#object(tree, this.#top());
    return this.#root;
  }

  #apply(node: UpdateNode, spot: Spot, name: string): void {
    if (node.kind === "leaf") this.#leaf(node, spot, name);
    else if (node.kind === "object") this.#object(node, this.#enter(spot, name));
    else this.#array(node, spot, name);
  }

  #object(node: Branch, spot: Spot): void {
    let positional = node.positional;
    const matched = positional ? this.#matchedName() : "";
    for (const [name, child] of node.children) {
      if (positional && name === matched) {
        this.#apply(merge(child, positional, pathOf(spot, name)), spot, name);
        positional = undefined;
        continue;
      }
      if (positional && comparePathParts(matched, name) < 0) {
        this.#apply(positional, spot, matched);
        positional = undefined;
      }
      this.#apply(child, spot, name);
    }
    if (positional) this.#apply(positional, spot, matched);
  }

  #matchedName(): string {
    const { position } = this.#options;
    if (position === undefined)
      fail(2, "The positional operator did not find the match needed from the query.");
    return String(position);
  }

  /** `$[]` and `$[identifier]`: which elements are meant is settled before any of them changes. */
  #array(node: Branch, spot: Spot, name: string): void {
    const value = read(spot.container, name);
    if (value === undefined)
      fail(2, `The path '${pathOf(spot, name)}' must exist in the document in order to apply array updates.`);
    if (!Array.isArray(value))
      fail(2, `Cannot apply array updates to non-array element ${pathOf(spot, name)}: ${typeName(value)}`);
    const meant = value.map((item) => this.#meant(node, item));
    const inside = this.#enter(spot, name);
    for (const [index, nodes] of meant.entries()) {
      if (nodes.length === 0) continue;
      const together = nodes.reduce((a, b) => merge(a, b, `${pathOf(spot, name)}.${index}`));
      this.#apply(together, inside, String(index));
    }
  }

  #meant(node: Branch, item: Value): UpdateNode[] {
    const out: UpdateNode[] = [];
    for (const [identifier, child] of node.children) {
      const accepted =
        identifier === "" ||
        present(this.#options.filters.get(identifier)).matches(new Map([[identifier, item]]));
      if (accepted) out.push(child);
    }
    return out;
  }

  /** Steps into a field: its container becomes a copy of the walk's own, once. */
  #enter(parent: Spot, name: string): Spot {
    const value = read(parent.container, name);
    if (!(value instanceof Map || Array.isArray(value)))
      return { container: undefined, blocker: value, parent, name };
    let container = value;
    if (!this.#own.has(value)) {
      container = value instanceof Map ? new Map(value) : value.slice();
      this.#own.add(container);
      put(present(parent.container), name, container);
    }
    return { container, blocker: undefined, parent, name };
  }

  #leaf(leaf: Leaf, spot: Spot, name: string): void {
    if (leaf.renamedFrom) this.#rename(leaf, leaf.renamedFrom, spot, name);
    const { operation } = leaf;
    if (!operation || (operation.insertOnly && !this.#options.insert)) return;
    const existing = read(spot.container, name);
    if (existing === undefined) {
      if (operation.create) this.#store(spot, name, operation.create(this.#options));
      else if (!operation.lenient) this.#checkViable(spot, name);
      return;
    }
    const next = operation.update(existing, this.#options);
    if (next === undefined) remove(present(spot.container), name);
    else if (!Object.is(next, existing)) this.#store(spot, name, next);
  }

  #store(spot: Spot, name: string, value: Value): void {
    const container = this.#make(spot, name);
    this.#checkTopLevel(spot, name);
    put(container, name, value);
  }

  /** Stored documents have no `$` in front of their own fields; embedded ones may, and what is inserted. */
  #checkTopLevel(spot: Spot, name: string): void {
    if (spot.parent === undefined && name.startsWith("$") && !this.#options.insert)
      fail(52, `The dollar ($) prefixed field '${name}' in '${name}' is not valid for storage.`);
  }

  /** The spot's container, made with all that is missing above it. */
  #make(spot: Spot, child: string): Container {
    if (spot.container) return spot.container;
    if (spot.blocker !== undefined)
      fail(28, `Cannot create field '${child}' in element {${spot.name}: ${typeName(spot.blocker)}}`);
    const container: Doc = new Map();
    this.#own.add(container);
    this.#store(present(spot.parent), spot.name, container);
    spot.container = container;
    return container;
  }

  #checkViable(spot: Spot, name: string): void {
    if (spot.container instanceof Map) return;
    if (spot.blocker !== undefined || (spot.container && indexOf(name) < 0))
      fail(28, `Cannot use the part (${name}) to traverse the element {${spot.name}}`);
    if (!spot.container) this.#checkViable(present(spot.parent), spot.name);
  }

  #rename(leaf: Leaf, from: string[], spot: Spot, name: string): void {
    let holder = this.#top();
    for (const part of from.slice(0, -1)) {
      if (!holder.container) break;
      this.#checkViable(holder, part);
      holder = this.#enter(holder, part);
    }
    const last = present(from.at(-1));
    this.#checkViable(holder, last);
    const value = read(holder.container, last);
    if (value === undefined) return;
    this.#refuseArrays("source", holder, leaf);
    this.#refuseArrays("destination", spot, leaf);
    this.#store(spot, name, value);
    remove(present(holder.container), last);
  }

  #refuseArrays(which: string, spot: Spot, leaf: Leaf): void {
    for (let at: Spot | undefined = spot; at; at = at.parent)
      if (Array.isArray(at.container))
        fail(
          2,
          `The ${which} field cannot be an array element, '${leaf.path}' has an array field called '${at.name}'`,
        );
  }

  #top(): Spot {
    return { container: this.#root, blocker: undefined, parent: undefined, name: "" };
  }
}

function pathOf(spot: Spot, name: string): string {
  return spot.parent === undefined ? name : `${pathOf(spot.parent, spot.name)}.${name}`;
}

/** An array keeps its length: what is taken out of it becomes null. */
function remove(container: Container, name: string): void {
  if (container instanceof Map) container.delete(name);
  else container[indexOf(name)] = null;
}
