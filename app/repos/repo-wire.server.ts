import { z } from "zod";
import { count, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { JobRun } from "#db/jobs/job-runs.server.ts";
import type { RepoAnalysisDoc } from "#db/repos/documents.ts";
import type { RepoFile } from "#db/repos/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { RUN_STATUSES } from "#domain/jobs/job-run.ts";
import { REPO_FILE_KINDS, REPO_PATH_MAX, REPO_STATES, SYNC_ERRORS } from "#domain/repos/repo.ts";
import { SUGGESTIONS } from "#domain/repos/repo-analysis.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";

export const repoPath = z.string().max(REPO_PATH_MAX).describe("Path of a file or folder in the mirror.");

export const repoShape = z
  .object({
    id: opaqueId,
    repo_name: z.string(),
    url: z.string(),
    has_token: z.boolean(),
    state: z.enum(REPO_STATES),
    error: z.enum(SYNC_ERRORS).nullable(),
    branch: z.string().nullable(),
    head: z.string().nullable(),
    files: count,
    bytes: count,
    skipped: count,
    created_at: timestamp,
    last_sync_time: timestamp.nullable(),
    next_sync_at: timestamp,
    sync_run_id: opaqueId.nullable(),
    import_run_id: opaqueId.nullable(),
    analysis_run_id: opaqueId.nullable(),
  })
  .meta({ id: "Repo" });

export function toWireRepo({ user_id: _, ...repo }: RepoRecord) {
  return writeTimestamps(repo);
}

export const repoFileShape = z
  .object({
    path: z.string(),
    blob: z.string(),
    size_bytes: count,
    language: z.string(),
    kind: z.enum(REPO_FILE_KINDS),
  })
  .meta({ id: "RepoFile" });

export function toWireRepoFile({ size, ...file }: RepoFile) {
  return { ...file, size_bytes: size };
}

export const commitShape = z
  .object({
    commit: z.string(),
    author: z.string(),
    at: timestamp,
    subject: z.string(),
    touched: count,
  })
  .meta({ id: "RepoCommit" });

const analysis = z.object({
  files: count,
  bytes: count,
  languages: z.array(z.object({ language: z.string(), files: count, bytes: count })),
  biggest: z.array(z.object({ path: z.string(), size: count })),
  most_changed: z.array(z.object({ path: z.string(), commits: count })),
  commits: count,
  readme: z.string().nullable(),
  licence: z.object({ path: z.string(), name: z.string().nullable() }).nullable(),
  dependencies: z.array(z.object({ path: z.string(), kind: z.string(), names: z.array(z.string()), count })),
  tests: count,
  ci: z.array(z.string()),
  suggestions: z.array(z.enum(SUGGESTIONS)),
});

export const analysisShape = z.object({
  ok,
  repo_name: z.string(),
  head: z.string().nullable(),
  analysed_at: timestamp,
  analysis,
});

export function toWireAnalysis(repo_name: string, analysisDoc: RepoAnalysisDoc) {
  const analysed_at = toTimestamp(analysisDoc.analysed_at);
  return { ok: true, repo_name, head: analysisDoc.head, analysed_at, analysis: analysisDoc.analysis };
}

export const repoRunShape = z.object({
  run_id: opaqueId,
  job_id: z.string(),
  status: z.enum(RUN_STATUSES),
  progress: count,
  total_items: count.nullable(),
  processed_items: count,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  failure_reason: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
});

/** Leaves out the error's text, which is for operators. */
export function toWireRepoRun(run: JobRun) {
  return writeTimestamps(pickKeys(run, listKeys(repoRunShape.shape)));
}
