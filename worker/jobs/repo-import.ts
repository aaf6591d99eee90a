import { isAccountLocked } from "#db/accounts/account-state.server.ts";
import { type Imported, type ImportPlan, importFiles, planImport } from "#db/repos/repo-import.server.ts";
import { claimImport, releaseImport, renewImport } from "#db/repos/repo-runs.server.ts";
import { findRepoDoc, type RepoRecord, toRepo } from "#db/repos/repos.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { JobHandler, Work } from "#worker/job.ts";

const RENEW_EVERY_FILES = 20;

/** Imports files of a mirror into its owner's library. Without a mirror in its payload it does nothing. */
export const repoImport: JobHandler<"repo_import"> = async (work) => {
  const { db, clock } = work.services;
  const { repo_id } = work.payload;
  if (repo_id === undefined) return { outcome: "nothing" };
  const doc = await findRepoDoc(db, repo_id);
  if (!doc) return failImport(work, repo_id, "repo_not_found");
  if (await isAccountLocked(db, doc.user_id)) return { outcome: "account_locked" };
  const repo = toRepo(doc);
  if (!(await claimImport(db, repo, clock()))) return { outcome: "already_importing" };
  try {
    const plan = await planImport(db, repo, work.payload.path ?? "", clock());
    if (isRefusal(plan)) return failImport(work, repo_id, plan.refused);
    work.writeLog(`${plan.files.length} files to import; ${plan.skipped} are left out`);
    const imported = await importPlannedFiles(work, repo, plan);
    work.writeLog(describeCounts(imported));
    return { outcome: "imported", ...imported, skipped: plan.skipped };
  } finally {
    await releaseImport(db, repo);
  }
};

const describeCounts = (imported: Imported) =>
  Object.entries(imported)
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ");

type ImportWork = Work<"repo_import">;

async function importPlannedFiles(work: ImportWork, repo: RepoRecord, plan: ImportPlan): Promise<Imported> {
  const { services, signal, report } = work;
  const { db, clock } = services;
  const total_items = plan.files.length;
  const onFile = async (processed_items: number) => {
    await report({ processed_items, total_items });
    if (processed_items % RENEW_EVERY_FILES === 0) await renewImport(db, repo, clock());
  };
  try {
    const imported = await importFiles(db, repo, plan, { now: clock, signal, onFile });
    if (imported.failed > 0) emitImportError(work, repo.id, "files_not_imported");
    return imported;
  } catch (error) {
    if (!signal.aborted) emitImportError(work, repo.id, error instanceof Error ? error.name : typeof error);
    throw error;
  }
}

function emitImportError({ services: { db } }: ImportWork, repo_id: string, error: string): void {
  db.emit("codehost_import_repo_error", { repo: repo_id, error, resource: { type: "repo", id: repo_id } });
}

function failImport(work: ImportWork, repo_id: string, code: string): never {
  emitImportError(work, repo_id, code);
  throw new Error(`Nothing was imported: ${code}`);
}
