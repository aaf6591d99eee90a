import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEngine } from "#db/local/engine.ts";
import { toBackupName } from "#domain/backups/backup-schedule.ts";
import type { RunTrigger } from "#domain/jobs/job-run.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import type { BackupConfig } from "#worker/job.ts";
import { handleBackup } from "#worker/jobs/backup.ts";
import { metricsRollup } from "#worker/jobs/metrics-rollup.ts";

needsEngine("copies the file of the engine");

const store = await openTestStore();
const home = await mkdtemp(join(tmpdir(), "codeshelf-backup-job-"));
let config: BackupConfig;
let engine: Awaited<ReturnType<typeof startEngine>>;

beforeAll(async () => {
  engine = await startEngine({ directory: join(home, "data", "engine"), log: () => {}, sync: "normal" });
  config = {
    directory: join(home, "backups"),
    dataDirectory: join(home, "data"),
    uri: engine.uri,
    everyMs: DAY_MS,
    keep: 2,
    since: NOON,
  };
});

afterAll(async () => {
  await engine.stop();
  await rm(home, { recursive: true, force: true });
});

function work(now: Date, trigger: RunTrigger, backups: BackupConfig | null = config) {
  const lines: string[] = [];
  const progress: unknown[] = [];
  const services = {
    services: createTestServices({ ...store, clock: () => now }, { backups }),
    payload: {},
    trigger,
    signal: new AbortController().signal,
    report: async (update: unknown) => void progress.push(update),
    writeLog: (line: string) => void lines.push(line),
  };
  return { given: services, lines, progress };
}

const hoursLater = (hours: number) => new Date(NOON.getTime() + hours * HOUR_MS);

describe("the backup job", () => {
  it("does nothing if no directory is set", async () => {
    const { given, lines } = work(NOON, "scheduled", null);
    expect(await handleBackup(given)).toEqual({ outcome: "backups_off" });
    expect(lines.join()).toContain("BACKUP_DIR is not set");
  });

  it("makes one when it is due or asked for, says how far it is, and keeps the newest", async () => {
    const first = work(NOON, "startup");
    expect(await handleBackup(first.given)).toMatchObject({
      outcome: "backup_made",
      name: toBackupName(NOON),
      removed: 0,
    });
    expect(first.progress.length).toBeGreaterThan(0);
    expect(first.progress.at(-1)).toEqual({ processed_items: 1, total_items: 1 });

    expect(await handleBackup(work(hoursLater(23), "scheduled").given)).toEqual({
      outcome: "backup_not_due",
    });
    expect(await handleBackup(work(hoursLater(23), "manual").given)).toMatchObject({
      outcome: "backup_made",
      removed: 0,
    });
    expect(await handleBackup(work(hoursLater(46.9), "scheduled").given)).toMatchObject({
      outcome: "backup_made",
      removed: 1,
    });
    expect((await readdir(config.directory)).sort()).toEqual([
      toBackupName(hoursLater(23)),
      toBackupName(hoursLater(46.9)),
    ]);
  });

  it("fails with one sentence if its folder cannot be used", async () => {
    const file = join(home, "a-file");
    await writeFile(file, "");
    const { given } = work(NOON, "manual", { ...config, directory: join(file, "below") });
    await expect(handleBackup(given)).rejects.toThrow("its folder does not exist");
    expect(existsSync(join(config.dataDirectory, "engine", "snapshot.sqlite"))).toBe(false);
  });
});

describe("a late backup", () => {
  const lateAlerts = () => store.db.alerts.find({ name: "backup_late" }).toArray();

  it("raises an alert once two in a row are missing, which ends with the next one", async () => {
    await metricsRollup(work(hoursLater(46.9 + 48), "scheduled").given);
    expect(await lateAlerts()).toEqual([]);

    await metricsRollup(work(hoursLater(46.9 + 50), "scheduled").given);
    expect(await lateAlerts()).toMatchObject([{ status: "firing", metadata: { job_id: "backup" } }]);

    await handleBackup(work(hoursLater(97), "manual").given);
    await metricsRollup(work(hoursLater(97.2), "scheduled").given);
    expect(await lateAlerts()).toMatchObject([{ status: "resolved" }]);
  });

  it("raises one without any backup, counted from the start of the worker", async () => {
    await store.db.alerts.deleteMany({});
    await store.db.alert_cooldowns.deleteMany({});
    const none = { ...config, directory: join(home, "none") };
    await metricsRollup(work(hoursLater(40), "scheduled", none).given);
    expect(await lateAlerts()).toEqual([]);
    await metricsRollup(work(hoursLater(50), "scheduled", none).given);
    expect(await lateAlerts()).toHaveLength(1);
  });
});
