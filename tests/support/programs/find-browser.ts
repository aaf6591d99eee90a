/**
 * The browser of the browser tests, in this order: CHROMIUM_PATH, Debian's chromium-headless-shell, which needs half the processor time
 * of a whole Chromium and is installed as root, Debian's chromium, and Playwright's own. If none is available that is an error: no test
 * is skipped for it.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { debianProgram, installByApt } from "#tests/support/programs/install-by-apt.ts";

const SHELL = "chromium-headless-shell";
const WHOLE = "chromium";
const DOWNLOAD_MS = 300_000;

type Way = { name: string; find(env: Environment): string | undefined };
type Environment = Record<string, string | undefined>;

const WAYS: readonly Way[] = [
  { name: "CHROMIUM_PATH", find: (env) => env.CHROMIUM_PATH || undefined },
  { name: SHELL, find: () => debianProgram(SHELL) },
  { name: `apt-get install -y ${SHELL}`, find: () => installByApt(SHELL) },
  { name: WHOLE, find: () => debianProgram(WHOLE) },
  { name: "Playwright's chromium", find: () => chromium.executablePath() },
  { name: "npx playwright install chromium", find: installByPlaywright },
  { name: `apt-get install -y ${WHOLE}`, find: () => installByApt(WHOLE) },
];

export function findBrowser(env: Environment, say: (line: string) => void, ways = WAYS): string {
  const tried: string[] = [];
  for (const way of ways) {
    const path = way.find(env);
    if (path && runs(path)) return path;
    // A path that a person has set must not be replaced silently by another browser.
    if (path && way.name === "CHROMIUM_PATH")
      throw new Error(`CHROMIUM_PATH is ${path}, which does not run.`);
    if (path || way.name.includes("install")) say(`no browser by ${way.name}`);
    tried.push(way.name);
  }
  throw new Error(
    `The browser tests need Chromium and none was found (tried: ${tried.join(", ")}). Install it, or set CHROMIUM_PATH.`,
  );
}

function runs(path: string): boolean {
  return (
    existsSync(path) && spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0
  );
}

function installByPlaywright(): string | undefined {
  const options = { stdio: "inherit", timeout: DOWNLOAD_MS } as const;
  const { status } = spawnSync("npx", ["playwright", "install", "chromium"], options);
  return status === 0 ? chromium.executablePath() : undefined;
}
