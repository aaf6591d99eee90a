import {
  announceBinExpiry,
  finishDeletions,
  type LeftoverPlace,
  removeLeftovers,
  undateLiving,
} from "#db/bin-upkeep.server.ts";
import { listRuns } from "#db/job-runs.server.ts";
import type { Bench, JobHandler } from "#worker/handlers.ts";

/** Finishes what was cut off around the recycle bin, and tells when the store does not empty it by itself. */
export const trashCheck: JobHandler<"trash_check"> = async ({ bench }) => {
  const { db, clock } = bench;
  const ttl_index = await announceBinExpiry(db);
  const released = await undateLiving(db);
  const finished = await finishDeletions(db, clock());
  return {
    ttl_index,
    released,
    finished,
    ...(await removeLeftovers(db, await placeOfLastRun(bench), clock())),
  };
};

/** Leftovers are looked for a part at a time: each run goes on where the last one stopped. */
async function placeOfLastRun({ db }: Bench): Promise<LeftoverPlace> {
  const [last] = await listRuns(db, { job_id: "trash_check", status: "completed", limit: 1 });
  const { version = null, body = null } = (last?.result as { next?: LeftoverPlace } | null)?.next ?? {};
  return { version, body };
}
