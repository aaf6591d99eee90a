/**
 * Installs what a script needs where it is missing or older than its lock file: the packages of the project, with or without
 * those for developing and testing, and beside them the programs of `db/local/programs` (PostgreSQL and Node 24),
 * which only a machine without its own needs. Plain JavaScript without dependencies.
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

/**
 * `dev` asks for the packages for developing and testing as well; `programs` for PostgreSQL and Node 24. Only one process
 * installs at a time.
 */
export async function installPackages({ root, dev, programs, steps, verbose }) {
  const wanted = [
    packages("packages", root, dev || hadDev(root) ? DEV : RUNNING),
    ...(programs ? [packages("programs", join(root, "db", "local", "programs"), RUNNING)] : []),
  ];
  if (wanted.every(isInstalled)) return;
  const lock = await waitForInstallLock(root, steps);
  try {
    await Promise.all(wanted.map((each) => waitForForsakenInstaller(each, steps)));
    const missing = wanted.filter((each) => !isInstalled(each));
    const ends = await Promise.allSettled(
      missing.map((each) =>
        steps.run(`installing ${each.name}`, () => install(each, verbose), `${each.name} installed`),
      ),
    );
    for (const { reason } of ends) if (reason) throw reason;
    await compileNative(wanted, steps, verbose);
    for (const each of wanted) writeFileSync(each.stamp, expectedStamp(each, installedLevel(each)));
  } finally {
    lock.release();
  }
}

/** Whoever develops here goes on developing: packages for it come again with a new lock file. */
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

/** What a complete installation carries: the lock file it was made from, the platform it was made for, and how much it holds. */
function expectedStamp({ lockFile }, level) {
  const digest = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${digest} ${process.platform}-${process.arch} ${level}\n`;
}

/** The stamp is written after npm ended well, so an interrupted installation has none. */
function isInstalled(each) {
  const stamp = existsSync(each.stamp) ? readFileSync(each.stamp, "utf8") : "";
  return [DEV, each.level].some((level) => stamp === expectedStamp(each, level)) || isInstalledByHand(each);
}

/** npm writes its own hidden lock file last: one that is newer than ours counts where it names every package that is asked for. */
function isInstalledByHand({ directory, modules, lockFile, level }) {
  const hiddenLock = join(modules, ".package-lock.json");
  if (!existsSync(hiddenLock) || statSync(hiddenLock).mtimeMs < statSync(lockFile).mtimeMs) return false;
  const { dependencies = {}, devDependencies = {} } = readJson(join(directory, "package.json"));
  const names = Object.keys({ ...dependencies, ...(level === DEV ? devDependencies : {}) });
  return names.every((name) => existsSync(join(modules, name)));
}

/** Packages for developing that are there already stay. */
function installedLevel(each) {
  return each.level === DEV || isInstalledByHand({ ...each, level: DEV }) ? DEV : each.level;
}

async function install(each, verbose) {
  const isAddition = each.level === DEV && isInstalled({ ...each, level: RUNNING });
  if (!isAddition) rmSync(each.stamp, { force: true });
  const output = [];
  const exit = await runProgram(
    "/bin/sh",
    ["-c", 'read -r _ && exec npm "$@"', "npm", ...npmArguments(each, isAddition)],
    {
      cwd: each.directory,
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, PATH: pathWithout(join(each.modules, ".bin")) },
      onStart: (npm) => recordInstaller(each, npm),
      onOutput: (text) => (verbose ? process.stdout.write(text) : output.push(text)),
    },
  ).finally(() => rmSync(each.installerLink, { force: true }));
  if (exit === 0) return;
  // A server may run on what was there before; what npm began by itself is of no use to anybody.
  if (!isAddition) rmSync(each.modules, { recursive: true, force: true });
  throw new Refusal(explainInstallFailure(output.join(""), exit), exit);
}

/**
 * Which packages come is said outright, because NODE_ENV or a person's `omit` setting would choose others. Added packages
 * go beside those that are there, which a running server may be using. Install scripts do not run: they would run on
 * the machine's Node, and what they are for is done by `compileNative` and by whoever starts PostgreSQL. `.npmrc` lets npm stop where
 * a person runs `npm ci` on another Node; here Node 24 comes beside the packages.
 */
function npmArguments({ level }, isAddition) {
  return [
    ...(isAddition ? ["install", "--no-save"] : ["ci"]),
    level === DEV ? "--include=dev" : "--omit=dev",
    ...["--include=optional", "--ignore-scripts", "--no-engine-strict"],
    ...["--prefer-offline", "--no-audit", "--no-fund"],
  ];
}

/** The one package with native code brings it ready for most platforms; elsewhere it is compiled, for Node 24. */
async function compileNative([{ directory, modules }, programs], steps, verbose) {
  const native = join(modules, "isolated-vm");
  const ready = join(native, "prebuilds", `${process.platform}-${process.arch}`);
  if (!existsSync(native) || existsSync(ready) || existsSync(join(native, "out"))) return;
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

/** npm deletes node_modules while it works: it must not run on a node from in there. */
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
 * An npm whose bootstrap was killed goes on alone, and two of them at once would ruin node_modules: whoever comes next
 * waits for the one recorded here. npm begins only at the line that says it is recorded, so none goes unnoticed.
 */
function recordInstaller({ installerLink }, npm) {
  rmSync(installerLink, { force: true });
  symlinkSync(`${npm.pid} ${processStart(npm.pid)}`, installerLink);
  npm.stdin.end("recorded\n");
}

async function waitForForsakenInstaller({ installerLink }, steps) {
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
