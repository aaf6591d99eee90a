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
import { LOG_STEPS, translateStep, writeStep } from "#domain/jobs/log-steps.ts";

it("tells which jobs a person may start, which begin when they are due, which are routine and which are awaited", () => {
  const ids = (isOne: (id: (typeof JOB_IDS)[number]) => boolean) => JOB_IDS.filter(isOne).join(" ");
  expect(ids((id) => !isStartable(id))).toBe(
    "reminder_push push_events push_test repo_import library_import repo_analysis code_run",
  );
  expect(ids(isDueJob)).toBe("reminder_push push_events");
  expect(ids(isRoutine)).toBe("stuck_monitor account_removal search_merge metrics_rollup");
  expect(ids(isAwaited)).toBe("code_run");
});

it("knows its jobs by name, and takes a payload if one is declared", () => {
  expect([isJobId("backup"), isJobId("toString")]).toEqual([true, false]);
  expect([takesPayload("repo_sync"), takesPayload("backup")]).toEqual([true, false]);
});

it("never lets a run of a routine job last until its next but one", () => {
  const minutes = (cron: string) => Number(/^\*\/(\d+)/.exec(cron)?.[1] ?? 1);
  const routine = JOB_IDS.filter(isRoutine).map((id) => JOBS[id]);

  for (const { cron, expireInSeconds } of routine)
    expect(expireInSeconds).toBeLessThan(2 * 60 * minutes(cron ?? ""));
});

const WORDS = { ...LOG_STEPS, fetched: "{branch}: {commit}", checkingZip: "checks" };

it("writes a step with its values", () => {
  expect(writeStep("fetched", { commit: "abc", branch: "main" })).toBe("Fetched commit abc of main");
  expect(writeStep("checkingZip")).toBe("Checking the zip");
});

it("says a known step in other words, with the same values", () => {
  expect(translateStep("Fetched commit abc of main", WORDS)).toBe("main: abc");
  expect(translateStep("Checking the zip", WORDS)).toBe("checks");
});

it.each(["Fetched commit a b of main", "> Checking the zip", "Checking the zip again", ""])(
  "leaves %j as it is",
  (line) => {
    expect(translateStep(line, WORDS)).toBe(line);
  },
);
