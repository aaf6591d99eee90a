import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// What takes longest begins first, so that no process is left alone with it at the end.
const LONGEST = [
  "tests/browser/browser.test.ts",
  "tests/viewers/hostile.test.ts",
  "tests/sandbox/attacks.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    globalSetup: ["tests/support/servers.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // A busy shared machine may cost a browser its moment; what fails twice is broken. The report marks what was tried again.
    retry: process.env.CI ? 1 : 0,
    reporters: ["default", "./tests/support/skipped-reporter.ts"],
  },
});
