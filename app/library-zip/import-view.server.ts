import type { Db } from "#db/client.ts";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import { findImport, type LibraryImport } from "#db/library-zip/library-imports.server.ts";
import {
  type Damage,
  type ImportFailure,
  type ImportProgress,
  type ImportReport,
  isWorking,
} from "#domain/library-zip/library-import.ts";
import { required } from "#domain/required.ts";
import { toTimestampOrNull } from "#domain/time/timestamp.ts";

export type ImportView =
  | {
      state: "waiting";
      import_id: string;
      waiting_for: "worker" | "turn" | "switched_off";
      /** The step that starts when a worker takes it. */
      begins: "checking" | "importing";
    }
  | {
      state: "checking" | "importing";
      import_id: string;
      progress: ImportProgress | null;
      is_cancelling: boolean;
    }
  | { state: "checked"; import_id: string; report: ImportReport }
  | {
      state: "done" | "refused" | "failed" | "cancelled";
      import_id: string;
      report: ImportReport | null;
      damage: Damage | null;
      failure: ImportFailure | null;
      ended_at: Date | null;
    };

/** Null if there is none, or if it is still being uploaded. */
export async function findImportView(db: Db, ownerId: string, now: Date): Promise<ImportView | null> {
  const latestImport = await findImport(db, ownerId, now);
  if (!latestImport || latestImport.state === "receiving") return null;
  const { state, import_id, progress, plan, report, damage, failure, ended_at } = latestImport;
  if (state === "checked") return { state, import_id, report: required(plan, "plan of a checked import") };
  if (!isWorking(state)) return { state, import_id, report, damage, failure, ended_at };
  const living = (await listLivingWorkers(db, now)).map(({ worker_id }) => worker_id);
  if (latestImport.worker_id !== null && living.includes(latestImport.worker_id))
    return { state, import_id, progress, is_cancelling: latestImport.cancel_requested_at !== undefined };
  const waiting_for = await findWaitReason(db, latestImport, living.length);
  return { state: "waiting", import_id, waiting_for, begins: state };
}

export function toWireImport(view: ImportView | null) {
  if (view === null) return null;
  const report = "report" in view ? view.report : null;
  return {
    ...view,
    ...("ended_at" in view ? { ended_at: toTimestampOrNull(view.ended_at) } : {}),
    ...(report ? { report: { ...report, made_at: toTimestampOrNull(report.made_at) } } : {}),
  };
}

async function findWaitReason(db: Db, { run_id }: LibraryImport, living: number) {
  const run = run_id === null ? null : await findRun(db, run_id);
  if (run?.status === "skipped") return "switched_off";
  return living === 0 ? "worker" : "turn";
}
