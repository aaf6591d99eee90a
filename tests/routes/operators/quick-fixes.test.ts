import { afterAll, describe, expect, it, vi } from "vitest";
import { applyQuickFix } from "#app/operators/quick-fixes.server.ts";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { countQuickFixUses } from "#db/alerts/quick-fix-uses.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { openWorkingQueue } from "#db/jobs/queue.server.ts";
import { listIndexRows } from "#db/open/indexes/index-report.server.ts";
import type { AlertRule } from "#domain/alerts/alert.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { runJob } from "#worker/run-job.ts";

const store = await openTestStore();
const { db, mongo } = store;
const databaseUrl = await createReleasedPostgres();
const queue = await openWorkingQueue({ databaseUrl, log: silentLog });
afterAll(() => queue.close());
const services = createTestServices(store);
const { signal } = new AbortController();
for (const jobId of ["trash_check", "backup"] as const)
  await queue.work(jobId, (envelope) => runJob(services, jobId, envelope, signal));

async function given(rule: AlertRule, metadata: Record<string, string> = {}): Promise<string> {
  await raiseAlert(db, { rule, subject: rule, severity: "error", summary: rule, metadata }, NOON);
  return required(await db.alerts.findOne({ name: rule }))._id;
}
const apply = (alert_uid: string, action_id: string) =>
  applyQuickFix({ db, queue }, "9", { alert_uid, action_id }, NOON);
const countUses = async (alert_uid: string) => [...(await countQuickFixUses(db, [alert_uid])).values()];
const wrongIndexes = async () =>
  (await listIndexRows(db)).flatMap(({ indexes }) => indexes).filter(({ state }) => state !== "present")
    .length;

describe("a quick fix does what it says", () => {
  it.each<[AlertRule, JobId]>([
    ["job_failed", "trash_check"],
    ["backup_late", "backup"],
  ])("%s: the job runs again, at a worker, to its end", async (rule, job_id) => {
    const uid = await given(rule, { job_id });
    expect(await apply(uid, "retry_job")).toEqual({ action_id: "retry_job" });
    await vi.waitFor(
      async () =>
        expect(await listRuns(db, { job_id, limit: 5 })).toMatchObject([
          { status: "completed", trigger: "manual" },
        ]),
      10_000,
    );
    expect(await countUses(uid)).toEqual([1]);
  });

  it("ttl_index_missing: the indexes are there again, missing and different ones", async () => {
    await mongo.collection("files").dropIndex("bin_expiry");
    await mongo.collection("events").dropIndex("by_event");
    await mongo.collection("events").createIndex({ event: 1 }, { name: "by_event" });
    expect(await wrongIndexes()).toBe(2);
    const uid = await given("ttl_index_missing");
    expect(await apply(uid, "rebuild_indexes")).toEqual({ action_id: "rebuild_indexes" });
    expect(await wrongIndexes()).toBe(0);
    expect(await countUses(uid)).toEqual([1]);
  });

  it("or says that it did not, and is not counted as used", async () => {
    const users = mongo.collection("users");
    await users.dropIndex("by_creation");
    await users.createIndex({ created_at: -1, _id: -1 }, { name: "in_the_way" });
    const uid = await given("ttl_index_missing");
    expect(await apply(uid, "rebuild_indexes")).toMatchObject({ refused: "quick_fix_failed" });
    expect(await store.events("db_index_create_error")).toMatchObject([{ index: "by_creation" }]);
    expect(await countUses(uid)).toEqual([1]);
  });
});

describe("a quick fix is refused", () => {
  it.each([
    ["of an alert that is not there", async () => "0".repeat(24), "retry_job", "alert_not_found"],
    ["that the alert does not offer", () => given("job_stuck"), "rebuild_indexes", "quick_fix_not_found"],
    ["that is a link", () => given("job_stuck"), "open_jobs", "quick_fix_not_found"],
    ["for a job that there is not", () => given("job_failed"), "retry_jobs", "quick_fix_not_found"],
  ])("%s", async (_, uid, action_id, refused) => {
    expect(await apply(await uid(), action_id)).toMatchObject({ refused });
  });

  it("where an alert from outside bears the name of one of our rules", async () => {
    await db.alerts.updateOne({ name: "job_failed" }, { $set: { source: "alertmanager" } });
    const { _id } = required(await db.alerts.findOne({ name: "job_failed" }));
    expect(await apply(_id, "retry_job")).toMatchObject({ refused: "quick_fix_not_found" });
  });
});
