import { repairDerivedFields } from "#db/files/derived-fields.server.ts";
import { finishFolderDeletions } from "#db/files/folders/folder-trash.server.ts";
import {
  dateInterruptedDeletions,
  finishDeletions,
  type LeftoverPlace,
  removeLeftovers,
  reportMissingTrashIndex,
  resetLivingFilesExpiry,
} from "#db/files/trash/trash-upkeep.server.ts";
import { recountLibraries } from "#db/files/usage/library-usage.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { moveStrayNotes } from "#db/notes/boards/stray-notes.server.ts";
import { dropRetiredIndexes } from "#db/open/indexes/retired-indexes.ts";
import { repairReminders } from "#db/reminders/note-reminders.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { JobHandler, WorkerServices } from "#worker/job.ts";

type CheckPositions = LeftoverPlace & { reminder: string | null; file: string | null; board: string | null };

type Step = (services: WorkerServices) => Promise<Record<string, unknown>>;

/** The steps in their order, by their names in the log. */
const STEPS: Record<string, Step> = {
  "Index that empties the trash": async ({ db }) => ({ ttl_index: await reportMissingTrashIndex(db) }),
  "Living files with an end": async ({ db }) => ({ released: await resetLivingFilesExpiry(db) }),
  "Trashed files without an end": async ({ db, clock }) => ({
    sealed: await dateInterruptedDeletions(db, clock()),
  }),
  "Deletions that were cut off": async ({ db, clock }) => ({ finished: await finishDeletions(db, clock()) }),
  Folders: async ({ db, clock }) => ({ folders_tidied: await finishFolderDeletions(db, clock()) }),
  "Leftovers, notes of deleted boards and orders of names": continueChecks,
  "Libraries to count again": async ({ db, clock }) => ({
    libraries_counted: await recountLibraries(db, clock()),
  }),
  "Indexes that nobody needs": async ({ db }) => ({
    indexes_dropped: await dropRetiredIndexes(db, process.uptime() * SECOND_MS),
  }),
};

/** Finishes interrupted deletions and moves of files and notes, and reports if the store does not empty the trash itself. */
export const trashCheck: JobHandler<"trash_check"> = async ({ services, report, writeLog }) => {
  const result: Record<string, unknown> = {};
  const steps = Object.entries(STEPS);
  for (const [i, [name, step]] of steps.entries()) {
    const { next, ...counts } = await step(services);
    Object.assign(result, counts, next ? { next } : {});
    writeLog(`${name}: ${describeCounts(counts)}`);
    await report({ processed_items: i + 1, total_items: steps.length });
  }
  return result;
};

const describeCounts = (counts: Record<string, unknown>) =>
  Object.entries(counts)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : String(value)}`)
    .join(", ");

async function continueChecks(services: WorkerServices): Promise<Record<string, unknown>> {
  const { db, clock } = services;
  const positions = await findLastPositions(services);
  const leftovers = await removeLeftovers(db, positions, clock());
  const reminders = await repairReminders(db, positions.reminder, clock());
  const files = await repairDerivedFields(db, positions.file);
  const notes = await moveStrayNotes(db, positions.board, clock());
  const next = { ...leftovers.next, reminder: reminders.next, file: files.next, board: notes.next };
  const counts = {
    reminders_removed: reminders.removed,
    reminders_moved: reminders.moved,
    files_mended: files.mended,
    notes_moved: notes.moved,
  };
  return { ...leftovers, ...counts, next };
}

/** Returns where the last run stopped. Each run checks a part of all files and continues there. */
async function findLastPositions({ db }: WorkerServices): Promise<CheckPositions> {
  const [last] = await listRuns(db, { job_id: "trash_check", status: "completed", limit: 1 });
  // The result of an earlier run of this job.
  const positions = (last?.result as { next?: Partial<CheckPositions> } | null)?.next ?? {};
  return { version: null, body: null, reminder: null, file: null, board: null, ...positions };
}
