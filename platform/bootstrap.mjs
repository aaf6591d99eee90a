/**
 * The first step of every npm script: `node platform/bootstrap.mjs [--dev] <script.ts> [arguments]`. Installs the packages if
 * they are missing or older than the lock file (`--dev` includes those for development and tests), finds Node 24 and runs the
 * script with it. Plain JavaScript without dependencies, because on a fresh clone it runs on any Node of the machine.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackages, pathWithout } from "./install/install-packages.mjs";
import { Refusal, runProgram } from "./install/run-program.mjs";
import { isVerbose, openSteps } from "./install/start-steps.mjs";

const OLDEST_NODE = 20;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const packagedNode = join(root, "db", "local", "programs", "node_modules", ".bin", "node");
/** Caches compiled code for the next start of every process; a new installation removes it. */
const compileCache = join(root, "node_modules", ".cache", "compile");
const isNode24 = (version) => version?.startsWith("v24.") === true;

function findNode24() {
  const version = existsSync(packagedNode) ? readVersion(packagedNode) : null;
  if (isNode24(version)) return packagedNode;
  if (isNode24(process.version)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const packageExists = ["linux-arm64", "linux-x64"].includes(platform);
  throw new Refusal(
    packageExists
      ? `Codeshelf runs on Node 24. The one that npm brings (node-${platform}) ${version ? `is ${version}` : "is missing or does not run here"}: delete db/local/programs/node_modules and start again, or put a Node 24 first on your PATH.`
      : `Codeshelf runs on Node 24 and npm has none for ${platform}; this is ${process.version}. Please install Node 24 (https://nodejs.org/en/download, or "brew install node@24"), put it first on your PATH and start again.`,
  );
}

function readVersion(node) {
  // An installation may have replaced the program that runs this.
  const isRunning = existsSync(process.execPath) && realpathSync(node) === realpathSync(process.execPath);
  if (isRunning) return process.version;
  try {
    return execFileSync(node, ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

/** Makes the tools in node_modules/.bin, which look for `node` in their own folder, run on the same Node as everything else. */
function linkNode(node) {
  const link = join(bin, "node");
  const target = relative(bin, node);
  const existing = lstatSync(link, { throwIfNoEntry: false });
  if (
    node !== packagedNode ||
    !existsSync(bin) ||
    (existing?.isSymbolicLink() && readlinkSync(link) === target)
  )
    return;
  rmSync(link, { force: true });
  symlinkSync(target, link);
}

async function main(words) {
  const dev = words[0] === "--dev";
  const [script, ...scriptArguments] = dev ? words.slice(1) : words;
  if (!script) throw new Refusal("Usage: node platform/bootstrap.mjs [--dev] <script.ts> [arguments]");
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
    throw new Refusal(
      `Codeshelf is started with Node ${OLDEST_NODE} or newer; this is ${process.version}. Install it (https://nodejs.org) and start again.`,
    );
  const programs = dev || !isNode24(process.version) || !process.env.DATABASE_URL;
  await installPackages({ root, dev, programs, steps: openSteps(), verbose: isVerbose(scriptArguments) });
  const node = findNode24();
  linkNode(node);
  const path = [bin, dirname(node), pathWithout(bin)].join(delimiter);
  return runProgram(
    node,
    [
      "--import",
      pathToFileURL(join(root, "platform", "processes", "follow-parent.mjs")).href,
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
