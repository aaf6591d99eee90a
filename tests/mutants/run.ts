/**
 * `npm run mutants`: changes the rules one small thing at a time and lists the changes that no test notices. It works in a copy of the
 * project; the tests of the module's own room that reach it decide. `-- --only=domain/alerts` takes a folder or file, inside domain/ or
 * not; `--sample=40` takes that many changes, spread evenly.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { listMutations, type Mutation } from "#tests/mutants/mutations.ts";
import { listRelatedTests } from "#tests/mutants/related-tests.ts";

type Mutant = Mutation & { path: string };

const DEADLINE_MS = 120_000;
const NOT_COPIED = new Set(["node_modules", ".git", "build"]);

const { values } = parseArgs({ options: { only: { type: "string" }, sample: { type: "string" } } });
const chosen = chooseMutants(values.only ?? "domain", Number(values.sample ?? Number.POSITIVE_INFINITY));
const copy = mkdtempSync(join(tmpdir(), "mutants-"));
const survivors: Mutant[] = [];
let untested = 0;
try {
  cpSync(PROJECT_ROOT, copy, { recursive: true, filter: (from) => !NOT_COPIED.has(basename(from)) });
  for (const name of ["node_modules", "build", "db/local/programs/node_modules"])
    symlinkSync(join(PROJECT_ROOT, name), join(copy, name));
  for (const [path, mutants] of Map.groupBy(chosen, (mutant) => mutant.path)) await tryAll(path, mutants);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const tried = chosen.length - untested;
const killed = tried - survivors.length;
console.log(`${killed} of ${tried} changes noticed (${Math.round((100 * killed) / Math.max(tried, 1))} %)`);
process.exit(0);

function chooseMutants(only: string, sample: number): Mutant[] {
  const paths = only.endsWith(".ts") ? [only] : listModules(only);
  const all = paths.flatMap((path) =>
    listMutations(path, readFileSync(join(PROJECT_ROOT, path), "utf8")).map((mutation) => ({
      path,
      ...mutation,
    })),
  );
  const step = Math.max(1, all.length / sample);
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

function listModules(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

async function tryAll(path: string, mutants: Mutant[]): Promise<void> {
  const tests = listRelatedTests(copy, path);
  if (tests.length === 0) {
    untested += mutants.length;
    console.log(`${path}: no test of its room reaches it (${mutants.length} changes not tried)`);
    return;
  }
  const file = join(copy, path);
  const source = readFileSync(file, "utf8");
  let runner = await openRunner(tests);
  if ((await runner.judge()) !== "passed") throw new Error(`The tests of ${path} fail without any change`);
  for (const mutant of mutants) {
    writeFileSync(file, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
    runner.vitest.invalidateFile(file);
    const verdict = await runner.judge();
    if (verdict === "passed") {
      survivors.push(mutant);
      console.log(`survived ${path}:${mutant.line} ${mutant.what}: ${lineAt(source, mutant.line)}`);
    }
    // An endless mutant counts as noticed, and its process is abandoned.
    if (verdict === "endless") runner = await openRunner(tests);
  }
  writeFileSync(file, source);
  await runner.vitest.close();
}

type Verdict = "passed" | "failed" | "endless";
type Runner = { vitest: Vitest; judge(): Promise<Verdict> };

async function openRunner(tests: string[]): Promise<Runner> {
  // No `bail`: it cancels running tests, cancelled tests count as passed, and a late one reaches the next run.
  const options = { root: copy, watch: false, retry: 0, reporters: [{}] };
  const vitest = await createVitest("test", options, { root: copy });
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications(tests.map((test) => join(copy, test)));
  if (specifications.length !== tests.length)
    throw new Error(`Vitest found ${specifications.length} of ${tests.length} test files`);
  return { vitest, judge: () => Promise.race([runTests(vitest, specifications), waitDeadline()]) };
}

async function runTests(vitest: Vitest, specifications: TestSpecification[]): Promise<Verdict> {
  const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications(specifications);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok()) ? "passed" : "failed";
}

function waitDeadline(): Promise<Verdict> {
  return new Promise((resolve) => setTimeout(resolve, DEADLINE_MS, "endless").unref());
}

function lineAt(source: string, line: number): string {
  return source.split("\n")[line - 1]?.trim().slice(0, 120) ?? "";
}
