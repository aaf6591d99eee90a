import { z } from "zod";
import { count, opaqueId, timestamp } from "#app/api/shapes.server.ts";
import type { RepoCommit, RepoFile } from "#db/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos.server.ts";
import { REPO_FILE_KINDS, REPO_STATES, SYNC_ERRORS } from "#domain/repo.ts";
import { toTimestamp } from "#domain/timestamp.ts";

/** Mirrors, their files and their commits as scripts see them. */
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
  })
  .meta({ id: "Repo" });

export function repoOnWire({ user_id: _, ...repo }: RepoRecord) {
  return {
    ...repo,
    created_at: toTimestamp(repo.created_at),
    last_sync_time: repo.last_sync_time && toTimestamp(repo.last_sync_time),
    next_sync_at: toTimestamp(repo.next_sync_at),
  };
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

export function repoFileOnWire({ size, ...file }: RepoFile) {
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

export const commitOnWire = (commit: RepoCommit) => ({ ...commit, at: toTimestamp(commit.at) });
