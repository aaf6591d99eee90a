/** find's projections: the tree of $project, and with it `$slice` of so many elements, which only find knows. */

import {
  addLeaf,
  applyProjection,
  type FindSyntax,
  type Mode,
  ProjectionParser,
} from "../aggregate/projection.ts";
import { failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, isNumber, toNumber, type Value } from "../values/values.ts";

export interface Projection {
  apply(document: Doc): Doc;
  /** The top-level fields it reads when it is a pure inclusion; undefined = the whole document. */
  needs: ReadonlySet<string> | undefined;
}

/** Slices the arrays at the path, also in the documents of an array on the way. */
function sliceAt(document: Doc, path: readonly string[], start: number, limit: number): Doc {
  const value = document.get(present(path[start]));
  const below = (item: Value) => (item instanceof Map ? sliceAt(item, path, start + 1, limit) : item);
  const isLast = start === path.length - 1;
  let result = value;
  if (Array.isArray(value)) {
    const sliced = () => (limit < 0 ? value.slice(limit) : value.slice(0, limit));
    result = isLast ? sliced() : value.map(below);
  } else if (value !== undefined && !isLast) result = below(value);
  return result === undefined || result === value
    ? document
    : new Map(document).set(present(path[start]), result);
}

function clampToInt32(value: number): number {
  return Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)));
}

class FindSlices implements FindSyntax {
  readonly slices: { path: readonly string[]; limit: number }[] = [];

  acceptSlice(path: readonly string[], value: Value, parser: ProjectionParser): boolean {
    if (!isDoc(value) || value.size !== 1) return false;
    if (value.has("$elemMatch")) failUnsupported("$elemMatch in a projection");
    const argument = value.get("$slice");
    if (Array.isArray(argument) && argument.length === 2 && argument.every(isNumber))
      failUnsupported("$slice of a projection with a number to skip");
    if (!isNumber(argument)) return false;
    addLeaf(parser.root, path, { kind: "keep" });
    this.slices.push({ path, limit: clampToInt32(toNumber(argument)) });
    return true;
  }

  defaultMode(parser: ProjectionParser): Mode | undefined {
    if (this.slices.length === 0) return undefined;
    return parser.idIncluded ? "inclusion" : "exclusion";
  }
}

export function compileProjection(spec: Doc): Projection {
  const find = new FindSlices();
  const parser = new ProjectionParser(find);
  const tree = parser.parse(spec);
  return {
    apply: (document) =>
      find.slices.reduce(
        (out, { path, limit }) => sliceAt(out, path, 0, limit),
        applyProjection(tree, document),
      ),
    needs:
      tree.mode === "inclusion" && !parser.hasExpressions ? new Set(tree.root.children.keys()) : undefined,
  };
}
