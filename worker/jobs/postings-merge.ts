import { listOwnersToMerge, mergePostings, READ_MAX } from "#db/search/postings-merge.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Puts together what savings left in the search index, one owner after the other. A run reads so much; the next goes on there. */
export const postingsMerge: JobHandler<"postings_merge"> = async ({
  services: { db, clock },
  signal,
  report,
}) => {
  const owners = await listOwnersToMerge(db, clock());
  const sum = { owners: 0, read: 0, written: 0, removed: 0 };
  for (const owner of owners) {
    if (sum.read >= READ_MAX || signal.aborted) break;
    const merged = await mergePostings(db, owner, { now: clock(), readMax: READ_MAX - sum.read, signal });
    sum.owners += 1;
    for (const count of ["read", "written", "removed"] as const) sum[count] += merged[count];
    await report({ processed_items: sum.owners, total_items: owners.length });
  }
  return sum;
};
