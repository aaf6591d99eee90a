import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBrowser } from "#tests/support/programs/find-browser.ts";
import { countTests } from "#tests/support/test-runs/result.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("the closing line counts", () => {
  it("what passed and what failed", () => {
    const testResults = [file("passed", "passed", "passed"), file("failed", "passed", "failed")];

    expect(countTests({ success: false, numPassedTests: 3, numFailedTests: 1, testResults })).toEqual({
      passed: 3,
      failed: 1,
    });
  });

  it("a file that could not be read as failed", () => {
    const testResults = [file("passed", "passed"), file("failed")];

    expect(countTests({ success: false, numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it("a run without a report, or with an error outside of all tests, as failed", () => {
    expect(countTests(null)).toEqual({ passed: 0, failed: 1 });
    const testResults = [file("passed", "passed")];
    expect(countTests({ success: false, numPassedTests: 1, numFailedTests: 0, testResults })).toEqual({
      passed: 1,
      failed: 1,
    });
  });
});
