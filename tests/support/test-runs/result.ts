import type { TimedFile } from "./durations.ts";

/** What a run of vitest came to, read from its own JSON report. */
export type Report = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  testResults: (TimedFile & { status: string; assertionResults: Assertion[] })[];
};

type Assertion = { status: string };

export type Count = { passed: number; failed: number };

/**
 * A file that could not even be read has no failed test in it and still failed; so has a run that went wrong outside of
 * every test, or left no report at all.
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
