/** explain: the plan in MongoDB's words, and on demand what carrying it out looked at. */

import type { IndexPlan, Plan } from "../search/plan.ts";
import { countEntries, isPlanSorted, planSearch, readRows, type Search } from "../search/query.ts";
import type { Collection } from "../storage/collection.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { asDoc, asString, type Doc, doc, Int32, toCount, type Value } from "../values/values.ts";
import { findCountConstant, readPipeline, splitPipeline } from "./aggregate.ts";
import { VERSION } from "./handshake.ts";
import { parseSearch } from "./read.ts";
import type { Command, Request } from "./request.ts";

function describeIndexScan(plan: IndexPlan, stage = "IXSCAN"): Doc {
  return doc({
    stage,
    keyPattern: plan.index.spec.get("key"),
    indexName: plan.index.name,
    isMultiKey: plan.index.multikey !== 0,
    isUnique: plan.index.unique,
    isPartial: plan.index.partial !== undefined,
    direction: plan.reverse ? "backward" : "forward",
    ranges: new Int32(plan.ranges.length),
  });
}

function describePlan(plan: Plan): Doc {
  if (plan.kind === "scan") return doc({ stage: "COLLSCAN", direction: "forward" });
  const inputStage =
    plan.kind === "union"
      ? doc({ stage: "OR", inputStages: plan.plans.map((part): Value => describeIndexScan(part)) })
      : describeIndexScan(plan);
  return doc({ stage: "FETCH", inputStage });
}

function winningPlan(plan: Plan | undefined, search: Omit<Search, "collection">): Doc {
  if (!plan) return doc({ stage: "EOF" });
  const described = describePlan(plan);
  return isPlanSorted(plan, search.sort) ? described : doc({ stage: "SORT", inputStage: described });
}

/** The search inside each command that can be explained. */
const SEARCHES: Record<string, (fields: Doc) => Omit<Search, "collection">> = {
  find: (fields) => parseSearch(fields, "filter"),
  aggregate: (fields) => splitPipeline(readPipeline(fields), fields).search,
};

async function measureExecution(request: Request, search: Search): Promise<Doc> {
  const started = performance.now();
  const examined = { keys: 0, documents: 0 };
  let returned = 0;
  for await (const rows of readRows(request.engine.store, search, examined)) returned += rows.length;
  return doc({
    executionSuccess: true,
    nReturned: toCount(returned),
    executionTimeMillis: toCount(Math.round(performance.now() - started)),
    totalKeysExamined: toCount(examined.keys),
    totalDocsExamined: toCount(examined.documents),
  });
}

/** True if a pipeline only counts. */
function isCountPipeline(name: string, command: Doc): boolean {
  return (
    name === "aggregate" &&
    findCountConstant(splitPipeline(readPipeline(command), command).rest) !== undefined
  );
}

/** Explains a count of index entries, which reads no document. */
function explainCount(plan: IndexPlan, entries: number): { winningPlan: Doc; stats: Doc } {
  return {
    winningPlan: doc({ stage: "COUNT", inputStage: describeIndexScan(plan, "COUNT_SCAN") }),
    stats: doc({
      executionSuccess: true,
      nReturned: toCount(0),
      executionTimeMillis: toCount(0),
      totalKeysExamined: toCount(entries),
      totalDocsExamined: toCount(0),
    }),
  };
}

async function explain(request: Request): Promise<Doc> {
  const inner = asDoc(request.fields.get("explain"), "explain");
  const [name = ""] = inner.keys();
  const build = Object.hasOwn(SEARCHES, name)
    ? present(SEARCHES[name])
    : fail(59, `Explain failed due to unknown command: ${name}`);
  const search = build(inner);
  const collection: Collection | undefined = request.engine.store.find(
    request.db,
    asString(inner.get(name), name),
  );
  const { store } = request.engine;
  const plan = collection && planSearch(store, { ...search, collection });
  const entries = plan && isCountPipeline(name, inner) ? countEntries(store, collection, plan) : undefined;
  const counted = entries === undefined ? undefined : explainCount(plan as IndexPlan, entries);
  const queryPlanner = doc({
    namespace: `${request.db}.${asString(inner.get(name), name)}`,
    winningPlan: counted?.winningPlan ?? winningPlan(plan, search),
    rejectedPlans: [],
  });
  const wantsStats = request.fields.get("verbosity") !== "queryPlanner";
  return doc({
    explainVersion: "1",
    queryPlanner,
    executionStats:
      wantsStats && collection
        ? (counted?.stats ?? (await measureExecution(request, { ...search, collection })))
        : undefined,
    serverInfo: doc({ version: VERSION }),
  });
}

export const EXPLAIN: Record<string, Command> = { explain: { run: explain, fields: ["verbosity"] } };
