import type { TimedFile } from "./durations.ts";

/** The result of a run of vitest, from its JSON report. */
export type Report = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  testResults: (TimedFile & { status: string; assertionResults: Assertion[] })[];
};

type Assertion = { status: string };

export type Count = { passed: number; failed: number };

/**
 * A file that could not be loaded has no failed test in it and still failed; so has a run with an error outside all tests, or without a
 * report.
 */
export function countTests(report: Report | null): Count {
  if (!report) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  ).length;
  const failed = report.numFailedTests + broken;
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}
