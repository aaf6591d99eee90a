/**
 * Builds the app where what it is made of has changed since the last complete build. The build remembers names, sizes and
 * times of its sources, so a removed file counts as a change and an interrupted build as none.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describeExit, type Environment, exitOf, type LineLog } from "./server-process.ts";

const CONFIG = "remix.config.js";
const SOURCES = [
  "app",
  "domain",
  "platform",
  "db",
  "public",
  CONFIG,
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

export type BuildOptions = { root: string; log: LineLog; env: Environment; signal?: AbortSignal };

/** Says whether there was anything to build. */
export async function ensureBuild(options: BuildOptions): Promise<boolean> {
  if (!existsSync(join(options.root, CONFIG))) return false;
  const stamp = join(options.root, "build", "sources.sha256");
  const fingerprint = await fingerprintOf(options.root);
  const builtFrom = existsSync(stamp) ? await readFile(stamp, "utf8") : "";
  if (builtFrom === fingerprint) return false;
  await rm(stamp, { force: true });
  options.log("building the app");
  await build(options);
  await mkdir(join(options.root, "build"), { recursive: true });
  await writeFile(stamp, fingerprint);
  return true;
}

async function fingerprintOf(root: string): Promise<string> {
  const digest = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(root, source);
    if (!existsSync(path)) continue;
    const below = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [""];
    for (const name of below.sort()) {
      const entry = await stat(join(path, name));
      if (entry.isFile()) digest.update(`${source}/${name} ${entry.size} ${entry.mtimeMs}\n`);
    }
  }
  return digest.digest("hex");
}

async function build({ root, log, env, signal }: BuildOptions) {
  const remix = join(root, "node_modules", ".bin", "remix");
  const child = spawn(remix, ["vite:build", "-c", CONFIG], {
    cwd: root,
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  child.on("error", () => {});
  for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on("line", log);
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exit = await exitOf(child);
  await closed;
  signal?.throwIfAborted();
  if (exit.code !== 0) {
    throw new Error(
      `The app could not be built: remix vite:build ${describeExit(exit)}; its message is above.`,
    );
  }
}
