/**
 * Runs the whole product on one machine: the embedded servers where no address is configured, the release step, then
 * every process of the Procfile; web and worker load their code meanwhile. What starts later stops earlier, so the databases
 * outlive everything that writes to them. A process that ends is started again; one that keeps ending ends everything, with
 * its message.
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
import { readError } from "#platform/read-error.ts";
import { ensureBuild } from "./build.ts";
import { dataDirectoryFrom, takeDataDirectory } from "./data-directory.ts";
import { startDatabases } from "./databases.ts";
import { PROJECT_ROOT } from "./project-root.ts";
import { explainStartFailure } from "./start-failure.ts";

type LaunchOptions = { root?: string; procfile?: string; env?: Environment; pace?: Pace; verbose?: boolean };

type Launch = Required<Pick<LaunchOptions, "root" | "env">> & {
  dataDirectory: string;
  shutdown: Shutdown;
  steps: StartSteps;
  output: ProcessOutput;
  pace?: Pace;
};

/** More than the processes and then both databases may take. */
const STOP_DEADLINE_MS = MINUTE_MS;

/** Returns once everything runs; from then on signals and the processes themselves decide. */
export async function launch(options: LaunchOptions = {}) {
  const {
    root = PROJECT_ROOT,
    procfile = join(root, "Procfile"),
    env = process.env,
    pace,
    verbose = false,
  } = options;
  // A terminal that went away must not end the launcher before it has stopped the databases.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const entries = parseProcfile(readFileSync(procfile, "utf8"));
  const dataDirectory = dataDirectoryFrom(env);
  const lock = takeDataDirectory(dataDirectory);
  const steps = openSteps();
  const shutdown = openShutdown({ deadlineMs: STOP_DEADLINE_MS, log: createShutdownLog(steps) });
  shutdown.defer("data directory", () => lock.release());
  const output = openProcessOutput(steps.say, { verbose, isTerminal: process.stdout.isTTY === true });
  try {
    await startAll({ root, env, dataDirectory, shutdown, steps, output, pace }, entries);
  } catch (error) {
    steps.close();
    fail(shutdown, explainStartFailure(readError(error).message, dataDirectory));
  }
}

/** They load their code while the databases are started and prepared, and begin at a message. */
const LOADING_EARLY = new Set(["node app/server.ts", "node worker/index.ts"]);

type Addresses = Awaited<ReturnType<typeof startDatabases>>;

async function startAll(run: Launch, entries: Map<string, string>) {
  const { shutdown, output } = run;
  const { release, ...commands } = Object.fromEntries(entries);
  const processes: Promise<Keeper<Child>>[] = [];
  const starting = startDatabases({
    ...run,
    openLog: output.openLog,
    keep: (options) => keepUntilStop(run, options),
    // A process keeps the addresses it was given: for a new one it needs a new process.
    onNewAddress: () => processes.forEach(async (keeper) => (await keeper).current().stop()),
  });
  shutdown.defer("processes", () => Promise.all(processes.map(async (keeper) => (await keeper).stop())));
  const building = buildApp(run);
  const prepared = Promise.all([starting, building]).then(async ([addresses]) => {
    await prepareDatabases(run, release, addresses);
    return addresses;
  });
  const announcing = announceWhenReady(run, Object.keys(commands));
  const startProcesses = (isEarly: boolean, variables: () => Partial<ChildOptions>) => {
    shutdown.signal.throwIfAborted();
    for (const [name, command] of Object.entries(commands)) {
      if (LOADING_EARLY.has(command) !== isEarly) continue;
      const start = () =>
        startChild({
          command,
          cwd: run.root,
          env: baseEnv(run),
          log: output.openLog(name),
          onReady: (url, signInUrl) => announcing.noteReady(name, { url, signInUrl }),
          ...variables(),
        });
      processes.push(keep(run, { name, start }));
    }
  };
  const loading = building.then(() =>
    startProcesses(true, () => ({ start: prepared.then((addresses) => addresses()) })),
  );
  const [addresses] = await Promise.all([prepared, loading]);
  startProcesses(false, () => ({ env: { ...baseEnv(run), ...addresses() } }));
}

