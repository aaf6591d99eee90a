/** $sort: holds all documents. Where a search begins with a sort, the search does it, and stops at its limit. */

import { measureDocument } from "../expression/size.ts";
import { createTupleComparator, createTupleReader, parseSort, type SortTuple } from "../search/sort.ts";
import { fail } from "../values/errors.ts";
import { type Doc, isDoc, type Value } from "../values/values.ts";
import { HeldMemory, pushDocuments } from "./memory.ts";
import type { PipelineContext, Stage } from "./stage.ts";

export function compileSort(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15973, "the $sort key specification must be an object");
  if (spec.size === 0) fail(15976, "$sort stage must have at least one sort key");
  const keys = parseSort(spec);
  const tupleOf = createTupleReader(keys);
  const inOrder = createTupleComparator(keys);
  const memory = new HeldMemory("$sort");
  const rows: { document: Doc; tuple: SortTuple }[] = [];
  return {
    push(document) {
      memory.add(measureDocument(document));
      rows.push({ document, tuple: tupleOf(document) });
      return true;
    },
    finish(next) {
      context.checkTime();
      rows.sort((a, b) => inOrder(a.tuple, b.tuple));
      pushDocuments(
        rows.map(({ document }) => document),
        next,
        context,
      );
    },
  };
}
