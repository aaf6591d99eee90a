/**
 * Walks an update tree over a document. Everything on the way to a change is copied first, so the document
 * given stays as it is, and what no path touches is shared with the result.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, typeName, type Value } from "../values/values.ts";
import type { Operation } from "./operation.ts";
import type { Branch, UpdateNode } from "./tree.ts";

interface WalkOptions {
  insert: boolean;
  position: number | undefined;
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
function toArrayIndex(name: string): number {
  return DIGITS.test(name) && Number(name) <= MAX_INDEX ? Number(name) : -1;
}

function getChild(container: Container | undefined, name: string): Value | undefined {
  if (container instanceof Map) return container.get(name);
  return container?.[toArrayIndex(name)];
}

/** Sets a field or an array element. An array that is too short is filled with nulls. */
function setChild(container: Container, name: string, value: Value): void {
  if (container instanceof Map) {
    container.set(name, value);
    return;
  }
  const index = toArrayIndex(name);
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
    this.#children(tree, { container: this.#root, blocker: undefined, parent: undefined, name: "" });
    return this.#root;
  }

  #apply(node: UpdateNode, spot: Spot, name: string): void {
    if (node.kind === "leaf") this.#leaf(node.operation, spot, name);
    else this.#children(node, this.#enter(spot, name));
  }

  #children(node: Branch, spot: Spot): void {
    for (const [name, child] of node.children)
      this.#apply(child, spot, name === "$" ? this.#matchedName() : name);
  }

  #matchedName(): string {
    const { position } = this.#options;
    if (position === undefined)
      fail(2, "The positional operator did not find the match needed from the query.");
    return String(position);
  }

  /** Steps into a field. Its container is copied the first time, so that this walk may change it. */
  #enter(parent: Spot, name: string): Spot {
    const value = getChild(parent.container, name);
    if (!(value instanceof Map || Array.isArray(value)))
      return { container: undefined, blocker: value, parent, name };
    let container = value;
    if (!this.#own.has(value)) {
      container = value instanceof Map ? new Map(value) : value.slice();
      this.#own.add(container);
      setChild(present(parent.container), name, container);
    }
    return { container, blocker: undefined, parent, name };
  }

  #leaf(operation: Operation, spot: Spot, name: string): void {
    if (operation.insertOnly && !this.#options.insert) return;
    const existing = getChild(spot.container, name);
    if (existing === undefined) {
      if (operation.create) this.#store(spot, name, operation.create());
      else if (!operation.lenient) this.#checkViable(spot, name);
      return;
    }
    const next = operation.update(existing);
    if (next === undefined) removeChild(present(spot.container), name);
    else if (!Object.is(next, existing)) this.#store(spot, name, next);
  }

  #store(spot: Spot, name: string, value: Value): void {
    const container = this.#make(spot, name);
    this.#checkTopLevel(spot, name);
    setChild(container, name, value);
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
    if (spot.blocker !== undefined || (spot.container && toArrayIndex(name) < 0))
      fail(28, `Cannot use the part (${name}) to traverse the element {${spot.name}}`);
    if (!spot.container) this.#checkViable(present(spot.parent), spot.name);
  }
}

/** An array keeps its length: what is taken out of it becomes null. */
function removeChild(container: Container, name: string): void {
  if (container instanceof Map) container.delete(name);
  else container[toArrayIndex(name)] = null;
}
