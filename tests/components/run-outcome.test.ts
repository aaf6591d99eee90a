import { expect, it } from "vitest";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { describeResult } from "#app/operators/run-outcome.tsx";
import { runLook } from "#app/operators/run-status.tsx";
import { translateStep, writeStep } from "#domain/jobs/log-steps.ts";

const english = getDictionary("en").jobs;

it.each([
  [{}, "Nothing to do"],
  [{ sent: 0 }, "Nothing to do"],
  [{ sent: 2, postponed: 1 }, "2 sent · 1 not delivered, will be tried again"],
  [{ delivery_failed: 1, no_subscriptions: 3 }, "1 given up · 3 people without a device"],
  [{ faults: 2 }, "2 faults, will be tried again"],
  [{ skipped: "no_vapid_private_key" }, "Nothing sent: the worker has no VAPID_PRIVATE_KEY"],
  [{ skipped: "no_lock" }, "Another worker is doing it"],
  [{ outcome: "backup_made", bytes: 7, removed: 1 }, "Backup made · 1 removed"],
  [{ outcome: "backups_off" }, "Backups are off: BACKUP_DIR is not set"],
  [{ outcome: "imported", created: 1, skipped: 2 }, "Imported · 1 new · 2 skipped"],
  [{ outcome: "refused", why: "not_a_zip" }, "Refused · Not a zip file, or incomplete."],
  [{ owners: 1, merged_segments: 4 }, "1 library · 4 parts of the index merged"],
])("the result %j of a run is shown in words", (result, words) => {
  expect(describeResult(result, getDictionary("en"))).toBe(words);
});

it("a completed run that refused its input does not look like a success", () => {
  expect(runLook({ status: "completed", result: { outcome: "refused", why: "not_a_zip" } })).toBe("refused");
  expect(runLook({ status: "completed", result: { outcome: "imported" } })).toBe("completed");
});

it("every count and outcome has words in both languages", () => {
  const hebrew = getDictionary("he").jobs;
  for (const table of ["counts", "outcomes", "reasons"] as const)
    expect(Object.keys(hebrew[table]).sort()).toEqual(Object.keys(english[table]).sort());
});

it("a step of a run is in the reader's language, and any other line unchanged", () => {
  const { steps } = getDictionary("he").jobs;
  const line = writeStep("fetching", { host: "nosuchhost.invalid" });
  expect(translateStep(line, english.steps)).toBe("Fetching from nosuchhost.invalid");
  expect(translateStep(line, steps)).toBe("הבאה מ־nosuchhost.invalid");
  expect(translateStep(writeStep("checkingZip"), steps)).toBe("בדיקת קובץ ה־zip");
  expect(translateStep("Gave up: unreachable", steps)).toBe("Gave up: unreachable");
});
