/**
 * Runs the whole product on one machine: the embedded servers where no address is configured, the release step, then
 * every process of the Procfile. What starts later stops earlier, so the databases outlive everything that writes to
 * them. A process that ends is started again; one that keeps ending ends everything, with its message.
 */

import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { readError } from "#platform/read-error.ts";
import { openShutdown, type Shutdown } from "#platform/shutdown.ts";
import { ensureBuild } from "./build.ts";
import { type Child, startChild } from "./child.ts";
import { dataDirectoryFrom, takeDataDirectory } from "./data-directory.ts";
import { startDatabases } from "./databases.ts";
import { type Keeper, type KeepOptions, keepRunning, type Pace } from "./keep-running.ts";
import { parseProcfile } from "./procfile.ts";
import { PROJECT_ROOT } from "./project-root.ts";
import { describeExit, type Environment, type LineLog, type LocalServer } from "./server-process.ts";

type LaunchOptions = { root?: string; procfile?: string; env?: Environment; pace?: Pace };

type Launch = Required<Pick<LaunchOptions, "root" | "env">> & {
  dataDirectory: string;
  shutdown: Shutdown;
  pace?: Pace;
};

/** More than the processes and then both databases may take. */
const STOP_DEADLINE_MS = 60_000;

/** Returns once everything runs; from then on signals and the processes themselves decide. */
export async function launch(options: LaunchOptions = {}) {
  const { root = PROJECT_ROOT, procfile = join(root, "Procfile"), env = process.env, pace } = options;
  // A terminal that went away must not end the launcher before it has stopped the databases.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const entries = parseProcfile(readFileSync(procfile, "utf8"));
  const dataDirectory = dataDirectoryFrom(env);
  const lock = takeDataDirectory(dataDirectory);
  const shutdown = openShutdown({ deadlineMs: STOP_DEADLINE_MS, log: shutdownLog });
  shutdown.defer("data directory", () => lock.release());
  try {
    await startAll({ root, env, dataDirectory, shutdown, pace }, entries);
  } catch (error) {
    fail(shutdown, readError(error).message);
  }
}

async function startAll(run: Launch, entries: Map<string, string>) {
  const { release, ...commands } = Object.fromEntries(entries);
  const processes: Promise<Keeper<Child>>[] = [];
  const [addresses] = await Promise.all([
    startDatabases({
      ...run,
      logOf: prefixed,
      keep: (options) => keepUntilStop(run, options),
      // The environment of a process is fixed: for a new address it needs a new process.
      onNewAddress: () => processes.forEach(async (keeper) => (await keeper).current().stop()),
    }),
    ensureBuild({ root: run.root, env: baseEnv(run), log: prefixed("build"), signal: run.shutdown.signal }),
  ]);
  const envNow = () => ({ ...baseEnv(run), ...addresses() });
  run.shutdown.signal.throwIfAborted();
  if (release) await runRelease(run, release, envNow());
  run.shutdown.signal.throwIfAborted();

  run.shutdown.defer("processes", () => Promise.all(processes.map(async (keeper) => (await keeper).stop())));
  for (const [name, command] of Object.entries(commands)) {
    const start = () =>
      startChild({ command, cwd: run.root, env: envNow(), log: prefixed(name), onReady: announceAddress });
    processes.push(keep(run, { name, start }));
  }
}

async function runRelease({ root, shutdown }: Launch, command: string, env: Environment) {
  const release = startChild({ command, cwd: root, env, log: prefixed("release") });
  const stopEarly = () => void release.stop();
  shutdown.signal.addEventListener("abort", stopEarly);
  const exit = await release.exited;
  shutdown.signal.removeEventListener("abort", stopEarly);
  if (exit.code !== 0) throw new Error(`The release step ${describeExit(exit)}.\n${release.lastWords()}`);
}

function keep<T extends LocalServer>(
  { shutdown, pace }: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const onGiveUp = (message: string) => fail(shutdown, message);
  return keepRunning({ ...options, log: prefixed(options.name), onGiveUp, pace });
}

/** Deferred before it has started: a stop in the middle of the start waits for it and undoes it. */
function keepUntilStop<T extends LocalServer>(
  run: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const starting = keep(run, options);
  run.shutdown.defer(options.name, async () => (await starting.catch(() => null))?.stop());
  return starting;
}

/** A stop that was asked for is no failure, whatever it interrupted. */
function fail(shutdown: Shutdown, message: string) {
  if (!shutdown.signal.aborted) console.error(message);
  shutdown.begin("failure", 1);
}

/**
 * The programs of the project come first on the PATH. On the embedded default the product runs in production mode, which
 * is what it is measured and tested in; elsewhere NODE_ENV is the operator's word.
 */
function baseEnv({ root, env, dataDirectory }: Launch): Environment {
  const { CODESHELF_EMBEDDED: _, ...rest } = env;
  const embedded = !env.MONGODB_URI;
  return {
    ...rest,
    NODE_ENV: env.NODE_ENV || (embedded ? "production" : undefined),
    DATA_DIR: dataDirectory,
    PATH: [join(root, "node_modules", ".bin"), dirname(process.execPath), env.PATH].join(delimiter),
  };
}

function prefixed(name: string): LineLog {
  const prefix = name.padEnd("postgres".length);
  return (line) => console.log(`${prefix} | ${line}`);
}

/** The sign-in address goes to whoever started it and into no log. */
function announceAddress(url: string, signInUrl: string) {
  if (!url) return;
  console.log(`\n  Codeshelf is ready: ${url}`);
  if (signInUrl) console.log(`  Sign in, once in each browser: ${signInUrl}`);
  console.log();
}

const shutdownLog = {
  info: (event: string) => console.log(event === "stopping" ? "Stopping…" : "Stopped."),
  error: (event: string, fields?: Record<string, unknown>) => console.error(event, fields ?? ""),
};
