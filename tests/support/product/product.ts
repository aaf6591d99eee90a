/** The whole product as `npm start` starts it: the launcher with its databases, web and worker, in a fresh directory. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { awaitExit } from "#db/local/processes/server-process.ts";
import { itemAt, required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { newProductStore } from "#tests/support/databases/product-store.ts";
import { balance } from "#tests/support/product/round-robin.ts";
import { leash } from "#tests/support/programs/leash.ts";
import { linkSnapshotCache } from "#tests/support/workers/snapshot-cache.ts";

const READY = /Codeshelf is ready: (\S+)/;
/** The worker starts last. */
const STARTED = /^✓ .*worker\d? started/;
// The machine's own configuration, hidden from the product.
const CONFIGURED = [
  "MONGODB_URI",
  "DATABASE_URL",
  "MESSENGER_BOT_TOKEN",
  "MESSENGER_BOT_NAME",
  "NODE_ENV",
  "HOST",
];

export type Product = {
  url: string;
  pid: number;
  dataDir: string;
  /** The address of its document database. */
  findStoreUri(): Promise<string>;
  /** The path of the sign-in link that it prints; it also works behind the balancer. */
  signInPath: string;
  lines: readonly string[];
  stop(): Promise<void>;
};

type ProductOptions = { port?: number; variables?: Record<string, string> };

const PROGRAMS = { release: "db/release.ts", web: "app/server.ts", worker: "worker/index.ts" };

/** The product's processes with these variables; in pairs, each web process takes a port of its own. */
function writeProcfile(variables: string, pairs: boolean): string {
  const lines = Object.entries(PROGRAMS).flatMap(([name, program]) => {
    const command = `env ${variables} ${pairs ? "PORT=0" : ""} node ${program}`;
    const second = pairs && name !== "release" ? [`${name}2: ${command}`] : [];
    return [`${name}: ${command}`, ...second];
  });
  return `${lines.join("\n")}\n`;
}

/**
 * Starts the product with only the given configuration, on the MongoDB of TEST_MONGODB_URI if set. Stopping it removes its data. With
 * `CODESHELF_PAIRS` in the environment two web and two worker processes share the store, behind an address that gives each request to the
 * next.
 */
export async function startProduct({ port = 0, variables = {} }: ProductOptions = {}): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-browser-"));
  const inherited = Object.entries(process.env).filter(([name]) => !CONFIGURED.includes(name));
  const dataDir = join(directory, "data");
  linkSnapshotCache(dataDir);
  const store = newProductStore(dataDir);
  const environment = { ...store.variables, ...variables, DATA_DIR: dataDir, PORT: String(port) };
  const env = { ...Object.fromEntries(inherited), ...environment };
  const pairs = Boolean(process.env.CODESHELF_PAIRS);
  const procfile = join(directory, "Procfile");
  const changed = pairs || store.commandVariables !== "";
  if (changed) await writeFile(procfile, writeProcfile(store.commandVariables, pairs));
  const program = changed
    ? [join(PROJECT_ROOT, "tests", "support", "product", "launch-procfile.ts"), procfile]
    : [join(PROJECT_ROOT, "db", "local", "launch.ts"), "--verbose"];
  const launcher = spawn(process.execPath, program, {
    cwd: PROJECT_ROOT,
    env: env as NodeJS.ProcessEnv & typeof env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Also if it is not ready in time and no caller can stop it.
  const takeOff = leash(required(launcher.pid), "TERM");
  const exit = awaitExit(launcher).finally(takeOff);
  const lines: string[] = [];
  const removeAll = async () => {
    await store.remove();
    await rm(directory, { recursive: true, force: true });
  };
  const urls = await readUrls(launcher, lines, pairs ? 2 : 1).catch(async (error) => {
    await removeAll();
    throw error;
  });
  const balancer = pairs ? await balance(urls) : null;
  const stop = async () => {
    balancer?.close();
    launcher.kill("SIGINT");
    await exit;
    await removeAll();
  };
  const code = await readFile(join(dataDir, "secrets", "sign-in-code"), "utf8");
  const signInPath = `/login?code=${code}`;
  const url = balancer?.url ?? itemAt(urls, 0);
  return { url, pid: required(launcher.pid), dataDir, findStoreUri: store.findUri, signInPath, lines, stop };
}

/** The addresses of this many web processes, after the worker has started too; all output of the launcher goes to `lines`. */
function readUrls(launcher: ChildProcessByStdio<null, Readable, Readable>, lines: string[], count: number) {
  return new Promise<string[]>((resolve, reject) => {
    const urls: string[] = [];
    let isStarted = false;
    for (const output of [launcher.stdout, launcher.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        lines.push(line);
        const url = READY.exec(line)?.[1];
        if (url) urls.push(url);
        isStarted ||= STARTED.test(line);
        if (isStarted && urls.length === count) resolve(urls);
      });
    }
    const fail = () => reject(new Error(`The product did not start:\n${lines.slice(-30).join("\n")}`));
    void awaitExit(launcher).then(fail);
  });
}
