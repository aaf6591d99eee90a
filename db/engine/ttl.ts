/** Removes expired documents: a sweep over each TTL index from its oldest date to the moment of expiry. */

import { compileFilter, type Filter } from "./filter/match.ts";
import { Deadline } from "./search/query.ts";
import type { Index } from "./storage/collection.ts";
import type { Store } from "./storage/store.ts";
import { eachRow } from "./update/mutate.ts";
import { present } from "./values/present.ts";
import { type Doc, UtcDate } from "./values/values.ts";

export const SWEEP_MS = 30_000;

/** Filters the documents whose date has expired, and for a partial index only those in the index. */
function toExpiredFilter({ fields, expireAfterSeconds = 0, spec }: Index, now: number): Filter {
  const before = new UtcDate(BigInt(Math.floor(now - expireAfterSeconds * 1000)));
  const expired: Doc = new Map([[present(fields[0]).path, new Map([["$lt", before]])]]);
  const partial = spec.get("partialFilterExpression");
  return compileFilter(partial === undefined ? expired : new Map([["$and", [expired, partial]]]));
}

export async function sweepExpired(store: Store, now: number): Promise<number> {
  let removed = 0;
  for (const collection of store.listAll())
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined || collection.dropped) continue;
      const filter = toExpiredFilter(index, now);
      const search = {
        collection,
        filter,
        sort: [],
        limit: 0,
        hint: index.name,
        deadline: new Deadline(0),
      };
      removed += await eachRow(store, search, (row) => collection.remove(row));
    }
  return removed;
}
