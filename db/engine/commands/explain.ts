/** explain: the plan in MongoDB's words, and on demand what carrying it out looked at. */

import type { IndexPlan, Plan } from "../search/plan.ts";
import { comesSorted, planSearch, rowsOf, type Search } from "../search/query.ts";
import type { Collection } from "../storage/collection.ts";
import { fail } from "../values/errors.ts";
import { asArray, asDoc, asString, count, type Doc, doc, Int32, type Value } from "../values/values.ts";
import { pipelineOf, splitHead } from "./aggregate.ts";
import { VERSION } from "./handshake.ts";
import { searchOf } from "./read.ts";
import type { Command, Request } from "./request.ts";

function ixscan(plan: IndexPlan): Doc {
  return doc({
    stage: "IXSCAN",
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
  if (plan.kind === "scan")
    return doc({ stage: "COLLSCAN", direction: plan.reverse ? "backward" : "forward" });
  const inputStage =
    plan.kind === "union"
      ? doc({ stage: "OR", inputStages: plan.plans.map((part): Value => ixscan(part)) })
      : ixscan(plan);
  return doc({ stage: "FETCH", inputStage });
}

function winningPlan(plan: Plan | undefined, search: Omit<Search, "collection">): Doc {
  if (!plan) return doc({ stage: "EOF" });
  const described = describePlan(plan);
  return comesSorted(plan, search.sort) ? described : doc({ stage: "SORT", inputStage: described });
}

/** The search inside each command that has one. */
const SEARCHES: Record<string, (request: Request, fields: Doc) => Omit<Search, "collection">> = {
  find: (request, fields) => searchOf(request, fields, "filter"),
  count: (request, fields) => searchOf(request, fields, "query"),
  distinct: (request, fields) => searchOf(request, fields, "query"),
  findAndModify: (request, fields) => searchOf(request, fields, "query"),
  aggregate: (_request, fields) => splitHead(pipelineOf(fields), fields).search,
  update: (request, fields) =>
    searchOf(request, asDoc(asArray(fields.get("updates"), "updates")[0], "updates"), "q"),
  delete: (request, fields) => {
    const statement = new Map(asDoc(asArray(fields.get("deletes"), "deletes")[0], "deletes"));
    statement.delete("limit");
    return searchOf(request, statement, "q");
  },
};

async function executionStats(request: Request, search: Search): Promise<Doc> {
  const started = performance.now();
  const examined = { keys: 0, documents: 0 };
  let returned = 0;
  for await (const rows of rowsOf(request.engine.store, search, examined)) returned += rows.length;
  return doc({
    executionSuccess: true,
    nReturned: count(returned),
    executionTimeMillis: count(Math.round(performance.now() - started)),
    totalKeysExamined: count(examined.keys),
    totalDocsExamined: count(examined.documents),
  });
}

async function explain(request: Request): Promise<Doc> {
  const inner = asDoc(request.fields.get("explain"), "explain");
  const [name] = inner.keys();
  const build = Object.hasOwn(SEARCHES, name)
    ? SEARCHES[name]
    : fail(59, `Explain failed due to unknown command: ${name}`);
  const search = build(request, inner);
  const collection: Collection | undefined = request.engine.store.find(
    request.db,
    asString(inner.get(name), name),
  );
  const plan = collection && planSearch(request.engine.store, { ...search, collection });
  const queryPlanner = doc({
    namespace: `${request.db}.${asString(inner.get(name), name)}`,
    winningPlan: winningPlan(plan, search),
    rejectedPlans: [],
  });
  const reads = name !== "update" && name !== "delete" && name !== "findAndModify";
  const wantsStats = reads && request.fields.get("verbosity") !== "queryPlanner";
  return doc({
    explainVersion: "1",
    queryPlanner,
    executionStats:
      wantsStats && collection ? await executionStats(request, { ...search, collection }) : undefined,
    serverInfo: doc({ version: VERSION }),
  });
}

export const EXPLAIN: Record<string, Command> = { explain: { run: explain, fields: ["verbosity"] } };
