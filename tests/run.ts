/**
 * `npm test`: types, lint, build and tests, on a fresh clone as on a used one. Types and lint run beside the tests at a low priority,
 * because tests leave part of each core idle. Every step runs even if another one failed, so that one run reports everything. The last
 * line counts the tests, and a failed step as one failed test.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ensureBuild } from "#db/local/build.ts";
import { awaitExit } from "#db/local/processes/server-process.ts";
import { createLog } from "#platform/log.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { chooseChangedTests } from "#tests/support/test-runs/changed-tests.ts";
import { writeDurations } from "#tests/support/test-runs/durations.ts";
import { type Count, countTests, type Report } from "#tests/support/test-runs/result.ts";
import { SNAPSHOT_CACHE } from "#tests/support/workers/snapshot-cache.ts";
import { openOrMakeReadyMade } from "#worker/sandbox/ready-made.ts";

// A signal reaches the whole group; this process waits for the current step and reports its result.
let stopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => (stopped = true));

type Step = { name: string; run(): Promise<boolean> };

const STEPS: readonly Step[] = [
  { name: "build", run: buildApp },
  { name: "browser", run: chooseBrowser },
  { name: "git", run: chooseGit },
  { name: "litmus", run: chooseDebianPrograms },
  { name: "python", run: () => python },
];

const CHECKS: readonly { name: string; command: readonly [string, ...string[]] }[] = [
  {
    name: "typecheck",
    command: ["node", join(PROJECT_ROOT, "node_modules/typescript-native/bin/tsc"), "--noEmit"],
  },
  { name: "lint", command: ["biome", "check", "."] },
];

const programPath = (name: string) => join(PROJECT_ROOT, "node_modules", ".bin", name);

async function program(name: string, ...words: string[]): Promise<boolean> {
  const child = spawn(programPath(name), words, { cwd: PROJECT_ROOT, stdio: "inherit" });
  return (await awaitExit(child)).code === 0;
}

type Checked = { name: string; passed: boolean; output: string };

/** Runs the checks one after the other; their output is shown after the tests. */
async function runChecks(): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const { name, command } of CHECKS) {
    if (stopped) break;
    const [first, ...words] = command;
    const child = spawn("nice", ["-n", "19", programPath(first), ...words], {
      cwd: PROJECT_ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const { code } = await awaitExit(child);
    checked.push({ name, passed: code === 0, output: (await printed).join("") });
  }
  return checked;
}

async function buildApp(): Promise<boolean> {
  try {
    await ensureBuild({ root: PROJECT_ROOT, env: process.env, log: console.log });
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

async function chooseBrowser(): Promise<boolean> {
  if (!existsSync(join(PROJECT_ROOT, "tests", "browser"))) return true;
  try {
    const { findBrowser } = await import("#tests/support/programs/find-browser.ts");
    process.env.CHROMIUM_PATH = findBrowser(process.env, console.log);
    console.log(process.env.CHROMIUM_PATH);
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

async function chooseGit(): Promise<boolean> {
  try {
    const { findGit } = await import("#tests/support/programs/find-git.ts");
    console.log(findGit(console.log));
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

async function chooseDebianPrograms(): Promise<boolean> {
  const { installLitmus } = await import("#tests/support/programs/find-litmus.ts");
  console.log(installLitmus() ?? "no litmus on this machine: its test is left out");
  const { installNginx } = await import("#tests/support/programs/find-nginx.ts");
  console.log(installNginx() ?? "no nginx on this machine: its test is left out");
  return true;
}

/** Prepares Python once, while the steps before leave a core free, because many tests need it. */
async function makePythonReady(): Promise<boolean> {
  try {
    const { signal } = new AbortController();
    const log = createLog({ process: "tests", level: "warn" });
    const { coded } = await openOrMakeReadyMade(SNAPSHOT_CACHE, { background: false, signal, log });
    await coded;
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

async function runTests(chosen: string[]): Promise<Count> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-result-"));
  const output = join(directory, "result.json");
  await program(
    "vitest",
    "run",
    "--reporter=default",
    "--reporter=json",
    "--reporter=./tests/support/test-runs/skipped-reporter.ts",
    `--outputFile.json=${output}`,
    ...chosen,
  );
  const report: Report | null = existsSync(output) ? JSON.parse(await readFile(output, "utf8")) : null;
  await rm(directory, { recursive: true, force: true });
  if (flags.has("--record") && report?.success) writeDurations(report.testResults, flags.has("--all"));
  return countTests(report);
}

const FLAGS = ["--all", "--changed", "--record", "--pairs"] as const;

const words = process.argv.slice(2);
const flags = new Set<string>(FLAGS.filter((flag) => words.includes(flag)));
const files = words.filter((word) => !flags.has(word));

/** The test files that the arguments choose: an empty list means all, null none. */
function chooseTests(): string[] | null {
  if (flags.has("--all")) process.env.CODESHELF_TESTS = "all";
  if (flags.has("--pairs")) process.env.CODESHELF_PAIRS = "1";
  if (flags.has("--changed")) return chooseChanged();
  return flags.has("--pairs") && files.length === 0 ? ["tests/browser"] : files;
}

function chooseChanged(): string[] | null {
  const { changed, chosen, left } = chooseChangedTests();
  console.log(`${changed.length} changed files: ${chosen.length} test files, nearest first`);
  if (left > 0) console.log(`${left} more depend on them: npm test runs those.`);
  return chosen.length > 0 ? chosen : null;
}

const python = makePythonReady();
const checks = runChecks();
const failedSteps: string[] = [];
for (const { name, run } of STEPS) {
  if (stopped) break;
  console.log(`\n── ${name}`);
  if (!(await run())) failedSteps.push(name);
}
console.log("\n── tests");
const chosen = chooseTests();
const none = { passed: 0, failed: stopped ? 1 : 0 };
const count = stopped || chosen === null ? none : await runTests(chosen);
for (const { name, passed, output } of await checks) {
  console.log(`\n── ${name}\n${output.trim()}`);
  if (!passed) failedSteps.push(name);
}
for (const name of failedSteps) console.log(`${name} failed; see above.`);
const failed = count.failed + failedSteps.length;
console.log(`${count.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && !stopped ? 0 : 1;
