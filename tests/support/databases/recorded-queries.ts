/** A store that records every query that verbs send through it, to explain them afterwards. */

import type { Collection, Document, FindCursor } from "mongodb";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { itemAt } from "#domain/required.ts";

export type RecordedQuery = {
  collection: CollectionName;
  kind: "find" | "count" | "group" | "write";
  filter: Document;
  hint: unknown;
  sort?: Document;
  projection?: Document;
  explain(): Promise<Document>;
};

type Note = (query: Omit<RecordedQuery, "collection">) => void;
type Options = { hint?: unknown; limit?: number; projection?: Document; sort?: Document } | undefined;
type Recorder = (of: Collection, note: Note) => (first: never, ...rest: never[]) => unknown;

const STATS = "executionStats";

function recordFind(of: Collection, note: Note) {
  return (filter: Document, options: Options) => {
    const cursor = of.find(filter, options as object);
    const query = { kind: "find" as const, filter, hint: options?.hint, projection: options?.projection };
    const noted = { ...query, explain: () => cursor.clone().explain(STATS) } as RecordedQuery;
    note(noted);
    return notingCursor(cursor, noted);
  };
}

/** Order and projection may be set on the cursor afterwards. */
function notingCursor(cursor: FindCursor, noted: RecordedQuery): FindCursor {
  const { sort, project } = cursor;
  return Object.assign(cursor, {
    sort: (order: Document) => {
      noted.sort = order;
      return sort.call(cursor, order as never);
    },
    project: (fields: Document) => {
      noted.projection = fields;
      return project.call(cursor, fields);
    },
  });
}

const recordFindOne: Recorder = (of, note) => (filter: Document, options: Options) => {
  const explain = () =>
    of
      .find(filter, options as object)
      .limit(1)
      .explain(STATS);
  note({
    kind: "find",
    filter,
    hint: options?.hint,
    projection: options?.projection,
    sort: options?.sort,
    explain,
  });
  return of.findOne(filter, options as object);
};

const recordCount: Recorder = (of, note) => (filter: Document, options: Options) => {
  const limit = options?.limit ? [{ $limit: options.limit }] : [];
  const pipeline = [{ $match: filter }, ...limit, { $group: { _id: 1, n: { $sum: 1 } } }];
  const explain = () => of.aggregate(pipeline, pick(options)).explain(STATS);
  note({ kind: "count", filter, hint: options?.hint, explain });
  return of.countDocuments(filter, options as object);
};

const pick = (options: Options) => (options?.hint ? { hint: options.hint as string } : {});

const recordAggregate: Recorder = (of, note) => (pipeline: Document[], options: Options) => {
  const operators = [...JSON.stringify(pipeline.slice(1)).matchAll(/"\$([a-z_]+)"(?!:)/g)].map(
    ([, field]) => field,
  );
  const read = operators.filter((field) => field !== "_id");
  note({
    kind: "group",
    filter: itemAt(pipeline, 0).$match ?? {},
    hint: options?.hint,
    projection: { _id: 0, ...Object.fromEntries(read.map((field) => [field, 1])) },
    explain: () => of.aggregate(pipeline, pick(options)).explain(STATS),
  });
  return of.aggregate(pipeline, options as object);
};

const recordWrite =
  (
    verb: "updateOne" | "updateMany" | "deleteOne" | "deleteMany" | "findOneAndUpdate" | "findOneAndDelete",
  ): Recorder =>
  (of, note) =>
  (filter: Document, ...rest: never[]) => {
    note({ kind: "write", filter, hint: undefined, explain: () => of.find(filter).explain(STATS) });
    return (of[verb] as (...given: unknown[]) => unknown)(filter, ...rest);
  };

const RECORDERS: Record<string, Recorder> = {
  find: recordFind as Recorder,
  findOne: recordFindOne,
  countDocuments: recordCount,
  aggregate: recordAggregate,
  ...Object.fromEntries(
    (
      ["updateOne", "updateMany", "deleteOne", "deleteMany", "findOneAndUpdate", "findOneAndDelete"] as const
    ).map((verb) => [verb, recordWrite(verb)]),
  ),
};

export function recordQueries(db: Db): { store: Db; queries: RecordedQuery[] } {
  const queries: RecordedQuery[] = [];
  const watched = Object.entries(db).map(([name, part]) => {
    if (typeof part !== "object" || part === null || !("countDocuments" in part)) return [name, part];
    const note: Note = (query) => queries.push(Object.assign(query, { collection: name as CollectionName }));
    const proxy = new Proxy(part as unknown as Collection, {
      get: (of, verb) => {
        const recorder = RECORDERS[String(verb)];
        const own = Reflect.get(of, verb, of);
        return recorder ? recorder(of, note) : typeof own === "function" ? own.bind(of) : own;
      },
    });
    return [name, proxy];
  });
  return { store: Object.fromEntries(watched) as Db, queries };
}

/** The winning plan and its execution figures; in a pipeline they are in the first stage. */
export function readExplained(explained: Document): {
  stages: string[];
  indexes: string[];
  documents: number;
} {
  const { queryPlanner, executionStats } = explained.stages?.[0]?.$cursor ?? explained;
  const { winningPlan } = queryPlanner;
  return {
    stages: named(winningPlan.queryPlan ?? winningPlan, "stage"),
    indexes: named(winningPlan.queryPlan ?? winningPlan, "indexName"),
    documents: executionStats.totalDocsExamined,
  };
}

function named(plan: unknown, name: string): string[] {
  if (typeof plan !== "object" || plan === null) return [];
  const own = (plan as Record<string, unknown>)[name];
  return [
    ...(typeof own === "string" ? [own] : []),
    ...Object.values(plan).flatMap((part) => named(part, name)),
  ];
}