async function prepareDatabases(run: Launch, release: string | undefined, addresses: Addresses) {
  const { shutdown, steps } = run;
  shutdown.signal.throwIfAborted();
  const env = { ...baseEnv(run), ...addresses() };
  if (release)
    await steps.run("preparing databases", () => runRelease(run, release, env), "databases prepared");
  shutdown.signal.throwIfAborted();
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

/** Says where everything is once every process is ready; one that is ready again later says so at once. */
function announceWhenReady({ steps, output, dataDirectory }: Launch, names: string[]) {
  const ready = new Map<string, Address>();
  let settle = () => {};
  const all = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const announce = (addresses: Address[]) => {
    for (const line of describeAddresses(addresses, dataDirectory)) steps.say(line);
  };
  if (names.length > 0)
    void steps
      .run(`starting ${names.join(" and ")}`, () => all, `${names.join(" and ")} started`)
      .then(() => {
        announce([...ready.values()]);
        output.show();
      });
  return {
    noteReady(name: string, address: Address) {
      const isLater = ready.size === names.length;
      ready.set(name, address);
      if (isLater) announce([address]);
      else if (ready.size === names.length) settle();
    },
  };
}

/** The sign-in address goes to whoever started it and into no log. */
function describeAddresses(addresses: Address[], dataDirectory: string): string[] {
  const served = addresses.filter(({ url }) => url);
  if (served.length === 0) return [];
  return [
    "",
    ...served.flatMap(({ url, signInUrl }) => [
      `  Codeshelf is ready: ${url}`,
      ...(signInUrl ? [`  Log in, once in each browser: ${signInUrl}`] : []),
    ]),
    `  Data is kept in: ${dataDirectory}`,
    "  Stop it with Ctrl-C",
    "",
  ];
}

async function runRelease({ root, shutdown, output }: Launch, command: string, env: Environment) {
  const release = startChild({ command, cwd: root, env, log: output.openLog("release") });
  const stopEarly = () => void release.stop();
  shutdown.signal.addEventListener("abort", stopEarly);
  const exit = await release.exited;
  shutdown.signal.removeEventListener("abort", stopEarly);
  if (exit.code !== 0) throw new Error(`The release step ${describeExit(exit)}.\n${release.lastWords()}`);
}

function keep<T extends LocalServer>(
  { shutdown, output, pace }: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const onGiveUp = (message: string) => fail(shutdown, message);
  return keepRunning({ ...options, log: output.openLog(options.name), onGiveUp, pace });
}

/** Deferred before it has started: a stop in the middle of the start waits for it and undoes it. */
function keepUntilStop<T extends LocalServer>(
  run: Launch,
  options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
): Promise<Keeper<T>> {
  const starting = run.steps.run(
    `starting ${options.name}`,
    () => keep(run, options),
    `${options.name} started`,
  );
  run.shutdown.defer(options.name, async () => (await starting.catch(() => null))?.stop());
  return starting;
}

/** A requested stop is no failure, whatever it interrupted. */
function fail(shutdown: Shutdown, message: string) {
  if (!shutdown.signal.aborted) console.error(message);
  shutdown.begin("failure", 1);
}

/**
 * The programs of the project come first on the PATH. On the embedded default the product runs in production mode, which
 * is what it is measured and tested in; elsewhere NODE_ENV is the operator's word.
 */
function baseEnv({ root, env, dataDirectory }: Pick<Launch, "root" | "env" | "dataDirectory">): Environment {
  const { CODESHELF_EMBEDDED: _, ...rest } = env;
  const embedded = !env.MONGODB_URI;
  return {
    ...rest,
    NODE_ENV: env.NODE_ENV || (embedded ? "production" : undefined),
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
