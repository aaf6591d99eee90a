/**
 * An embedded PostgreSQL server, if DATABASE_URL is not set: the programs come from npm, the data is in the given directory, it
 * listens only on 127.0.0.1 and requires the password beside the data from every client. It has its own process group and
 * outlives a killed launcher; the next start adopts it.
 */

import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#db/local/processes/free-port.ts";
import {
  awaitExit,
  awaitProcessEnd,
  createLineBuffer,
  describeExit,
  type LineLog,
  type LocalServer,
  type ServerExit,
  stopProcess,
} from "#db/local/processes/server-process.ts";
import { required } from "#domain/required.ts";
import { type Account, serverAccount, toStartOptions } from "./postgres-account.ts";
import { findRunningPostmaster } from "./postgres-adoption.ts";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { changeClusterOwner, ensureCluster, ROLE } from "./postgres-cluster.ts";

type PostgresServer = LocalServer & { url: string };

type PostgresOptions = {
  directory: string;
  log: LineLog;
  /** False disables safety against power loss for speed, for data of tests. */
  durable?: boolean;
};

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "",
  log_checkpoints: "off",
};

const THROWAWAY_SETTINGS = { fsync: "off", full_page_writes: "off" };

/** Fast shutdown, immediate shutdown, then kill. Each is safe, because the next start recovers from the log. */
const STOP_STEPS = [
  ["SIGINT", 15_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
] as const;

/** Temporary problems: a port taken in between, or processes of a killed server that have not ended yet. */
const TEMPORARY_PROBLEM =
  /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const ATTEMPTS = 20;
const RETRY_MS = 250;

export async function startPostgres({
  directory,
  log,
  durable = true,
}: PostgresOptions): Promise<PostgresServer> {
  const account = serverAccount(join(directory, "cluster"));
  const binaries = await findPostgresBinaries(account);
  const { cluster, password } = await ensureCluster({ directory, binaries, account, durable });
  const urlAt = (port: number) => `postgres://${ROLE}:${password}@127.0.0.1:${port}/postgres`;

  const running = await findRunningPostmaster(cluster, urlAt);
  if (running && isOwnedBy(running.pid, account)) {
    log(`adopted the running server, process ${running.pid}`);
    return toServer(running.pid, awaitProcessEnd(running), urlAt(running.port));
  }
  if (running) {
    log(`ending the running server, process ${running.pid}: it is another user's`);
    await stopProcess(running.pid, awaitProcessEnd(running), STOP_STEPS);
  }
  await changeClusterOwner(directory, account);
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(directory);
    const result = await spawnServer({ cluster, binaries, account, port, log, durable });
    if (!("trouble" in result)) {
      await writeFile(join(directory, "port"), String(port), { mode: 0o600 });
      return toServer(result.pid, result.exited, urlAt(port));
    }
    if (!TEMPORARY_PROBLEM.test(result.trouble) || attempt === ATTEMPTS) {
      throw new Error(`PostgreSQL did not start in ${directory}: ${result.trouble}`);
    }
    await delay(RETRY_MS);
  }
}

function isOwnedBy(pid: number, account: Account | null): boolean {
  return account === null || statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === account.uid;
}

/** Returns the last port if it is free, so that addresses survive a restart. */
async function choosePort(directory: string): Promise<number> {
  const file = join(directory, "port");
  return freePort(existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
}

function toServer(pid: number, exited: Promise<ServerExit>, url: string): PostgresServer {
  return { url, pid, exited, stop: () => stopProcess(pid, exited, STOP_STEPS) };
}

type SpawnOptions = {
  cluster: string;
  binaries: PostgresBinaries;
  account: Account | null;
  port: number;
  log: LineLog;
  durable: boolean;
};

/** Resolves when the server is ready, or with its last lines if it ends before. */
function spawnServer({ cluster, binaries, account, port, log, durable }: SpawnOptions) {
  const { dataArguments, spawnOptions } = toStartOptions(cluster, account);
  const settings = Object.entries({
    ...SETTINGS,
    ...(durable ? {} : THROWAWAY_SETTINGS),
    port: String(port),
  });
  const child = spawn(
    binaries.postgres,
    [...dataArguments, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...spawnOptions, detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
  const lastLines = createLineBuffer(20);
  return new Promise<{ pid: number; exited: Promise<ServerExit> } | { trouble: string }>(
    (resolve, reject) => {
      child.once("error", reject);
      const exited = awaitExit(child);
      const lines = createInterface({ input: required(child.stderr, "error output of PostgreSQL") });
      lines.on("line", (line) => {
        lastLines.add(line);
        log(line);
        if (line.includes("database system is ready to accept connections"))
          resolve({ pid: required(child.pid, "process of PostgreSQL"), exited });
      });
      child.once("close", () => {
        void exited.then((exit) => resolve({ trouble: `it ${describeExit(exit)}\n${lastLines.text()}` }));
      });
    },
  );
}
