import { isAccountLocked } from "#db/accounts/account-state.server.ts";
import { setAnalysis } from "#db/repos/repo-analyses.server.ts";
import { readAnalysisInput } from "#db/repos/repo-reading.server.ts";
import { findRepoDoc } from "#db/repos/repos.server.ts";
import { analyseRepo } from "#domain/repos/repo-analysis.ts";
import type { JobHandler } from "#worker/job.ts";

/** Analyses a mirror and stores the result. Without a mirror in its payload it does nothing. */
export const repoAnalysis: JobHandler<"repo_analysis"> = async ({
  services: { db, clock },
  payload,
  report,
  writeLog,
}) => {
  const { repo_id } = payload;
  if (repo_id === undefined) return { outcome: "nothing" };
  const about = { repo: repo_id, resource: { type: "repo", id: repo_id } };
  const startedMs = performance.now();
  db.emit("repo_analysis_start", about);
  try {
    const repo = await findRepoDoc(db, repo_id);
    if (repo && (await isAccountLocked(db, repo.user_id))) return { outcome: "account_locked" };
    if (!repo?.last_sync_time) throw new NothingToAnalyse();
    const reading = await readAnalysisInput(db, repo);
    db.emit("repo_analysis_parsed", { ...about, count: reading.files.length });
    const total_items = reading.files.length;
    writeLog(`Read ${total_items} files, ${reading.texts.size} texts and ${reading.commits.length} commits`);
    const analysis = analyseRepo(reading);
    const { _id, user_id, head } = repo;
    await setAnalysis(db, { _id, user_id, head, analysed_at: clock(), analysis });
    await report({ processed_items: total_items, total_items });
    db.emit("repo_analysis_done", { ...about, ms: Math.round(performance.now() - startedMs) });
    return { outcome: "analysed", files: reading.files.length };
  } catch (error) {
    db.emit("repo_analysis_error", { ...about, error: error instanceof Error ? error.name : typeof error });
    throw error;
  }
};

/** The mirror was removed or has never been copied. */
class NothingToAnalyse extends Error {
  override name = "NothingToAnalyse";
  override message = "The repository is not mirrored or has not been copied yet";
}
