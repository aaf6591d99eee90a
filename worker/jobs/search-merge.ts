import { listIndexOwners, mergeSegments, sweepSegments } from "#db/search/segment-merge.server.ts";
import { listOwnersToUpgrade, upgradeIndex } from "#db/search/segment-upgrade.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Keeps the search index small, one owner after another, and upgrades indexes of earlier releases. */
export const searchMerge: JobHandler<"search_merge"> = async ({
  services: { db, clock },
  signal,
  report,
  writeLog,
}) => {
  const sum = { owners: 0, upgraded_files: 0, merged_segments: 0 };
  for (const owner of await listOwnersToUpgrade(db)) {
    if (signal.aborted) return sum;
    sum.upgraded_files += await upgradeIndex(db, owner, signal);
  }
  for await (const owner of listIndexOwners(db)) {
    if (signal.aborted) break;
    await sweepSegments(db, owner, { now: clock(), signal });
    sum.merged_segments += await mergeSegments(db, owner, { now: clock(), signal });
    sum.owners += 1;
    await report({ processed_items: sum.owners });
  }
  writeLog(`Looked at ${sum.owners} libraries: merged ${sum.merged_segments} segments`);
  if (sum.upgraded_files > 0) writeLog(`Converted ${sum.upgraded_files} files of an earlier release`);
  return sum;
};
