import { expect, it } from "vitest";
import { countTests } from "#tests/support/test-runs/result.ts";

const file = (status: string, ...tests: string[]) => ({
  ...{ name: "a.test.ts", startTime: 0, endTime: 1, status },
  assertionResults: tests.map((test) => ({ status: test })),
});
const sound = file("passed", "passed");

it.each([
  ["tests that fail", [file("passed", "passed", "passed"), file("failed", "passed", "failed")], 3, 1],
  ["a file that could not be read", [sound, file("failed")], 1, 1],
  ["an error outside of all tests", [sound], 1, 1],
])("the closing line counts as failed: %s", (_, testResults, passed, failed) => {
  const [numPassedTests, numFailedTests] = [passed, testResults.length > 1 && passed > 1 ? 1 : 0];
  expect(countTests({ success: false, numPassedTests, numFailedTests, testResults })).toEqual({
    passed,
    failed,
  });
});

it("the closing line counts a run without a report as failed", () => {
  expect(countTests(null)).toEqual({ passed: 0, failed: 1 });
});
