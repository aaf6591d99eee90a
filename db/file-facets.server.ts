import type { Db } from "#db/client.ts";
import { findLastNumber, takeNumbers } from "#db/postings.server.ts";

export type Facet = { value: string; count: number };
export type Facets = { languages: Facet[]; tags: Facet[] };

const SHOWN_MAX = 30;
/** Counting a library of this many files or more takes long enough that its counts are kept for a while. */
const KEPT_FROM_MS = 20;
const KEPT_FOR_TIMES = 100;
const OWNERS_MAX = 1_000;

type Kept = { lastNumber: number; untilMs: number; facets: Facets };
const kept = new WeakMap<object, Map<string, Kept>>();

/**
 * The languages and tags of the owner's living files, the most used first. A large library is not counted again while nothing in
 * it was indexed, for a hundred times as long as counting takes: counting never takes more than one part in a hundred.
 */
export async function listFacets(db: Db, ownerId: string, nowMs = () => performance.now()): Promise<Facets> {
  const known = kept.get(db.files) ?? new Map<string, Kept>();
  kept.set(db.files, known);
  const lastNumber = await findLastNumber(db, ownerId);
  const before = known.get(ownerId);
  const startedMs = nowMs();
  if (before && before.lastNumber === lastNumber && startedMs < before.untilMs) return before.facets;
  const [languages, tags] = await Promise.all([
    count(db, ownerId, []),
    count(db, ownerId, [{ $unwind: "$tags" }], "$tags"),
  ]);
  const endedMs = nowMs();
  const tookMs = endedMs - startedMs;
  known.delete(ownerId);
  if (known.size >= OWNERS_MAX) known.clear();
  if (tookMs >= KEPT_FROM_MS)
    known.set(ownerId, {
      lastNumber,
      untilMs: endedMs + tookMs * KEPT_FOR_TIMES,
      facets: { languages, tags },
    });
  return { languages, tags };
}

/** After files came or went without being indexed, what was counted before is not true any more. */
export async function recountFacets(db: Db, ownerId: string): Promise<void> {
  await takeNumbers(db, ownerId, 1);
}

async function count(db: Db, ownerId: string, first: object[], by = "$language"): Promise<Facet[]> {
  const groups = await db.files
    .aggregate<{ _id: string; count: number }>([
      { $match: { user_id: ownerId, deleted_at: null } },
      ...first,
      { $group: { _id: by, count: { $sum: 1 } } },
      { $sort: { count: -1, _id: 1 } },
      { $limit: SHOWN_MAX },
    ])
    .toArray();
  return groups.map(({ _id, count }) => ({ value: _id, count }));
}
