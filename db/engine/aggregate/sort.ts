/** $sort: holds all documents. Where a search begins with a sort, the search does it, and stops at its limit. */

import { documentBytes } from "../expression/size.ts";
import { compareTuples, parseSort, type SortTuple, sortTuple } from "../search/sort.ts";
import { fail } from "../values/errors.ts";
import { type Doc, isDoc, type Value } from "../values/values.ts";
import { HeldMemory, release } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

export function sort(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15973, "the $sort key specification must be an object");
  if (spec.size === 0) fail(15976, "$sort stage must have at least one sort key");
  const keys = parseSort(spec);
  const tupleOf = sortTuple(keys);
  const inOrder = compareTuples(keys);
  const memory = new HeldMemory("$sort");
  const rows: { document: Doc; tuple: SortTuple }[] = [];
  return {
    push(document) {
      memory.add(documentBytes(document));
      rows.push({ document, tuple: tupleOf(document) });
      return true;
    },
    finish(next) {
      context.checkTime();
      rows.sort((a, b) => inOrder(a.tuple, b.tuple));
      release(
        rows.map(({ document }) => document),
        next,
        context,
      );
    },
  };
}
