/**
 * The first step of every npm script: `node platform/bootstrap.mjs <script.ts> [arguments]`.
 *
 * Installs the dependencies where they are missing or older than the lock file, finds Node 24 and runs the script under
 * it. Plain JavaScript without dependencies, because on a fresh clone it runs on whatever Node the machine has.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isAlive, processStart, takeLock } from "./process-lock.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".codeshelf-installed");
const installLock = join(root, ".install-lock");
const installerLink = join(root, ".install-lock-npm");
/** What Node compiled is kept there for the next start, for every process; it goes with an installation. */
const compileCache = join(root, "node_modules", ".cache", "compile");
const POLL_MS = 100;

/** What a complete installation carries: the lock file it was made from and the platform it was made for. */
function expectedStamp() {
  const digest = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${digest} ${process.platform}-${process.arch}\n`;
}

/**
 * The stamp is written after `npm ci` ended well, so an interrupted installation has none. npm writes its own hidden
 * lock file last as well: an installation made by hand counts when that one is newer than ours.
 */
function isInstalled() {
  const hiddenLock = join(root, "node_modules", ".package-lock.json");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === expectedStamp()) return true;
  return existsSync(hiddenLock) && statSync(hiddenLock).mtimeMs >= statSync(lockFile).mtimeMs;
}

async function install() {
  if (isInstalled()) return;
  const lock = await waitForInstallLock();
  try {
    await waitForForsakenInstaller();
    if (isInstalled()) return;
    console.log("Installing dependencies (npm ci)…");
    const exit = await run("/bin/sh", ["-c", 'read -r _ && exec npm "$@"', "npm", ...npmArguments()], {
      stdio: ["pipe", "inherit", "inherit"],
      env: { ...process.env, PATH: pathWithoutBin() },
      onStart: recordInstaller,
    });
    if (exit !== 0) throw new Refusal("npm ci did not succeed; its message is above.", exit);
    writeFileSync(stampFile, expectedStamp());
  } finally {
    rmSync(installerLink, { force: true });
    lock.release();
  }
}

/**
 * Development and optional packages are named outright, because NODE_ENV=production or a person's `omit` setting would
 * leave out what builds the app and the Node 24 it runs on. Who wants a slim production image installs with npm itself.
 */
function npmArguments() {
  return ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
}

/** npm deletes node_modules while it works: it must not run on a node from in there. */
function pathWithoutBin() {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((entry) => resolve(entry) !== bin)
    .join(delimiter);
}

async function waitForInstallLock() {
  for (let announced = false; ; announced = true) {
    const lock = takeLock(installLock);
    if (!lock.owner) return lock;
    if (!announced) console.log(`Process ${lock.owner.pid} is installing dependencies here; waiting for it…`);
    await delay(POLL_MS);
  }
}

/**
 * An npm whose bootstrap was killed goes on alone, and two of them at once would ruin node_modules: whoever comes next
 * waits for the one recorded here. npm begins only at the line that says it is recorded, so none goes unnoticed.
 */
function recordInstaller(npm) {
  rmSync(installerLink, { force: true });
  symlinkSync(`${npm.pid} ${processStart(npm.pid)}`, installerLink);
  npm.stdin.end("recorded\n");
}

async function waitForForsakenInstaller() {
  for (let announced = false; ; announced = true) {
    const installer = readInstaller();
    if (!installer || !isAlive(installer)) return;
    if (!announced) console.log(`npm (process ${installer.pid}) is still installing here; waiting for it…`);
    await delay(POLL_MS);
  }
}

function readInstaller() {
  try {
    const [pid, start] = readlinkSync(installerLink).split(" ");
    return { pid: Number(pid), start };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/** Node 24 from the npm packages, or the running one. */
function findNode24() {
  const packaged = join(bin, "node");
  const version = existsSync(packaged) ? versionOf(packaged) : null;
  if (version?.startsWith("v24.")) return packaged;
  if (process.version.startsWith("v24.")) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const packageExists = ["linux-arm64", "linux-x64"].includes(platform);
  throw new Refusal(
    packageExists
      ? `Codeshelf runs on Node 24. The one that npm brings (node-${platform}) ${version ? `is ${version}` : "is missing or does not run here"}: delete node_modules and start again, or put a Node 24 first on your PATH.`
      : `Codeshelf runs on Node 24 and npm has none for ${platform}; this is ${process.version}. Please install Node 24 (https://nodejs.org/en/download, or "brew install node@24"), put it first on your PATH and start again.`,
  );
}

function versionOf(node) {
  if (realpathSync(node) === realpathSync(process.execPath)) return process.version;
  try {
    return execFileSync(node, ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

/**
 * Runs a program in a process group of its own, so that a Ctrl-C of the terminal reaches it only through here, and the
 * first signal of each kind only: npm repeats to its child what the terminal has already told everyone.
 */
function run(command, commandArguments, { onStart, ...options }) {
  return new Promise((resolveExit, reject) => {
    const child = spawn(command, commandArguments, { stdio: "inherit", detached: true, ...options });
    const forward = Object.fromEntries(
      ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => [signal, once(() => signalGroup(child.pid, signal))]),
    );
    for (const [signal, listener] of Object.entries(forward)) process.on(signal, listener);
    const orphanWatch = watchForNpm(forward.SIGTERM);
    child.once("spawn", () => onStart?.(child));
    child.once("error", (error) => reject(new Refusal(`${command} could not be started: ${error.message}`)));
    child.once("exit", (code, signal) => {
      for (const [name, listener] of Object.entries(forward)) process.off(name, listener);
      clearInterval(orphanWatch);
      resolveExit(code ?? 128 + constants.signals[signal]);
    });
  });
}

/**
 * npm passes a signal to the shell between it and us, which dies of it without telling us. Who started us without npm may
 * go and leave us running.
 */
function watchForNpm(onGone) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  return setInterval(() => process.ppid !== parent && onGone(), POLL_MS).unref();
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function once(action) {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** A reason to stop that a person can act on: shown without a stack. */
class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

async function main([script, ...scriptArguments]) {
  if (!script) throw new Refusal("Usage: node platform/bootstrap.mjs <script.ts> [arguments]");
  await install();
  const node = findNode24();
  const path = [bin, dirname(node), pathWithoutBin()].join(delimiter);
  return run(
    node,
    [
      "--import",
      pathToFileURL(join(root, "platform", "follow-parent.mjs")).href,
      resolve(root, script),
      ...scriptArguments,
    ],
    {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH: path },
    },
  );
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
