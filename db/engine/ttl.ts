/** Removes expired documents: a sweep over each TTL index from its oldest date to the moment of expiry. */
import { compileFilter } from "./filter/match.ts";
import { Deadline } from "./search/query.ts";
import type { Store } from "./storage/store.ts";
import { eachRow } from "./update/mutate.ts";
import { UtcDate } from "./values/values.ts";

export const SWEEP_MS = 30_000;

export async function sweepExpired(store: Store, now: number): Promise<number> {
  let removed = 0;
  for (const collection of store.all())
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined || collection.dropped) continue;
      const before = new UtcDate(BigInt(Math.floor(now - index.expireAfterSeconds * 1000)));
      const filter = compileFilter(new Map([[index.fields[0].path, new Map([["$lt", before]])]]));
      const search = {
        collection,
        filter,
        sort: [],
        skip: 0,
        limit: 0,
        hint: index.spec.get("key"),
        deadline: new Deadline(0),
      };
      removed += await eachRow(store, search, (row) => collection.remove(row));
    }
  return removed;
}
