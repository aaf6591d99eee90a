/**
 * Runs the whole product on one machine: embedded servers without a configured address, the release step, then web and, once it
 * serves pages, every other process of the Procfile. Processes stop in the opposite order, so the databases outlive everything
 * that writes to them. A process that ends is restarted; one that keeps ending stops everything, with its message.
 */

import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type Child, type ChildOptions, startChild } from "#db/local/processes/child.ts";
import { type Keeper, type KeepOptions, keepRunning, type Pace } from "#db/local/processes/keep-running.ts";
import { openProcessOutput, type ProcessOutput } from "#db/local/processes/process-output.ts";
import { parseProcfile } from "#db/local/processes/procfile.ts";
import { describeExit, type Environment, type LocalServer } from "#db/local/processes/server-process.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { openSteps, type StartSteps } from "#platform/install/start-steps.mjs";
import { openShutdown, type Shutdown } from "#platform/processes/shutdown.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { readError } from "#platform/read-error.ts";
import { ensureBuild } from "./build.ts";
import { lockDataDirectory, resolveDataDirectory } from "./data-directory.ts";
import { startDatabases } from "./databases.ts";
import { explainStartFailure } from "./start-failure.ts";

type LaunchOptions = { root?: string; procfile?: string; env?: Environment; pace?: Pace; verbose?: boolean };

type Launch = Required<Pick<LaunchOptions, "root" | "env">> & {
  dataDirectory: string;
  shutdown: Shutdown;
  steps: StartSteps;
  output: ProcessOutput;
  pace?: Pace;
};

/** Longer than all processes and both databases need to stop. */
const STOP_DEADLINE_MS = MINUTE_MS;

/** Returns when everything runs. Then it runs until a signal arrives or a process keeps failing. */
export async function launch(options: LaunchOptions = {}) {
  const {
    root = PROJECT_ROOT,
    procfile = join(root, "Procfile"),
    env = process.env,
    pace,
    verbose = false,
  } = options;
  // A closed terminal must not end the launcher before it has stopped the databases.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const entries = parseProcfile(readFileSync(procfile, "utf8"));
  const dataDirectory = resolveDataDirectory(env);
  const lock = lockDataDirectory(dataDirectory);
  const steps = openSteps();
  const shutdown = openShutdown({ deadlineMs: STOP_DEADLINE_MS, log: createShutdownLog(steps) });
  shutdown.defer("data directory", () => lock.release());
  const output = openProcessOutput(steps.say, { verbose, isTerminal: process.stdout.isTTY === true });
  try {
    await startAll({ root, env, dataDirectory, shutdown, steps, output, pace }, entries);
  } catch (error) {
    steps.close();
    shutDownAfterFailure(shutdown, explainStartFailure(readError(error).message, dataDirectory));
  }
}

/** These processes load their code while the databases start, and wait for a message before they begin. */
const LOADING_EARLY = new Set(["node db/release.ts", "node app/server.ts"]);

type Addresses = Awaited<ReturnType<typeof startDatabases>>;

async function startAll(run: Launch, entries: Map<string, string>) {
  const { release, web, ...others } = Object.fromEntries(entries);
  const keepers: Promise<Keeper<Child>>[] = [];
  const starting = startDatabases({
    ...run,
    openLog: run.output.openLog,
    keep: (options) => keepUntilStop(run, options),
    // A process reads the addresses only when it starts, so a new address needs a new process.
    onNewAddress: () => keepers.forEach(async (keeper) => (await keeper).current().stop()),
  });
  run.shutdown.defer("processes", () => Promise.all(keepers.map(async (keeper) => (await keeper).stop())));
  const building = buildApp(run);
  const databasesReady = Promise.all([starting, building]).then(([addresses]) => addresses);
  const databasesPrepared = prepareDatabases(run, release, databasesReady);
  // Pages come first: the other processes need the processor too, so they begin when pages are served.
  const webStarted = building.then(() => startProcesses(run, keepers, web ? { web } : {}, databasesPrepared));
  await Promise.all([databasesPrepared, webStarted]);
  await startProcesses(run, keepers, others, databasesPrepared);
  run.output.show();
}

/** Starts a process with the addresses of the databases: it waits for them itself, or is started when they exist. */
async function startWithAddresses(addresses: Promise<Addresses>, options: ChildOptions): Promise<Child> {
  if (LOADING_EARLY.has(options.command))
    return startChild({ ...options, start: addresses.then((find) => find()) });
  const find = await addresses;
  return startChild({ ...options, env: { ...options.env, ...find() } });
}

