import { z } from "zod";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { jobShape, listWireJobs, runShape, toWireRun } from "#app/operators/job-wire.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { cursorParam, ok, opaqueId } from "#app/web/api/shapes.server.ts";
import { setRunDismissed } from "#db/jobs/job-dismissal.server.ts";
import { retryRun } from "#db/jobs/job-retry.server.ts";
import { listRunPage } from "#db/jobs/job-run-lists.server.ts";
import { findRun } from "#db/jobs/job-runs.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { RUN_STATUSES } from "#domain/jobs/job-run.ts";
import { isJobId, JOB_IDS } from "#domain/jobs/jobs.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const RUNS_LIMIT = 50;
const runQuery = z.object({
  job_id: z.enum(JOB_IDS).optional().describe("Only runs of this job."),
  status: z
    .enum([...RUN_STATUSES, "waiting"])
    .optional()
    .describe("Only runs with this status; `waiting` is another word for `pending`."),
  cursor: cursorParam,
});

export const jobEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/jobs",
    gate: "admin",
    summary: "List jobs with their last and next run",
    returns: { 200: z.object({ ok, jobs: z.array(jobShape) }) },
    answer: async ({ services, context }) => {
      const text = getDictionary(await context.locale());
      return { ok: true, jobs: await listWireJobs(services, (jobId) => text.jobs.names[jobId]) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/jobs/runs",
    gate: "admin",
    summary: "List runs, newest first",
    refuses: ["invalid_cursor"],
    returns: { 200: z.object({ ok, runs: z.array(runShape), next_cursor: z.string().nullable() }) },
    query: runQuery,
    answer: async ({ services: { db }, query: { job_id, status, cursor } }) => {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      if (cursor !== undefined && !after) return Refusal("invalid_cursor");
      const page = await listRunPage(db, {
        job_id,
        status: status === "waiting" ? "pending" : status,
        after,
        limit: RUNS_LIMIT,
      });
      return { ok: true, runs: page.runs.map(toWireRun), next_cursor: page.next && encodeCursor(page.next) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/jobs/runs/:run_id",
    gate: "admin",
    summary: "Get a run",
    returns: { 200: z.object({ ok, run: runShape }) },
    answer: async ({ services: { db }, params: { run_id } }) => {
      const run = await findRun(db, run_id);
      return run ? { ok: true, run: toWireRun(run) } : Refusal("run_not_found", { run_id });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/jobs/runs/:run_id/retry",
    gate: "admin",
    summary: "Run a failed run again with its own payload",
    refuses: ["run_already_retried", "run_not_retriable"],
    returns: { 202: z.object({ ok, run_id: opaqueId }) },
    answer: async ({ services: { db, queue, clock }, params: { run_id } }) => {
      const run = await retryRun(db, queue, run_id, clock());
      return isRefusal(run) ? run : Response.json({ ok: true, run_id: run.run_id }, { status: 202 });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/jobs/runs/:run_id/dismiss",
    gate: "admin",
    summary: "Take a failed run off the list of failures",
    refuses: ["run_not_failed"],
    returns: { 200: z.object({ ok, run: runShape }) },
    answer: async ({ services: { db, clock }, params: { run_id } }) => {
      const run = await setRunDismissed(db, run_id, clock());
      return isRefusal(run) ? run : { ok: true, run: toWireRun(run) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/jobs/runs/:run_id/restore",
    gate: "admin",
    summary: "Bring a dismissed run back to the list of failures",
    refuses: ["run_not_failed"],
    returns: { 200: z.object({ ok, run: runShape }) },
    answer: async ({ services: { db }, params: { run_id } }) => {
      const run = await setRunDismissed(db, run_id, null);
      return isRefusal(run) ? run : { ok: true, run: toWireRun(run) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/jobs/:job_id/trigger",
    gate: "admin",
    summary: "Run a job now",
    returns: { 202: z.object({ ok, run_id: opaqueId }) },
    answer: async ({ services: { db, queue, clock }, params: { job_id } }) => {
      if (!isJobId(job_id)) return Refusal("job_not_found", { job_id });
      const run = await triggerJob(db, queue, job_id, "manual", clock());
      return Response.json({ ok: true, run_id: run.run_id }, { status: 202 });
    },
  }),
];
