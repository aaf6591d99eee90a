import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type ProjectConfig, type TestSpecification } from "vitest/node";
import { PROJECT_ROOT } from "./platform/project-root.ts";
import { readDurations } from "./tests/support/test-runs/durations.ts";
import { commit, isFullRun, isFullRunFor } from "./tests/support/test-runs/tier.ts";

/**
 * The longest files begin first in their project, so that no process is left alone with one at the end. On a fresh clone vitest knows
 * only their sizes: `npm test -- --record` writes down how long each one takes.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations(isFullRun);
    const duration = ({ moduleId }: TestSpecification) => durations[relative(PROJECT_ROOT, moduleId)] ?? 0;
    // A process that goes to another project loads everything again.
    return (await super.sort(files)).sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || duration(b) - duration(a),
    );
  }
}

/** Files that only a full run takes; tests/README.md says which and why. */
const LEFT_OUT = isFullRun ? [] : ["tests/**/*.full.test.ts"];
/**
 * The engine is a package of its own, tested through a driver that the product has not changed. A variable says what its tests take:
 * all, or what this word draws.
 */
const takesAllOfEngine = isFullRunFor("db/engine");
const ENGINE: ProjectConfig = {
  name: "engine",
  include: ["db/engine/tests/**/*.test.ts"],
  exclude: takesAllOfEngine ? [] : ["db/engine/tests/**/*.full.test.ts"],
  globalSetup: ["db/engine/tests/shared-engine.ts"],
  env: { ENGINE_TESTS: takesAllOfEngine ? "all" : commit },
  isolate: false,
};

const inFolders = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

/**
 * Files of one group share a process and its loaded modules, and leave nothing behind in it: loading takes longer than most of them
 * run.
 */
const BROWSER = ["tests/browser/{start,library,notes,editing,people,operators,looks,offline}.test.ts"];
/** Looks at what all journeys left. */
const AFTER_BROWSER = ["tests/browser/private-words.test.ts"];
const SHARED = [
  ...inFolders(
    "api",
    "authorisation",
    "cli",
    "components",
    "db",
    "domain",
    "faults",
    "forms",
    "fuzz",
    "i18n",
    "image",
    "local",
  ),
  ...inFolders("races", "releases", "routes", "security", "tools", "viewers"),
  // Two of them measure their own process.
  "tests/platform/!(event-loop-lag|idle-memory|thread-pool).test.ts",
  // The import of a library measures the memory of its process, and has one of its own.
  "tests/worker/!(library-import).test.ts",
  "tests/browser/{reminders,sign-in}.test.ts",
];

const project: ProjectConfig = {
  pool: "forks",
  // Node loads our modules by itself, as in production, and from its cache of compiled code; nothing here needs Vite or mocks modules.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: ["tests/support/test-runs/each-file.ts"],
  // A machine that lends its processors to others takes several times as long; what hangs is still found.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ["tests/support/databases/servers.ts"],
    // More of the full run's time is spent waiting: for processes that are killed, and for programs that must end.
    maxWorkers: isFullRun ? 4 : 3,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./tests/support/test-runs/skipped-reporter.ts"],
    projects: [
      {
        test: {
          ...project,
          name: "alone",
          include: ["tests/**/*.test.ts"],
          exclude: [...BROWSER, ...AFTER_BROWSER, ...SHARED, ...LEFT_OUT],
        },
      },
      { test: { ...project, name: "browser", include: BROWSER, isolate: false } },
      {
        test: {
          ...project,
          name: "after the browser",
          include: AFTER_BROWSER,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...project, ...ENGINE } },
      { test: { ...project, name: "shared", include: SHARED, exclude: LEFT_OUT, isolate: false } },
    ],
  },
});
