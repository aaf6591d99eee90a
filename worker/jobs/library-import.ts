import { isAccountLocked } from "#db/accounts/account-state.server.ts";
import {
  claimImport,
  endImport,
  type HeldImport,
  releaseImport,
  setImportChecked,
} from "#db/library-zip/library-import-work.server.ts";
import { writeStep } from "#domain/jobs/log-steps.ts";
import {
  IMPORT_ATTEMPTS_MAX,
  type ImportFailure,
  type ImportReport,
  mergeAttemptReports,
} from "#domain/library-zip/library-import.ts";
import type { JobHandler, Work } from "#worker/job.ts";
import { Damaged, ImportStopped } from "#worker/library-import/damaged.ts";
import { runImport } from "#worker/library-import/run-import.ts";
import { listLivingWorkerIds } from "#worker/mirror/abandoned.ts";
import { RunCancelled } from "#worker/run-cancelled.ts";

/** Checks a library zip, or imports it once its owner has confirmed. Without an import in its payload it does nothing. */
export const libraryImport: JobHandler<"library_import"> = async (work) => {
  const { db, clock, workerId } = work.services;
  const { user_id, import_id } = work.payload;
  if (user_id === undefined || import_id === undefined) return { outcome: "nothing" };
  // A locked account's import is not claimed, so it is queued again later, also after the account is unlocked.
  if (await isAccountLocked(db, user_id)) return { outcome: "account_locked" };
  const living = await listLivingWorkerIds(work.services);
  const claimed = await claimImport(db, { user_id, import_id }, workerId, living, clock());
  if (!claimed) return { outcome: "ended" };
  const outcome: ImportOutcome = { report: null };
  work.writeLog(
    claimed.state === "checking"
      ? writeStep("checkingZip")
      : writeStep("importingZip", { attempt: String(claimed.attempts) }),
  );
  try {
    if (claimed.attempts > IMPORT_ATTEMPTS_MAX) throw new ImportStopped("worker_lost");
    return await importClaimed(work, claimed, outcome);
  } catch (error) {
    const report = claimed.state === "importing" ? outcome.report : null;
    return endImportEarly(work, claimed, report, error);
  }
};

type ImportWork = Work<"library_import">;
type ImportOutcome = { report: ImportReport | null };
const toEventFields = ({ user_id }: HeldImport) => ({ resource: { type: "user", id: user_id } });

const describeKinds = ({ kinds }: ImportReport) =>
  Object.entries(kinds)
    .map(([kind, { added, here }]) => `${added} ${kind} new, ${here} here already`)
    .join("; ");

async function importClaimed(work: ImportWork, claimed: HeldImport, outcome: ImportOutcome) {
  const { db, clock } = work.services;
  const startedMs = performance.now();
  const last = await runImport(work, claimed, (report) => {
    outcome.report = report;
  });
  if (claimed.state === "checking") {
    const state = await setImportChecked(db, claimed, last);
    if (state !== "held") throw new ImportStopped(state);
    work.writeLog(`The zip can be imported: ${describeKinds(last)}`);
    return { outcome: "checked" };
  }
  const report = claimed.attempts > 1 && claimed.plan ? mergeAttemptReports(claimed.plan, last) : last;
  await endImport(db, claimed, { state: "done", report }, clock());
  const [files, notes] = [report.kinds.files.added, report.kinds.notes.added];
  const ms = Math.round(performance.now() - startedMs);
  work.writeLog(`Imported: ${describeKinds(report)}`);
  db.emit("library_imported", { files, notes, ms, ...toEventFields(claimed) });
  return { outcome: "imported", files, notes };
}

/** Stores what the person sees first, then ends the run according to the reason. */
async function endImportEarly(
  work: ImportWork,
  claimed: HeldImport,
  report: ImportReport | null,
  error: unknown,
) {
  const { db, clock } = work.services;
  if (work.signal.aborted && !(work.signal.reason instanceof RunCancelled)) {
    await releaseImport(db, claimed);
    throw error;
  }
  if (error instanceof Damaged) {
    await endImport(db, claimed, { state: "refused", damage: error.damage }, clock());
    work.writeLog(`The zip is damaged: ${error.damage.why}`);
    db.emit("library_import_refused", { reason: error.damage.why, ...toEventFields(claimed) });
    return { outcome: "refused", why: error.damage.why };
  }
  const reason = error instanceof ImportStopped ? error.reason : "fault";
  work.writeLog(`Stopped: ${reason}`);
  if (reason === "lost") return { outcome: "lost" };
  if (reason === "cancelled" || work.signal.aborted) {
    await endImport(db, claimed, { state: "cancelled", report }, clock());
    if (work.signal.aborted) throw error;
    return { outcome: "cancelled" };
  }
  if (reason === "library_full") {
    await endImport(db, claimed, { state: "failed", failure: reason, report }, clock());
    return { outcome: reason };
  }
  return failImport(work, claimed, report, reason, error);
}

async function failImport(
  { services: { db, clock } }: ImportWork,
  claimed: HeldImport,
  report: ImportReport | null,
  failure: ImportFailure,
  error: unknown,
): Promise<never> {
  await endImport(db, claimed, { state: "failed", failure, report }, clock());
  db.emit("library_import_failed", { reason: failure, ...toEventFields(claimed) });
  throw error;
}
