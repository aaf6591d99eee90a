/** $sort: holds all documents, or with a limit behind it only as many as can still come first. */

import { documentBytes } from "../expression/size.ts";
import { compareTuples, parseSort, type SortTuple, sortTuple } from "../search/sort.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { type Doc, isDoc, type Value } from "../values/values.ts";
import { HeldMemory, release } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

interface Held {
  document: Doc;
  tuple: SortTuple;
  bytes: number;
}

export function sort(spec: Value, context: PipelineContext, most = Number.POSITIVE_INFINITY): Stage {
  if (!isDoc(spec)) fail(15973, "the $sort key specification must be an object");
  if (spec.size === 0) fail(15976, "$sort stage must have at least one sort key");
  const keys = parseSort(spec);
  const tupleOf = sortTuple(keys);
  const inOrder = compareTuples(keys);
  const memory = new HeldMemory("$sort");
  let held: Held[] = [];
  /** The last place that is still worth something, once there are enough documents. */
  let worst: SortTuple | undefined;
  const order = () => {
    held.sort((a, b) => inOrder(a.tuple, b.tuple));
    if (held.length <= most) return;
    held = held.slice(0, most);
    worst = present(held[most - 1]).tuple;
    memory.reset(held.reduce((sum, { bytes }) => sum + bytes, 0));
  };
  return {
    push(document) {
      const tuple = tupleOf(document);
      if (worst && inOrder(worst, tuple) <= 0) return true;
      const bytes = documentBytes(document);
      memory.add(bytes);
      held.push({ document, tuple, bytes });
      if (held.length >= 2 * most) order();
      return true;
    },
    finish(next) {
      context.checkTime();
      order();
      release(
        held.map(({ document }) => document),
        next,
        context,
      );
    },
  };
}
