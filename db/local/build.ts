/**
 * Builds the app where what it is made of has changed since the last complete build. The build remembers names, sizes and
 * times of its sources, so a removed file counts as a change and an interrupted build as none.
 *
 * A build is made beside the one in use and takes its name when it is whole, with the assets of the one before: a process that
 * still runs from that one, and pages that came from it, go on finding theirs.
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

/** What makes a build, in a process of its own. */
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
/** Rooms of `db` that no page reaches: the embedded servers. */
const NOT_SOURCES = /^(engine|local)\//;

type BuildOptions = { root: string; log: LineLog; env: Environment; signal?: AbortSignal };

/** Says whether there was anything to build. */
export async function ensureBuild(options: BuildOptions): Promise<boolean> {
  if (!existsSync(join(options.root, BUNDLER))) return false;
  const stamp = join(options.root, "build", "sources.sha256");
  const fingerprint = await computeFingerprint(options.root);
  const builtFrom = existsSync(stamp) ? await readFile(stamp, "utf8") : "";
  if (builtFrom === fingerprint) return false;
  await removeForsaken(options.root);
  const name = `build.${process.pid}`;
  const fresh = join(options.root, name);
  try {
    await build(options, name);
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, "sources.sha256"), fingerprint);
    await replace(join(options.root, "build"), fresh);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return true;
}

async function replace(current: string, fresh: string): Promise<void> {
  if (existsSync(current)) {
    await keepAssets(current, fresh);
    const before = `${fresh}.before`;
    await rename(current, before);
    await rename(fresh, current);
    await rm(before, { recursive: true, force: true });
  } else await rename(fresh, current);
}

const ASSETS = join("client", "assets");
const ASSETS_FOR_MS = 7 * DAY_MS;

/** Their names say their content, so old and new ones never clash. */
async function keepAssets(current: string, fresh: string): Promise<void> {
  const from = join(current, ASSETS);
  if (!existsSync(from)) return;
  for (const name of await readdir(from)) {
    const old = Date.now() - (await stat(join(from, name))).mtimeMs > ASSETS_FOR_MS;
    if (!old)
      await cp(join(from, name), join(fresh, ASSETS, name), { force: false, preserveTimestamps: true });
  }
}

/** What builds that were killed left. */
async function removeForsaken(root: string): Promise<void> {
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
    const below = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [""];
    for (const name of below.sort()) {
      if (source === "db" && NOT_SOURCES.test(name)) continue;
      const entry = await stat(join(path, name));
      if (entry.isFile()) digest.update(`${source}/${name} ${entry.size} ${entry.mtimeMs}\n`);
    }
  }
  return digest.digest("hex");
}

async function build({ root, log, env, signal }: BuildOptions, directory: string) {
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
