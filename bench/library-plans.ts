/** How the store finds what each question of the library asks for. A scan of a collection, or a sort of its own, is a fault; a merge of two ordered ranges is none. */
import type { Connection } from "#db/client.ts";
import {
  chooseCountIndex,
  chooseListIndex,
  parseSpan,
  type Span,
  toFilter,
  toSort,
} from "#db/files/listing/file-filters.server.ts";
import { toNumberedSinceFilter } from "#db/files/usage/library-tally.server.ts";
import { withNumbers } from "#db/search/index-search.server.ts";
import { keyRange } from "#db/segments/segments.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";

type Plan = {
  stage?: string;
  indexName?: string;
  inputStage?: Plan;
  inputStages?: Plan[];
  /** Where a later MongoDB puts it, beside what it made of it. */
  queryPlan?: Plan;
};
type Question = {
  collection: string;
  filter: object;
  sort?: Record<string, 1 | -1>;
  hint?: string;
};

function told(plan: Plan): string {
  if (plan.queryPlan) return told(plan.queryPlan);
  const below = [plan.inputStage, ...(plan.inputStages ?? [])].filter((part) => part !== undefined);
  const own = plan.indexName ? `${plan.stage} ${plan.indexName}` : String(plan.stage);
  return [own, ...below.map(told)].join(" ← ");
}

function listQuestions(ownerId: string, lists: Record<string, FileNarrowing>): Record<string, Question> {
  const living = toFilter(ownerId, {});
  const listed = Object.entries(lists).map(([name, narrowing]): [string, Question] => {
    const { order } = parseSpan({ ...narrowing, sort: "created_at_desc", limit: 20 }) as Span;
    return [
      name,
      {
        collection: "files",
        filter: toFilter(ownerId, narrowing),
        sort: toSort(order) as Question["sort"],
        hint: chooseListIndex(narrowing),
      },
    ];
  });
  const files = (filter: object, hint?: string): Question => ({ collection: "files", filter, hint });
  return {
    ...Object.fromEntries(listed),
    "search: segments of an owner": { collection: "search_segments", filter: keyRange(ownerId) },
    "search: files by number": files({ ...living, ...withNumbers([1, 2]) }, "by_number"),
    "search: not indexed yet": files({ ...living, unindexed: { $gt: "" } }, "unindexed"),
    "search: texts": {
      collection: "file_bodies",
      filter: { _id: { $in: ["a:1", "b:1"] }, user_id: ownerId },
    },
    "save: the name": files({ ...living, file_name: "a" }),
    "counts: of a language": files({ user_id: ownerId, language: "go" }, chooseCountIndex({ lang: "go" })),
    "counts: of a tag": files({ user_id: ownerId, tag_keys: "work" }, chooseCountIndex({ category: "work" })),
    "counts: the next tag": files({ user_id: ownerId, tag_keys: { $gt: "a" } }, "files_with_tag"),
    "tally: changed since": files(toNumberedSinceFilter(ownerId, 5), "by_number"),
    "tally: a day": {
      collection: "files",
      filter: { user_id: ownerId, created_at: { $gte: new Date(0), $lt: new Date(1) } },
      sort: { created_at: -1, _id: -1 },
      hint: "by_day",
    },
    "search: chunks": { collection: "search_chunks", filter: { _id: { $in: ["a:1", "b:1"] } } },
  };
}

export async function explain(
  mongo: Connection,
  ownerId: string,
  lists: Record<string, FileNarrowing>,
): Promise<void> {
  console.log("");
  const faults: string[] = [];
  for (const [name, { collection, filter, sort, hint }] of Object.entries(listQuestions(ownerId, lists))) {
    const find = mongo.collection(collection).find(filter, hint ? { hint } : {});
    if (sort) find.sort(sort).limit(21);
    const { queryPlanner } = await find.explain();
    const plan = told(queryPlanner.winningPlan);
    console.log(`${name}: ${plan}`);
    if (/COLLSCAN|\bSORT\b/.test(plan)) faults.push(name);
  }
  if (faults.length > 0) throw new Error(`A collection is scanned or sorted for: ${faults.join(", ")}`);
  console.log("No collection is scanned.");
}
