import { listIndexOwners, mergeSegments, rewriteSparseSegments } from "#db/segments/segment-merge.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Keeps the search index small, one owner after another. */
export const searchMerge: JobHandler<"search_merge"> = async ({
  services: { db, clock },
  signal,
  report,
  writeLog,
}) => {
  const sum = { owners: 0, merged_segments: 0 };
  for await (const owner of listIndexOwners(db)) {
    if (signal.aborted) break;
    await rewriteSparseSegments(db, owner, { now: clock(), signal });
    sum.merged_segments += await mergeSegments(db, owner, { now: clock(), signal });
    sum.owners += 1;
    await report({ processed_items: sum.owners });
  }
  writeLog(`Looked at ${sum.owners} libraries: merged ${sum.merged_segments} segments`);
  return sum;
};
