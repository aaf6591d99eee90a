/**
 * Chooses the test files for the changes in the working tree, nearest first: changed tests, those that import a changed file, those that
 * import an importer, and so on, within the time that a person waits. Pages are tested through a bundle, which no import shows: tests
 * that share a word with the name of a changed page or style count as near.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { readDurations } from "./durations.ts";

/** About half of it on two cores. */
const WORK_SECONDS = 70;
const UNRECORDED_SECONDS = 1;
const BUNDLE_DISTANCE = 2.5;
const TEST = /\.test\.ts$/;
const FULL_ONLY = /\.full\.test\.ts$/;
const SOURCE = /\.(tsx?|mjs|js)$/;

export type ChangedTests = { changed: string[]; chosen: string[]; left: number };

export function chooseChangedTests(): ChangedTests {
  const changed = listChanged();
  const sources = new Map(listFiles().map((path) => [path, readFileSync(join(PROJECT_ROOT, path), "utf8")]));
  return { changed, ...chooseNearest(changed, sources, readDurations()) };
}

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: PROJECT_ROOT, encoding: "utf8", maxBuffer: 1e8 })
    .split("\n")
    .filter(Boolean);

/** Compared with the last commit; if nothing differs, what that commit changed. */
function listChanged(): string[] {
  const untracked = git("ls-files", "--others", "--exclude-standard");
  const changed = [...git("diff", "--name-only", "HEAD"), ...untracked];
  return changed.length > 0 ? changed : git("diff", "--name-only", "HEAD~1", "HEAD");
}

const listFiles = () =>
  git("ls-files", "--cached", "--others", "--exclude-standard").filter(
    (path) => SOURCE.test(path) && existsSync(join(PROJECT_ROOT, path)),
  );

function chooseNearest(
  changed: readonly string[],
  sources: ReadonlyMap<string, string>,
  durations: Readonly<Record<string, number>>,
): Pick<ChangedTests, "chosen" | "left"> {
  const distances = measureDistances(changed, listImporters(sources));
  for (const test of sources.keys())
    if (TEST.test(test) && changed.some((path) => isOfBundle(path) && sharesWord(path, test)))
      distances.set(test, Math.min(distances.get(test) ?? BUNDLE_DISTANCE, BUNDLE_DISTANCE));
  const duration = (test: string) => durations[test] ?? UNRECORDED_SECONDS;
  const tests = [...distances]
    .filter(([path]) => TEST.test(path) && !FULL_ONLY.test(path) && sources.has(path))
    .sort(([a, near], [b, far]) => near - far || duration(a) - duration(b))
    .map(([path]) => path);
  let seconds = 0;
  const chosen = tests.filter((test) => {
    seconds += duration(test);
    return changed.includes(test) || seconds <= WORK_SECONDS;
  });
  return { chosen, left: tests.length - chosen.length };
}

function listImporters(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, source] of sources)
    for (const [, specifier = ""] of source.matchAll(/(?:from|import)\s*\(?\s*"([#.][^"]+)"/g)) {
      const target = specifier.startsWith("#")
        ? specifier.slice(1)
        : posix.join(posix.dirname(path), specifier);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  return importers;
}

function measureDistances(changed: readonly string[], importers: Map<string, string[]>): Map<string, number> {
  const distances = new Map(changed.map((path) => [path, 0]));
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

const isOfBundle = (path: string) => path.startsWith("app/");
/** The words in a path, in the singular. */
const toWords = (path: string) =>
  path
    .replace(/\.(test\.)?\w+$/, "")
    .split("/")
    .slice(1)
    .flatMap((part) => part.split(/[^a-z]+/))
    .filter((word) => word.length > 2 && !GENERAL.has(word))
    .map((word) => word.replace(/s$/, ""));
const GENERAL = new Set([
  "routes",
  "server",
  "styles",
  "page",
  "pages",
  "enhance",
  "browser",
  "journeys",
  "api",
]);

function sharesWord(path: string, test: string): boolean {
  const words = new Set(toWords(path));
  return toWords(test).some((word) => words.has(word));
}
