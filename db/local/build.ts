/**
 * Builds the app if its sources have changed since the last complete build. The build records names, sizes and times of its sources, so a
 * removed file counts as a change and an interrupted build does not count. A build is made beside the current one and replaces it when
 * complete, with the assets of the previous one, so that running processes and open pages still find theirs.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  awaitExit,
  describeExit,
  type Environment,
  type LineLog,
} from "#db/local/processes/server-process.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { processStart } from "#platform/install/process-lock.mjs";

/** Makes the build, in a process of its own. */
const BUNDLER = join("app", "bundle", "main.ts");
const SOURCES = [
  "app",
  "domain",
  "platform",
  "db",
  "public",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
/** Folders of `db` that no page reaches: the embedded servers. */
const NOT_SOURCES = /^(engine|local)\//;

type BuildOptions = { root: string; log: LineLog; env: Environment; signal?: AbortSignal };

export async function ensureBuild(options: BuildOptions): Promise<boolean> {
  if (!existsSync(join(options.root, BUNDLER))) return false;
  const stamp = join(options.root, "build", "sources.sha256");
  const fingerprint = await computeFingerprint(options.root);
  const builtFrom = existsSync(stamp) ? await readFile(stamp, "utf8") : "";
  if (builtFrom === fingerprint) return false;
  await removeAbandonedBuilds(options.root);
  const name = `build.${process.pid}`;
  const newBuild = join(options.root, name);
  try {
    await runBundler(options, name);
    await mkdir(newBuild, { recursive: true });
    await writeFile(join(newBuild, "sources.sha256"), fingerprint);
    await replaceBuild(join(options.root, "build"), newBuild);
  } finally {
    await rm(newBuild, { recursive: true, force: true });
  }
  return true;
}

async function replaceBuild(current: string, newBuild: string): Promise<void> {
  if (existsSync(current)) {
    await copyRecentAssets(current, newBuild);
    const previous = `${newBuild}.before`;
    await rename(current, previous);
    await rename(newBuild, current);
    await rm(previous, { recursive: true, force: true });
  } else await rename(newBuild, current);
}

const ASSETS = join("client", "assets");
const ASSETS_FOR_MS = 7 * DAY_MS;

/** Asset names contain a digest of the content, so old and new assets never conflict. */
async function copyRecentAssets(current: string, newBuild: string): Promise<void> {
  const from = join(current, ASSETS);
  if (!existsSync(from)) return;
  for (const name of await readdir(from)) {
    const isOld = Date.now() - (await stat(join(from, name))).mtimeMs > ASSETS_FOR_MS;
    if (!isOld)
      await cp(join(from, name), join(newBuild, ASSETS, name), { force: false, preserveTimestamps: true });
  }
}

/** Removes the remains of killed builds. */
async function removeAbandonedBuilds(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = /^build\.(\d+)(\.before)?$/.exec(name)?.[1];
    if (pid && processStart(Number(pid)) === null) await rm(join(root, name), { recursive: true });
  }
}

async function computeFingerprint(root: string): Promise<string> {
  const digest = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(root, source);
    if (!existsSync(path)) continue;
    const names = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [""];
    for (const name of names.sort()) {
      if (source === "db" && NOT_SOURCES.test(name)) continue;
      const entry = await stat(join(path, name));
      if (entry.isFile()) digest.update(`${source}/${name} ${entry.size} ${entry.mtimeMs}\n`);
    }
  }
  return digest.digest("hex");
}

async function runBundler({ root, log, env, signal }: BuildOptions, directory: string) {
  const child = spawn(process.execPath, [BUNDLER], {
    cwd: root,
    env: { ...env, NODE_ENV: "production", BUILD_DIRECTORY: directory },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  child.on("error", () => {});
  for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on("line", log);
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exit = await awaitExit(child);
  await closed;
  signal?.throwIfAborted();
  if (exit.code !== 0) {
    throw new Error(`The app could not be built: its bundler ${describeExit(exit)}; its message is above.`);
  }
}
