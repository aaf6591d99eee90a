import { importFiles, planImport } from "#db/repo-import.server.ts";
import { findRepoDoc, toRepo } from "#db/repos.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { JobHandler } from "#worker/handlers.ts";

/** Takes files of one mirror into its owner's library. Asked for none, there is nothing to take. */
export const repoImport: JobHandler<"repo_import"> = async ({
  bench: { db, clock },
  payload,
  signal,
  report,
}) => {
  const { repo_id, path = "" } = payload;
  if (repo_id === undefined) return { outcome: "nothing" };
  const failed = (error: string) =>
    db.emit("codehost_import_repo_error", { repo: repo_id, error, resource: { type: "repo", id: repo_id } });
  const doc = await findRepoDoc(db, repo_id);
  const repo = doc && toRepo(doc, clock());
  const plan = repo && (await planImport(db, repo, path));
  if (!plan || isRefusal(plan)) {
    const code = plan ? plan.refused : "repo_not_found";
    failed(code);
    throw new Error(`Nothing was imported: ${code}`);
  }
  try {
    const total_items = plan.files.length;
    const onFile = (processed_items: number) => report({ processed_items, total_items });
    const imported = await importFiles(db, repo, plan, { now: clock, signal, onFile });
    if (imported.failed > 0) failed("files_not_imported");
    return { outcome: "imported", ...imported, skipped: plan.skipped };
  } catch (error) {
    if (!signal.aborted) failed(error instanceof Error ? error.name : typeof error);
    throw error;
  }
};
