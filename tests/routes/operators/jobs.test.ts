import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { claimRun, completeRun, createRun, failRun, findRun } from "#db/jobs/job-runs.server.ts";
import { JOB_IDS, type JobId } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { givenUnsyncedRepo } from "#tests/support/repos/given-repo.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db, clock } = web;
const admin = await web.person(ADMIN_ID);
const jobs = async () => (await admin.send("GET", "/api/jobs")).body.jobs;
const show = async (path = "") => (await admin.show(`/admin/jobs${path}`)).html;
const setTimezone = (timezone: string | null) =>
  db.users.updateOne({ _id: ADMIN_ID }, { $set: { timezone } });

describe("the jobs", () => {
  it("are listed with schedule, last run and next run", async () => {
    const listed = await jobs();
    expect(listed.map(({ job_id }: { job_id: string }) => job_id)).toEqual(JOB_IDS);
    const idle = { enabled: true, paused: false, last_run: null };
    expect(listed.slice(0, 2)).toEqual([
      {
        ...idle,
        job_id: "stuck_monitor",
        name: "Find stuck runs",
        schedule: "* * * * *",
        next_run_at: expect.stringMatching(/:00\.000\+00:00$/),
      },
      {
        ...idle,
        job_id: "orphan_reconcile",
        name: "Close runs of stopped workers",
        schedule: null,
        next_run_at: null,
      },
    ]);
  });

  it("can be started by a script, and the run can be followed", async () => {
    const response = await admin.ask("/api/jobs/stuck_monitor/trigger", { method: "POST" });
    const { run_id } = await response.json();
    expect(response.status).toBe(202);
    expect((await admin.send("GET", `/api/jobs/runs/${run_id}`)).body).toMatchObject({
      ok: true,
      run: { run_id, job_id: "stuck_monitor", status: "pending", trigger: "manual" },
    });

    const claimed = await claimRun(db, required(await findRun(db, run_id)), "w1", clock());
    await completeRun(db, required(claimed), { reported: 0 }, clock());
    const { runs } = (await admin.send("GET", "/api/jobs/runs?job_id=stuck_monitor&status=completed")).body;
    expect(runs).toMatchObject([
      { run_id, status: "completed", result: { reported: 0 }, started_at: "2037-11-14T12:00:00.000+00:00" },
    ]);
    expect((await jobs())[0].last_run).toMatchObject({ run_id });
  });

  it("can be started, switched off and on, paused and resumed by plain forms", async () => {
    const submit = (job_id: string, intent: string) => admin.submit("/admin/jobs", { job_id, intent });
    const find = async (id: string) => (await jobs()).find(({ job_id }: { job_id: string }) => job_id === id);
    const started = await submit("orphan_reconcile", "run");
    expect([started.status, started.headers.get("Location")]).toEqual([303, "/admin/jobs"]);
    const { html } = await admin.show("/admin/jobs");
    expect(html).toContain("Queued: ");
    expect(html).toContain("Close runs of stopped workers");

    await submit("orphan_reconcile", "disable");
    expect(await find("orphan_reconcile")).toMatchObject({ enabled: false });
    await submit("orphan_reconcile", "enable");
    expect(await find("orphan_reconcile")).toMatchObject({ enabled: true });
    await submit("repo_sync", "pause");
    expect(await find("repo_sync")).toMatchObject({ paused: true, enabled: true });
    await submit("repo_sync", "resume");
    expect(await find("repo_sync")).toMatchObject({ paused: false });
  });

  it("that do not exist cannot be started, nor listed by another status", async () => {
    expect((await admin.send("GET", "/api/jobs/runs?status=nonsense")).status).toBe(400);
    expect((await admin.submit("/admin/jobs", { job_id: "nonsense", intent: "run" })).status).toBe(400);
  });

  it("are offered to be started only if that does something, unlike a backup without a directory", async () => {
    const html = await show();
    const offers = (jobId: string) =>
      html.match(new RegExp(`value="${jobId}"/>(.*?)</form>`))?.[1]?.match(/value="(\w+)"/g) ?? null;
    expect(offers("trash_check")).toEqual(['value="run"', 'value="disable"']);
    expect(offers("repo_sync")).toEqual(['value="run"', 'value="pause"']);
    expect(offers("repo_import")).toEqual(['value="pause"']);
    expect(offers("reminder_push")).toEqual(['value="disable"']);
    expect(html).toContain("Make a backup");
    expect(offers("backup")).toBeNull();
  });
});

