/**
 * find's projections: the tree of $project, and with it $slice, $elemMatch and the positional `a.$`, which
 * only find knows.
 */

import { addLeaf, applyTree, type FindSyntax, type Mode, ProjectionParser } from "../aggregate/projection.ts";
import { NO_VARIABLES, type Variables } from "../expression/expression.ts";
import { splitPath } from "../expression/path.ts";
import { compileFilter } from "../filter/match.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, isTruthy, toNumber, typeName, type Value } from "../values/values.ts";

export interface Projection {
  apply(document: Doc): Doc;
  /** The top-level fields it reads when it is a pure inclusion; undefined = the whole document. */
  needs: ReadonlySet<string> | undefined;
}

interface ProjectionOptions {
  now: bigint;
  /** The command's `let`. */
  let?: Variables;
  /** The index of the array element that the query met, for `a.$`. */
  position?: (document: Doc) => number | undefined;
}

/** What is done to a document after the tree: it gets the document before the tree as well. */
type Change = (projected: Doc, original: Doc) => Doc;

interface SliceBounds {
  skip: number | undefined;
  limit: number;
}

function sliced(array: Value[], { skip, limit }: SliceBounds): Value[] {
  if (skip === undefined) return limit < 0 ? array.slice(limit) : array.slice(0, limit);
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
  return array.slice(start, start + limit);
}

/** Slices the arrays at the path, also in the documents of an array on the way. */
function sliceAt(document: Doc, path: readonly string[], at: number, bounds: SliceBounds): Doc {
  const value = document.get(present(path[at]));
  const below = (item: Value) => (item instanceof Map ? sliceAt(item, path, at + 1, bounds) : item);
  const isLast = at === path.length - 1;
  let result = value;
  if (Array.isArray(value)) result = isLast ? sliced(value, bounds) : value.map(below);
  else if (value !== undefined && !isLast) result = below(value);
  return result === undefined || result === value
    ? document
    : new Map(document).set(present(path[at]), result);
}

function int32(value: number): number {
  return Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)));
}

/** `$slice` in find's form: a number, or [skip, limit]. Any other form is the expression. */
function sliceBounds(argument: Value): SliceBounds | undefined {
  if (isNumber(argument)) return { skip: undefined, limit: int32(toNumber(argument)) };
  if (!Array.isArray(argument) || argument.length !== 2) return undefined;
  const [skip, limit] = argument;
  if (!isNumber(skip) || !isNumber(limit) || int32(toNumber(limit)) <= 0) return undefined;
  return { skip: int32(toNumber(skip)), limit: int32(toNumber(limit)) };
}

/** The first array along the path, reduced to the element that the query met. */
function atPosition(projected: Doc, path: readonly string[], index: number | undefined): Doc {
  const [name = "", ...rest] = path;
  const value = projected.get(name);
  if (Array.isArray(value)) {
    if (index === undefined)
      fail(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    if (index >= value.length) fail(51247, "positional operator '.$' element mismatch");
    return new Map(projected).set(name, [present(value[index])]);
  }
  if (!(value instanceof Map) || rest.length === 0) return projected;
  return new Map(projected).set(name, atPosition(value, rest, index));
}

class FindFeatures implements FindSyntax {
  readonly changes: Change[] = [];
  readonly #position: ProjectionOptions["position"];
  #hasSlice = false;
  #hasElemMatch = false;
  #hasPositional = false;

  constructor(position: ProjectionOptions["position"]) {
    this.#position = position;
  }

  get readsWholeDocument(): boolean {
    return this.#hasPositional;
  }

  take(parts: readonly string[], value: Value, parser: ProjectionParser): boolean {
    if (present(parts[parts.length - 1]).endsWith(".$")) this.#takePositional(parts, value, parser);
    else if (isDoc(value) && value.size === 1) {
      if (value.has("$slice")) return this.#takeSlice(parts, present(value.get("$slice")), parser);
      if (!value.has("$elemMatch")) return false;
      this.#takeElemMatch(parts, value, parser);
    } else return false;
    return true;
  }

  #takeSlice(parts: readonly string[], argument: Value, parser: ProjectionParser): boolean {
    const bounds = sliceBounds(argument);
    if (!bounds) return false;
    addLeaf(parser.root, parts, { kind: "keep" });
    this.changes.push((projected) => sliceAt(projected, parts, 0, bounds));
    this.#hasSlice = true;
    return true;
  }

  /** The first element that matches, alone in its array, behind the other fields. */
  #takeElemMatch(parts: readonly string[], value: Doc, parser: ProjectionParser): void {
    const query = present(value.get("$elemMatch"));
    if (!isDoc(query))
      fail(31274, `elemMatch: Invalid argument, object required, but got ${typeName(query)}`);
    if (this.#hasPositional) fail(31255, "Cannot specify positional operator and $elemMatch.");
    if (parts.length > 1) fail(31275, "Cannot use $elemMatch projection on a nested field.");
    const name = present(parts[0]);
    const filter = compileFilter(new Map([[name, value]]));
    addLeaf(parser.root, parts, {
      kind: "computed",
      expression: ({ root }) => {
        const array = root.get(name);
        const index = Array.isArray(array) ? filter.position(root) : undefined;
        return index === undefined ? undefined : [present((array as Value[])[index])];
      },
    });
    this.#hasElemMatch = true;
  }

  #takePositional(parts: readonly string[], value: Value, parser: ProjectionParser): void {
    if (isDoc(value)) fail(31271, "positional projection cannot be used with an expression or sub object");
    if (!isNumber(value) && typeof value !== "boolean")
      fail(31308, "positional projection cannot be used with a literal");
    if (!isTruthy(value)) fail(31395, "positional projection cannot be used with exclusion");
    if (this.#hasPositional) fail(31276, "Cannot specify more than one positional projection per query.");
    if (this.#hasElemMatch) fail(31256, "Cannot specify positional operator and $elemMatch.");
    const position =
      this.#position ?? fail(51050, "Projections with a positional operator require a matcher");
    const name = parts.join(".").slice(0, -2);
    if (name === "") fail(5392900, "Projection on field .$ is invalid");
    const path = splitPath(name);
    parser.claim("inclusion", 31253, `Cannot do inclusion on field ${name}.$ in exclusion projection`);
    addLeaf(parser.root, path, { kind: "include" });
    this.changes.push((projected, original) => atPosition(projected, path, position(original)));
    this.#hasPositional = true;
  }

  defaultMode(parser: ProjectionParser): Mode | undefined {
    if (this.#hasSlice) return parser.idIncluded ? "inclusion" : "exclusion";
    return this.#hasElemMatch ? "inclusion" : undefined;
  }
}

export function compileProjection(spec: Doc, options: ProjectionOptions = { now: 0n }): Projection {
  const find = new FindFeatures(options.position);
  const parser = new ProjectionParser(options.let ?? NO_VARIABLES, find);
  const tree = parser.parse(spec);
  const { changes } = find;
  const isPure = tree.mode === "inclusion" && !parser.hasExpressions && !find.readsWholeDocument;
  return {
    apply(document) {
      let out = applyTree(tree, document, options.now);
      for (const change of changes) out = change(out, document);
      return out;
    },
    needs: isPure ? new Set(tree.root.children.keys()) : undefined,
  };
}
