import { defineConfig } from "vitest/config";
import { BaseSequencer, type ProjectConfig, type TestSpecification } from "vitest/node";
import { isFullRun } from "./tests/support/test-runs/tier.ts";

// What takes longest begins first in its project, so that no process is left alone with it at the end. Short files that run long
// would come last otherwise: on a fresh clone vitest knows only their sizes.
const LONGEST = [
  "tests/browser/browser.test.ts",
  "tests/sandbox/attacks.test.ts",
  "tests/security/scan.test.ts",
  "tests/faults/verb-faults-library.test.ts",
  "tests/faults/verb-faults-others.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return place === -1 ? LONGEST.length : place;
    };
    // Projects stay together, in the order that vitest gives them: a process that goes to another one loads everything again.
    return (await super.sort(files)).sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b),
    );
  }
}

/** Files that only a full run takes; tests/README.md says which and why. */
const LEFT_OUT = isFullRun ? [] : ["tests/**/*.full.test.ts", "db/engine/tests/**/*.full.test.ts"];

const inFolders = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

/**
 * Files of one group share a process and its loaded modules, and leave nothing behind in it: loading takes longer than most of them
 * run. The engine is tested through a driver that the product has not changed.
 */
const ENGINE = ["db/engine/tests/**/*.test.ts", ...inFolders("engine")];
const SHARED = [
  ...inFolders("api", "authorisation", "cli", "components", "db", "domain", "faults", "fuzz", "i18n"),
  ...inFolders("races", "routes", "security", "viewers"),
  // The import of a library measures the memory of its process, and has one of its own.
  "tests/worker/!(library-import).test.ts",
  "tests/browser/{reminders,sign-in}.test.ts",
];

const project: ProjectConfig = {
  pool: "forks",
  setupFiles: ["tests/support/test-runs/each-file.ts"],
  // A machine that lends its processors to others takes several times as long; what hangs is still found.
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    globalSetup: ["tests/support/databases/servers.ts"],
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./tests/support/test-runs/skipped-reporter.ts"],
    projects: [
      {
        test: {
          ...project,
          name: "alone",
          include: ["tests/**/*.test.ts"],
          exclude: [...ENGINE, ...SHARED, ...LEFT_OUT],
        },
      },
      { test: { ...project, name: "engine", include: ENGINE, exclude: LEFT_OUT, isolate: false } },
      { test: { ...project, name: "shared", include: SHARED, exclude: LEFT_OUT, isolate: false } },
    ],
  },
});