async function givenFailed(jobId: JobId, message: string, payload: Record<string, unknown> = {}) {
  const run = await createRun(db, jobId, "scheduled", clock(), { payload });
  const claimed = required(await claimRun(db, run, "w1", clock()));
  const lines = [{ at: clock(), line: "Looked at 3 things" }];
  await failRun(db, claimed, new Error(message), clock(), lines);
  return run.run_id;
}

describe("a run that failed", () => {
  it("is retried once by a script, with its own payload", async () => {
    const failed = await givenFailed("repo_sync", "it broke", { repo_id: "r1" });
    const listed = (await admin.send("GET", "/api/jobs/runs?status=failed&job_id=repo_sync")).body;
    expect(listed).toMatchObject({ runs: [{ run_id: failed, can_retry: true }], next_cursor: null });

    const retry = () => admin.send("POST", `/api/jobs/runs/${failed}/retry`);
    const { status, body } = await retry();
    const { run_id } = body;
    expect(status).toBe(202);
    expect(await retry()).toMatchObject({ status: 409, body: { error: "run_already_retried", run_id } });
    const { runs } = (await admin.send("GET", "/api/jobs/runs?status=waiting&job_id=repo_sync")).body;
    expect(runs).toMatchObject([{ run_id, payload: { repo_id: "r1" }, attempt: 2, retry_of: failed }]);
  });

  it("is first on the page of jobs, whatever ran since, and its page says why", async () => {
    const failed = await givenFailed("trash_check", "the disk is full");
    for (let i = 0; i < 60; i += 1) await createRun(db, "metrics_rollup", "scheduled", clock());
    const html = await show();
    expect(html).toContain(">Failed (1)</a>");
    expect(html).toContain(`href="/admin/jobs/runs/${failed}"`);
    expect(html).toContain("the disk is full");
    expect(html, "its box has an action, also where it is alone").toContain("Retry selected");
    expect(html).not.toContain('name="all"');

    const page = await show(`/runs/${failed}`);
    for (const words of ["the disk is full", "Looked at 3 things", "jobs.test.ts", "Retry"])
      expect(page).toContain(words);
  });

  it("is retried from its page and with others from the list, by plain forms", async () => {
    const [one, two, three] = [
      await givenFailed("trash_check", "one"),
      await givenFailed("trash_check", "two"),
      await givenFailed("trash_check", "three"),
    ];
    const fromPage = await admin.submit(`/admin/jobs/runs/${one}`, { intent: "retry" });
    expect(fromPage.headers.get("Location")).toMatch(/^\/admin\/jobs\/runs\/[0-9a-f]{24}$/);

    const none = await admin.submit("/admin/jobs", { intent: "retry" });
    expect(none.status).toBe(400);
    expect(await none.text()).toContain("Select one or more runs.");
    const chosen = await admin.submit("/admin/jobs", { intent: "retry", run_id: two });
    expect(chosen.status).toBe(303);
    const all = await admin.submit("/admin/jobs", { intent: "retry", all: "1", shown: three });
    expect(all.status).toBe(303);
    const { runs } = (await admin.send("GET", "/api/jobs/runs?status=failed&job_id=trash_check")).body;
    expect(runs.filter(({ run_id }: { run_id: string }) => [one, two, three].includes(run_id))).toEqual(
      [three, two, one].map((run_id) =>
        expect.objectContaining({ run_id, can_retry: false, retried_by: expect.any(String) }),
      ),
    );

    const merge = await givenFailed("search_merge", "four");
    await admin.submit("/admin/jobs", { intent: "retry", run_id: merge });
    const page = await admin.page("/admin/jobs?job_id=search_merge");
    expect(await page.text()).toContain("Nothing else failed.");
    expect(page.headers.get("Refresh")).toBe("5");
  });

  it("is dismissed by a script and brought back; Administration no longer asks for attention", async () => {
    const failed = await givenFailed("backup", "wrong address");
    const countFailed = async () => (await admin.readJson("/admin")).failed;
    const before = await countFailed();
    const send = (act: string, run_id = failed) => admin.send("POST", `/api/jobs/runs/${run_id}/${act}`);
    const dismissed = { status: "failed", dismissed_at: "2037-11-14T12:00:00.000+00:00" };
    expect(await send("dismiss")).toMatchObject({ status: 200, body: { run: dismissed } });
    expect(await countFailed()).toBe(before - 1);
    expect((await send("restore")).body).toMatchObject({ run: { run_id: failed, dismissed_at: null } });
    expect(await countFailed()).toBe(before);
    const { run_id: waiting } = await createRun(db, "backup", "manual", clock());
    expect(await send("dismiss", waiting)).toMatchObject({ status: 409, body: { error: "run_not_failed" } });
  });

  it("is dismissed and brought back by plain forms: alone, chosen, all that are shown and on its page", async () => {
    const [one, two, three] = [
      await givenFailed("repo_analysis", "one"),
      await givenFailed("code_run", "two"),
      await givenFailed("repo_analysis", "three"),
    ];
    const list = async (tab: string, job: string) =>
      (await admin.page(`/admin/jobs?tab=${tab}&job_id=${job}`)).text();
    const submit = (fields: Record<string, string>) => admin.submit("/admin/jobs", fields);
    expect(await list("failed", "code_run"), "one that cannot be retried").toMatch(
      new RegExp(`${two}"/><button[^>]*value="dismiss"`),
    );
    expect((await submit({ intent: "dismiss" })).status).toBe(400);
    expect((await submit({ intent: "dismiss", run_id: one })).status).toBe(303);
    expect(await show()).toContain("Dismissed (1)");
    expect(await list("failed", "repo_analysis")).not.toContain(one);
    const dismissed = await list("dismissed", "repo_analysis");
    expect(dismissed).toContain(`href="/admin/jobs/runs/${one}"`);
    expect(dismissed).toContain('value="restore"');

    await submit({ intent: "dismiss", all: "1", shown: three });
    expect(await list("failed", "repo_analysis")).toContain("Only dismissed runs failed");
    await submit({ intent: "restore", run_id: one });
    expect(await list("failed", "repo_analysis")).toContain(one);

    await admin.submit(`/admin/jobs/runs/${two}`, { intent: "dismiss" });
    expect(await show(`/runs/${two}`)).toContain('value="restore"');
    await admin.submit(`/admin/jobs/runs/${two}`, { intent: "restore" });
    expect(await findRun(db, two)).not.toHaveProperty("dismissed_at");
  });

  it("names its mirror and the mirror's owner, with links for whoever may open them", async () => {
    const { id: own } = await givenUnsyncedRepo(db, ADMIN_ID, "me/tools");
    const { id: other } = await givenUnsyncedRepo(db, "77", "dana/secret");
    await web.person("77");
    const read = async (repo_id: string) => {
      const run_id = await givenFailed("repo_sync", "unreachable", { repo_id });
      return (await admin.page(`/admin/jobs/runs/${run_id}`)).text();
    };
    expect(await read(own)).toContain('<a href="/repos/me%2Ftools">me/tools</a>');
    expect(await show()).toMatch(/Sync mirrors.{0,30}<bdi dir="ltr">me\/tools</);
    const page = await read(other);
    expect(page).toContain("<bdi>dana/secret</bdi>");
    expect(page).toMatch(/<dt[^>]*>Owner<\/dt><dd[^>]*><bdi><a href="\/admin\/users\?q=77">/);
    const gone = new ObjectId().toHexString();
    expect(await read(gone)).toContain(`<code dir="ltr">${gone}</code>`);
  });

  it("shows its times in the reader's time zone, which it names, with the date of a log line that is not today's", async () => {
    const { run_id } = await createRun(db, "trash_check", "manual", clock());
    const claimed = required(await claimRun(db, required(await findRun(db, run_id)), "w1", clock()));
    const moments = ["2037-11-13T21:30:00Z", "2037-11-13T22:30:00Z"].map((date) => new Date(date));
    const lines = moments.map((loggedAt) => ({ at: loggedAt, line: "looked" }));
    await failRun(db, claimed, new Error("late"), clock(), lines);
    const read = async () => {
      const page = await show(`/runs/${run_id}`);
      const log = page.slice(page.indexOf('<ol class="small mono ')).split("</ol>", 1)[0] ?? "";
      const times = [...log.matchAll(/<time[^>]*>([^<]*)</g)].map(([, time]) => time);
      return [page.match(/Times in ([^<]*)</)?.[1], ...times, (await show()).match(/Daily at [\d:]+/)?.[0]];
    };
    expect(await read()).toEqual(["UTC", "Nov 13, 21:30:00", "Nov 13, 22:30:00", "Daily at 03:40"]);
    await setTimezone("Asia/Jerusalem");
    expect(await read()).toEqual(["Asia/Jerusalem", "Nov 13, 23:30:00", "00:30:00", "Daily at 05:40"]);
    await setTimezone(null);
  });
});
