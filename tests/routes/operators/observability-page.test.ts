import { describe, expect, it } from "vitest";
import { raiseAlert, recordAlerts } from "#db/alerts/alerts.server.ts";
import { createRequestTimings } from "#db/events/request-timings.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.person(ADMIN_ID);
await web.person("77");
const PAGE = "/admin/observability";
const html = async (query = "") => (await admin.page(PAGE + query)).text();
const uidIn = (page: string) => required(/id="alert-([0-9a-f]+)"/.exec(page))[1];

const emitEvent = (subject: string, summary: string) =>
  raiseAlert(
    web.db,
    {
      rule: "job_failed",
      subject,
      severity: "error",
      summary,
      metadata: { job_id: "trash_check" },
    },
    web.clock(),
  );

async function givenRequests(): Promise<void> {
  const timings = createRequestTimings({ collections: web.db, log: silentLog, clock: web.clock });
  for (const [route, status, ms] of [
    ["/slow/:id", 200, 900],
    ["/quick", 200, 5],
    ["/quick", 500, 6],
    ["other", 200, 7],
  ] as const)
    timings.record("GET", route, status, ms);
  await timings.close();
}

describe("the page of observability", () => {
  it("says that nothing happened", async () => {
    expect(await html()).toContain("No alerts in this range.");
  });

  it("refreshes by header until that is paused, and not while something is read", async () => {
    const refresh = async (query: string) => (await admin.page(PAGE + query)).headers.get("Refresh");
    expect(await refresh("")).toBe("60");
    expect(await refresh("?refresh=off")).toBeNull();
    expect(await refresh("?search=words")).toBeNull();
    expect(await refresh("?replay=on")).toBeNull();
  });

  it("draws measured values, with the same figures in a table, and sorts endpoints by link", async () => {
    await givenRequests();
    const page = await html();
    expect(page).toContain("<rect ");
    expect(page).toContain("Failed requests as a table");
    const order = async (sort: string) => {
      const words = (await html(`?sort=${sort}`)).replaceAll(/<wbr\/>|<!-- -->/g, "");
      return [...words.matchAll(/GET (\/slow\/:id|\/quick)</g)].map(([, route]) => route);
    };
    expect(await order("-p95_ms")).toEqual(["/slow/:id", "/quick"]);
    expect(await order("p95_ms")).toEqual(["/quick", "/slow/:id"]);
    expect(page).toContain("static files and other");
  });

  it("narrows alerts by severity and words, and by the range", async () => {
    const alert = { name: "DiskFull", severity: "error", status: "firing", metadata: {} } as const;
    const lasting = { fingerprint: "f", started_at: web.clock(), ended_at: null };
    const summary = "The first <b>thing</b> went wrong";
    await recordAlerts(web.db, [{ ...alert, ...lasting, summary }], web.clock());
    const words = "thing&lt;/b&gt; went wrong";
    expect(await html()).toContain(words);
    expect(await html("?search=FIRST")).toContain(words);
    expect(await html("?search=other")).toContain("No matching alerts.");
    expect(await html("?severity=critical")).toContain("No matching alerts.");
    web.clock.set(new Date(web.clock().getTime() + 3_600_000));
    expect(await html("?timerange=30m")).toContain("No alerts in this range.");
    expect(await html("?timerange=24h")).toContain(words);
  });

  it("shows our own alerts in the reader's language, and finds them by those words; others stay unchanged", async () => {
    await emitEvent("one", "Job trash_check failed");
    const english = await html();
    expect(english).toMatch(/Job failed.*“Check the trash” failed/s);
    await admin.submit("/preferences", { locale: "he" });
    const hebrew = await html();
    expect(hebrew).toMatch(/משימה נכשלה.*״בדיקת האשפה״ נכשלה/s);
    expect(hebrew).not.toContain("Job trash_check failed");
    expect(hebrew).toContain('<bdi dir="auto">The first &lt;b&gt;thing');
    const results = await html(`?search=${encodeURIComponent("משימה נכש")}`);
    expect(results.match(/class="alert-row /g)).toHaveLength(1);
    expect(results).toContain("משימה נכשלה");
    expect(await html(`?explain=${uidIn(results)}`)).not.toContain("Job trash_check failed");
    await admin.submit("/preferences", { locale: "en" });
  });

  it("performs a quick fix, counts it, and refuses one that the alert does not offer", async () => {
    const alert_uid = required(uidIn(await html()));
    const runs = () => listRuns(web.db, { job_id: "trash_check", limit: 10 });
    const before = (await runs()).length;
    expect((await admin.submit(PAGE, { alert_uid, action_id: "retry_job" })).status).toBe(303);
    expect(await html()).toContain("Job queued again");
    expect((await runs()).length).toBe(before + 1);
    expect(await html()).toContain("Run job again (used 1×)");
    await admin.submit(PAGE, { alert_uid, action_id: "rebuild_indexes" });
    expect(await html()).toContain("This alert has no such quick fix.");
  });

  it("lists events newest first, with people's names, which the log and the API do not contain", async () => {
    await web.db.users.updateOne({ _id: "77" }, { $set: { first_name: "Dana", last_name: "Levi" } });
    await web.given.token("77", "read", 30);
    web.db.emit("account_locked", { resource: { type: "user", id: "77" } });
    web.db.emit("account_unlocked", { resource: { type: "user", id: "77" } });
    expect(await web.events("account_unlocked")).toHaveLength(1);
    const page = await html("?replay=on");
    const rows = page.split("replay-row").slice(1);
    const findRow = (event: string) => rows.findIndex((row) => row.includes(`>${event}</code>`));
    expect(findRow("account_unlocked")).toBeGreaterThanOrEqual(0);
    expect(findRow("account_unlocked")).toBeLessThan(findRow("token_created"));
    for (const event of ["account_locked", "token_created"])
      expect(rows[findRow(event)]).toContain('<a href="/admin/users?q=77">Dana Levi</a>');
    const replayed = JSON.stringify((await admin.send("GET", "/api/observability/replay")).body);
    expect(replayed).toContain("account_locked");
    expect(replayed).not.toContain("Dana");
  });

  it("has the day beside the hour on charts of 24 hours and more, in the reader's time zone", async () => {
    const firstLabel = async (range: string) =>
      (await html(`?timerange=${range}`)).match(
        /<\/svg><div class="flex spread"[^>]*><span><bdi>([^<]*)</,
      )?.[1];
    expect(await firstLabel("30m")).toMatch(/^\d\d:\d\d$/);
    expect(await firstLabel("24h")).toMatch(/^Nov 13, 1[23]:00$/);
    await web.db.users.updateOne({ _id: ADMIN_ID }, { $set: { timezone: "Asia/Tokyo" } });
    expect(await firstLabel("24h")).toMatch(/^Nov 13, 2[12]:00$/);
    expect(await html("")).toContain("Times in Asia/Tokyo");
    await web.db.users.updateOne({ _id: ADMIN_ID }, { $set: { timezone: null } });
  });

  it("explains an alert, opens its runbook and replays what happened", async () => {
    const uid = uidIn(await html());
    const explained = await html(`?explain=${uid}`);
    expect(explained).toContain('<a href="/admin/jobs">Jobs</a> and read the run’s log.');
    expect(explained).not.toMatch(/<h4[^>]*>Job failed</);
    expect(explained).not.toContain("job_id: trash_check");
    expect(await html("?runbook=job_failed")).toMatch(/<h4[^>]*>Job failed</);
    await web.emitter.flush();
    expect(await html("?replay=on")).toContain("alert_raised");
  });

  it("lists the events of one run, in words, and links to all", async () => {
    const run = { job_id: "repo_sync", run_id: "a-run-of-its-own" };
    web.db.emit("job_failed", { ...run, ms: 7, error: "e", reason: "orphaned" });
    await web.emitter.flush();
    const page = await html(`?replay=on&request=${run.run_id}`);
    expect(page.match(/replay-row/g)).toHaveLength(1);
    expect(page).toContain('<a href="/admin/jobs/runs/a-run-of-its-own">a-run-of-its-own</a>');
    expect(page).toMatch(/Reason<!-- -->: <bdi>The worker stopped while this ran/);
    expect(page).toContain("Show all events of that time");
    expect(await html("?replay=on")).not.toContain("Show all events of that time");
  });

  it("has pages", async () => {
    for (let i = 0; i < 25; i++) await emitEvent(`many-${i}`, `Number ${i}`);
    const first = await html();
    expect(first).toContain("Page 1 of 2");
    const [, older] = required(/href="([^"]*page=2[^"]*)#alerts"/.exec(first));
    expect(older).toContain("after=");
    const byLink = (await admin.show(required(older).replaceAll("&amp;", "&"))).html;
    const byNumber = await html("?page=2");
    for (const page of [byLink, byNumber]) {
      expect(page).toContain("Page 2 of 2");
      expect(uidIn(page)).not.toBe(uidIn(first));
    }
    expect(uidIn(byLink)).toBe(uidIn(byNumber));
  });
});
