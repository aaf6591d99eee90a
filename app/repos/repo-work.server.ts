import { z } from "zod";
import { requestSyncAfterCommit, uploadToHost } from "#app/codehost/upload.server.ts";
import {
  analysisShape,
  repoPath,
  repoRunShape,
  toWireAnalysis,
  toWireRepoRun,
} from "#app/repos/repo-wire.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { count, ok, opaqueId } from "#app/web/api/shapes.server.ts";
import { findAnalysis } from "#db/repos/repo-analyses.server.ts";
import { planImport } from "#db/repos/repo-import.server.ts";
import { findRepoRun, requestAnalysis, requestImport } from "#db/repos/repo-runs.server.ts";
import { findReadableRepo, findRepo } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const pathQuery = z.object({ path: repoPath.default("") });
const queuedRun = z.object({ ok, run_id: opaqueId });

const plannedFile = z.object({
  path: z.string(),
  file_name: z.string(),
  size_bytes: count,
  language: z.string(),
  action: z.enum(["create", "update"]),
});
const plan = z.object({
  ok,
  repo_name: z.string(),
  path: z.string(),
  files: z.array(plannedFile),
  count,
  bytes: count,
  skipped: count,
});

const upload = z
  .strictObject({
    path: repoPath.min(1),
    message: z.string().optional(),
    branch: z.string().optional(),
    file_id: z.string().optional(),
    content: z.string().optional(),
  })
  .refine(({ file_id, content }) => (file_id === undefined) !== (content === undefined), {
    path: ["file_id"],
    message: "Send either file_id or content.",
  });

/** Endpoints for what is done with a mirror: importing, uploading, analysing, and following each run. */
export const repoWorkEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/import",
    gate: "user",
    summary: "Preview an import from a mirror",
    query: pathQuery,
    refuses: ["repo_import_empty", "repo_import_too_large", "repo_path_not_found", "repo_not_synced"],
    returns: { 200: plan },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name }, query }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      const importPlan = isRefusal(repo) ? repo : await planImport(db, repo, query.path, clock());
      if (isRefusal(importPlan)) return importPlan;
      const files = importPlan.files.map(({ path, file_name, size, language, known }) => {
        return { path, file_name, size_bytes: size, language, action: known ? "update" : "create" };
      });
      return { ok: true, repo_name, ...importPlan, files, count: files.length };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/repos/:repo_name/import",
    gate: "user",
    summary: "Import a folder or file from a mirror into the library",
    body: z.strictObject({ path: repoPath.default("") }).default({ path: "" }),
    refuses: ["repo_import_empty", "repo_import_too_large", "repo_path_not_found", "repo_not_synced"],
    returns: { 202: queuedRun },
    answer: async ({ services: { db, queue, clock }, signedIn, params: { repo_name }, body }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      const importPlan = await planImport(db, repo, body.path, clock());
      if (isRefusal(importPlan)) {
        const resource = { type: "repo", id: repo.id };
        db.emit("codehost_import_repo_error", { repo: repo.id, error: importPlan.refused, resource });
        return importPlan;
      }
      const run_id = await requestImport(db, queue, repo, importPlan.path, clock());
      return Response.json({ ok: true, run_id }, { status: 202 });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/repos/:repo_name/upload",
    gate: "user",
    summary:
      "Send a saved file or a text to the code host as a commit; by Bearer only to a repository mirrored with a token of its own, else 403 codehost_session_required or codehost_token_missing",
    body: upload,
    refuses: [
      "file_not_found",
      "repo_path_not_found",
      "binary_content",
      "codehost_session_required",
      "codehost_token_missing",
      "codehost_not_found",
      "codehost_conflict",
      "codehost_rejected",
      "codehost_rate_limited",
      "codehost_denied",
      "codehost_failed",
      "codehost_not_configured",
      "codehost_timeout",
    ],
    returns: {
      201: z.object({
        ok,
        repo_name: z.string(),
        path: z.string(),
        commit: z.string(),
        created: z.boolean(),
        run_id: opaqueId.nullable(),
        sync_queued: z.boolean().meta({
          description: "False where the commit was made and the mirror could not be asked to sync.",
        }),
      }),
    },
    answer: async ({ services, signedIn, params: { repo_name }, body }) => {
      const { db, clock } = services;
      const repo = await findRepo(db, signedIn.user.id, repo_name, clock());
      if (!repo) return Refusal("repo_not_found", { repo_name });
      const { path, message, branch, file_id, content = "" } = body;
      const source = file_id === undefined ? { content } : { file_id };
      const result = await uploadToHost(services, signedIn, repo, { path, message, branch, source });
      if (isRefusal(result)) return result;
      const run_id = await requestSyncAfterCommit(services, repo);
      const answer = { ok: true, repo_name, path, ...result, run_id, sync_queued: run_id !== null };
      return Response.json(answer, { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/analysis",
    gate: "user",
    summary: "Get the last analysis of a mirror",
    refuses: ["repo_not_analysed"],
    returns: { 200: analysisShape },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name } }) => {
      const repo = await findRepo(db, signedIn.user.id, repo_name, clock());
      if (!repo) return Refusal("repo_not_found", { repo_name });
      const analysis = await findAnalysis(db, repo);
      return analysis ? toWireAnalysis(repo_name, analysis) : Refusal("repo_not_analysed", { repo_name });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/repos/:repo_name/analysis",
    gate: "user",
    summary: "Analyse a mirror",
    refuses: ["repo_not_synced"],
    returns: { 202: queuedRun },
    answer: async ({ services: { db, queue, clock }, signedIn, params: { repo_name } }) => {
      const repo = await findReadableRepo(db, signedIn.user.id, repo_name, clock());
      if (isRefusal(repo)) return repo;
      return Response.json(
        { ok: true, run_id: await requestAnalysis(db, queue, repo, clock()) },
        { status: 202 },
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/repos/:repo_name/runs/:run_id",
    gate: "user",
    summary: "Get the progress of the latest sync, import or analysis of a mirror",
    returns: { 200: z.object({ ok, run: repoRunShape }) },
    answer: async ({ services: { db, clock }, signedIn, params: { repo_name, run_id } }) => {
      const repo = await findRepo(db, signedIn.user.id, repo_name, clock());
      if (!repo) return Refusal("repo_not_found", { repo_name });
      const run = await findRepoRun(db, repo, run_id);
      return run ? { ok: true, run: toWireRepoRun(run) } : Refusal("run_not_found", { run_id });
    },
  }),
];
