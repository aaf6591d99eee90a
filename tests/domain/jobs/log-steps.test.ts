import { expect, it } from "vitest";
import { LOG_STEPS, translateStep, writeStep } from "#domain/jobs/log-steps.ts";

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
