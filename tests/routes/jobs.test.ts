import { describe, expect, it } from "vitest";
import { claimRun, completeRun, findRun } from "#db/jobs/job-runs.server.ts";
import { JOB_IDS } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.visitor().logIn(ADMIN_ID);
const jobs = async () => (await (await admin.ask("/api/jobs")).json()).jobs;

describe("the jobs", () => {
  it("are listed with schedule, last run and next run", async () => {
    const listed = await jobs();
    expect(listed.map(({ job_id }: { job_id: string }) => job_id)).toEqual(JOB_IDS);
    expect(listed.slice(0, 2)).toEqual([
      {
        job_id: "stuck_monitor",
        name: "Find stuck runs",
        enabled: true,
        schedule: "* * * * *",
        last_run: null,
        next_run_at: expect.stringMatching(/:00\.000\+00:00$/),
      },
      {
        job_id: "orphan_reconcile",
        name: "Close runs of stopped workers",
        enabled: true,
        schedule: null,
        last_run: null,
        next_run_at: null,
      },
    ]);
  });

  it("can be started by a script, and the run can be followed", async () => {
    const response = await admin.ask("/api/jobs/stuck_monitor/trigger", { method: "POST" });
    const { run_id } = await response.json();
    expect(response.status).toBe(202);
    expect(await (await admin.ask(`/api/jobs/runs/${run_id}`)).json()).toMatchObject({
      ok: true,
      run: { run_id, job_id: "stuck_monitor", status: "pending", trigger: "manual" },
    });

    const claimed = await claimRun(web.db, required(await findRun(web.db, run_id)), "w1", web.clock());
    await completeRun(web.db, required(claimed), { reported: 0 }, web.clock());
    const { runs } = await (await admin.ask("/api/jobs/runs?job_id=stuck_monitor&status=completed")).json();
    expect(runs).toMatchObject([
      { run_id, status: "completed", result: { reported: 0 }, started_at: "2037-11-14T12:00:00.000+00:00" },
    ]);
    expect((await jobs())[0].last_run).toMatchObject({ run_id });
  });

  it("can be started, switched off and on by a plain form", async () => {
    const submit = (intent: string) => admin.submit("/admin/jobs", { job_id: "orphan_reconcile", intent });
    const started = await submit("run");
    expect([started.status, started.headers.get("Location")]).toEqual([303, "/admin/jobs"]);
    const html = await (await admin.page("/admin/jobs")).text();
    expect(html).toContain("Queued: ");
    expect(html).toContain("Close runs of stopped workers");

    await submit("disable");
    expect((await jobs())[1]).toMatchObject({ enabled: false });
    await submit("enable");
    expect((await jobs())[1]).toMatchObject({ enabled: true });
  });

  it("that do not exist cannot be started, nor their runs found", async () => {
    expect(await (await admin.ask("/api/jobs/nonsense/trigger", { method: "POST" })).json()).toMatchObject({
      error: "job_not_found",
      job_id: "nonsense",
    });
    expect((await admin.ask("/api/jobs/runs/nonsense")).status).toBe(404);
    expect((await admin.ask("/api/jobs/runs?status=nonsense")).status).toBe(400);
    expect((await admin.submit("/admin/jobs", { job_id: "nonsense", intent: "run" })).status).toBe(400);
  });
});
