import { expect, it } from "vitest";
import {
  isAwaited,
  isDueJob,
  isJobId,
  isRoutine,
  isStartable,
  JOB_IDS,
  JOBS,
  takesPayload,
} from "#domain/jobs/jobs.ts";

it("lets a person start what needs no payload or looks for its work itself, and what workers do not start", () => {
  expect(JOB_IDS.filter((id) => !isStartable(id))).toEqual([
    ...["reminder_push", "push_events", "push_test", "repo_import", "library_import", "repo_analysis"],
    "code_run",
  ]);
});

it("has jobs that workers start as soon as they are due", () => {
  expect(JOB_IDS.filter(isDueJob)).toEqual(["reminder_push", "push_events"]);
});

it("has routine jobs, every few minutes and about nothing in particular", () => {
  expect(JOB_IDS.filter(isRoutine)).toEqual([
    "stuck_monitor",
    "account_removal",
    "search_merge",
    "metrics_rollup",
  ]);
});

it("has one job that somebody waits for", () => {
  expect(JOB_IDS.filter(isAwaited)).toEqual(["code_run"]);
});

it("knows its jobs by name", () => {
  expect(isJobId("backup")).toBe(true);
  expect(isJobId("toString")).toBe(false);
});

it("never lets a run of a routine job last until its next but one", () => {
  const minutes = (cron: string) => Number(/^\*\/(\d+)/.exec(cron)?.[1] ?? 1);
  const routine = JOB_IDS.filter(isRoutine).map((id) => JOBS[id]);

  for (const { cron, expireInSeconds } of routine)
    expect(expireInSeconds).toBeLessThan(2 * 60 * minutes(cron ?? ""));
});

it("takes a payload where one is declared", () => {
  expect(takesPayload("repo_sync")).toBe(true);
  expect(takesPayload("backup")).toBe(false);
});
