import { recountLibraries } from "#db/files/library-usage.server.ts";
import {
  announceTrashExpiry,
  dateCutOff,
  finishDeletions,
  type LeftoverPlace,
  removeLeftovers,
  undateLiving,
} from "#db/files/trash-upkeep.server.ts";
import { tidyFolders } from "#db/folders/folder-trash.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { removeNoteless } from "#db/reminders/note-reminders.server.ts";
import { dropRetiredIndexes } from "#db/retired-indexes.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { JobHandler, WorkerServices } from "#worker/job.ts";

type LeftoverLocation = LeftoverPlace & { reminder: string | null };

/** Finishes what was cut off around the trash and around notes, and reports when the store does not empty it by itself. */
export const trashCheck: JobHandler<"trash_check"> = async ({ services }) => {
  const { db, clock } = services;
  const ttl_index = await announceTrashExpiry(db);
  const released = await undateLiving(db);
  const sealed = await dateCutOff(db, clock());
  const finished = await finishDeletions(db, clock());
  const folders_tidied = await tidyFolders(db, clock());
  const from = await placeOfLastRun(services);
  const leftovers = await removeLeftovers(db, from, clock());
  const reminders = await removeNoteless(db, from.reminder, clock());
  const libraries_counted = await recountLibraries(db, clock());
  const indexes_dropped = await dropRetiredIndexes(db, process.uptime() * SECOND_MS);
  const next = { ...leftovers.next, reminder: reminders.next };
  return {
    ttl_index,
    released,
    sealed,
    finished,
    folders_tidied,
    ...leftovers,
    reminders_removed: reminders.removed,
    libraries_counted,
    indexes_dropped,
    next,
  };
};

/** Leftovers are looked for a part at a time: each run goes on where the last one stopped. */
async function placeOfLastRun({ db }: WorkerServices): Promise<LeftoverLocation> {
  const [last] = await listRuns(db, { job_id: "trash_check", status: "completed", limit: 1 });
  const place = (last?.result as { next?: Partial<LeftoverLocation> } | null)?.next ?? {};
  return { version: null, body: null, reminder: null, ...place };
}