/** Runs the release step once the databases and the app are ready. */
async function prepareDatabases(run: Launch, command: string | undefined, ready: Promise<Addresses>) {
  const { root, shutdown, steps, output } = run;
  if (!command) return ready;
  const options = { command, cwd: root, env: baseEnv(run), log: output.openLog("release") };
  const release = startWithAddresses(ready, options);
  const stopEarly = () => void release.then((child) => child.stop()).catch(() => {});
  shutdown.signal.addEventListener("abort", stopEarly);
  const [addresses, child] = await Promise.all([ready, release]);
  await steps.run("preparing databases", () => awaitRelease(child), "databases prepared");
  shutdown.signal.removeEventListener("abort", stopEarly);
  shutdown.signal.throwIfAborted();
  return addresses;
}

async function awaitRelease(release: Child) {
  const exit = await release.exited;
  if (exit.code !== 0) throw new Error(`The release step ${describeExit(exit)}.\n${release.lastWords()}`);
}

async function buildApp({ root, env, dataDirectory, shutdown, steps, output }: Launch) {
  const options = { root, env: baseEnv({ root, env, dataDirectory }), signal: shutdown.signal };
  const build = () => ensureBuild({ ...options, log: output.openLog("build") });
  await steps
    .run("building the app", build, (wasBuilt) => (wasBuilt ? "app built" : null))
    .catch((error) => {
      if (!shutdown.signal.aborted) output.showHeld("build");
      throw error;
    });
}

type Address = { url: string; signInUrl: string };

async function startProcesses(
  run: Launch,
  keepers: Promise<Keeper<Child>>[],
  commands: Record<string, string>,
  prepared: Promise<Addresses>,
) {
  if (!Object.values(commands).every((command) => LOADING_EARLY.has(command))) await prepared;
  run.shutdown.signal.throwIfAborted();
  const startOne = ([name, command]: [string, string]) => {
    const { promise: ready, resolve } = Promise.withResolvers<Address>();
    let wasReady = false;
    const onReady = (url: string, signInUrl: string) => {
      if (wasReady) printAddresses(run, [{ url, signInUrl }]);
      wasReady = true;
      resolve({ url, signInUrl });
    };
    const options = { command, cwd: run.root, env: baseEnv(run), log: run.output.openLog(name), onReady };
    keepers.push(keepProcessRunning(run, { name, start: () => startWithAddresses(prepared, options) }));
    return ready;
  };
  const addresses = Object.entries(commands).map(startOne);
  if (addresses.length === 0) return;
  const names = Object.keys(commands).join(" and ");
  printAddresses(
    run,
    await run.steps.run(`starting ${names}`, () => Promise.all(addresses), `${names} started`),
  );
}

/** Prints the sign-in address. It is not logged. */
function printAddresses({ steps, dataDirectory }: Launch, addresses: Address[]) {
  const served = addresses.filter(({ url }) => url);
  if (served.length === 0) return;
  const lines = [
    "",
    ...served.flatMap(({ url, signInUrl }) => [
      `  Codeshelf is ready: ${url}`,
      ...(signInUrl ? [`  Log in, once in each browser: ${signInUrl}`] : []),
    ]),
    `  Data is kept in: ${dataDirectory}`,
    "  Stop it with Ctrl-C",
    "",
  ];
  for (const line of lines) steps.say(line);
}

function keepProcessRunning<T extends LocalServer>(
  { shutdown, output, pace }: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const onGiveUp = (message: string) => shutDownAfterFailure(shutdown, message);
  return keepRunning({ ...options, log: output.openLog(options.name), onGiveUp, pace });
}

/** Registers the stop before the start has finished, so that a stop during the start waits for it and undoes it. */
function keepUntilStop<T extends LocalServer>(
  run: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const starting = run.steps.run(
    `starting ${options.name}`,
    () => keepProcessRunning(run, options),
    `${options.name} started`,
  );
  run.shutdown.defer(options.name, async () => (await starting.catch(() => null))?.stop());
  return starting;
}

/** An error after a requested stop is no failure. */
function shutDownAfterFailure(shutdown: Shutdown, message: string) {
  if (!shutdown.signal.aborted) console.error(message);
  shutdown.begin("failure", 1);
}

/**
 * The project's programs come first on the PATH. With embedded databases the product runs in production mode, in which it is
 * measured and tested; otherwise NODE_ENV is the operator's choice.
 */
function baseEnv({ root, env, dataDirectory }: Pick<Launch, "root" | "env" | "dataDirectory">): Environment {
  const { CODESHELF_EMBEDDED: _, ...otherVariables } = env;
  const isEmbedded = !env.MONGODB_URI;
  return {
    ...otherVariables,
    NODE_ENV: env.NODE_ENV || (isEmbedded ? "production" : undefined),
    DATA_DIR: dataDirectory,
    PATH: [join(root, "node_modules", ".bin"), dirname(process.execPath), env.PATH].join(delimiter),
  };
}

function createShutdownLog(steps: StartSteps) {
  return {
    info: (event: string) => {
      steps.close();
      console.log(event === "stopping" ? "Stopping…" : "Stopped.");
    },
    error: (event: string, fields?: Record<string, unknown>) => console.error(event, fields ?? ""),
  };
}
