import { z } from "zod";
import { jobsOnWire, runOnWire } from "#app/api/job-wire.server.ts";
import { endpoint } from "#app/http/api.server.ts";
import { textOf } from "#app/i18n/text.ts";
import { findRun, listRuns } from "#db/job-runs.server.ts";
import { triggerJob } from "#db/job-trigger.server.ts";
import { RUN_STATUSES } from "#domain/job-run.ts";
import { isJobId, JOB_IDS } from "#domain/jobs.ts";
import { Refusal } from "#domain/refusal.ts";

const RUNS_LIMIT = 50;
const runQuery = z.object({ job_id: z.enum(JOB_IDS).optional(), status: z.enum(RUN_STATUSES).optional() });

export const jobEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/jobs",
    gate: "admin",
    answer: async ({ shelf, visit }) => {
      const text = textOf(await visit.locale());
      return { ok: true, jobs: await jobsOnWire(shelf, (jobId) => text.jobs.names[jobId]) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/jobs/runs",
    gate: "admin",
    query: runQuery,
    answer: async ({ shelf: { db }, query }) => {
      const runs = await listRuns(db, { ...query, limit: RUNS_LIMIT });
      return { ok: true, runs: runs.map(runOnWire) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/jobs/runs/:run_id",
    gate: "admin",
    answer: async ({ shelf: { db }, params: { run_id } }) => {
      const run = await findRun(db, run_id);
      return run ? { ok: true, run: runOnWire(run) } : Refusal("run_not_found", { run_id });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/jobs/:job_id/trigger",
    gate: "admin",
    answer: async ({ shelf: { db, queue, clock }, params: { job_id } }) => {
      if (!isJobId(job_id)) return Refusal("job_not_found", { job_id });
      const run = await triggerJob(db, queue, job_id, "manual", clock());
      return Response.json({ ok: true, run_id: run.run_id }, { status: 202 });
    },
  }),
];
