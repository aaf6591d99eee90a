/**
 * Finds the server that a killed launcher left. `postmaster.pid` names a process; it counts as this cluster's server only if it
 * runs there, because after a restart of the machine any process may have the number.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isAlive, processStart } from "#platform/install/process-lock.mjs";
import { readError } from "#platform/read-error.ts";

const PATIENCE_MS = 30_000;
const POLL_MS = 100;

type RunningPostmaster = { pid: number; start: string; port: number };

/** Returns the running server of the cluster when it answers; null if there is none, so that a new one can start. */
export async function findRunningPostmaster(
  cluster: string,
  urlAt: (port: number) => string,
): Promise<RunningPostmaster | null> {
  const pidFile = join(cluster, "postmaster.pid");
  const deadline = Date.now() + PATIENCE_MS;
  while (existsSync(pidFile)) {
    const [pidLine, , , portLine] = readFileSync(pidFile, "utf8").split("\n");
    const pid = Number(pidLine);
    const port = Number(portLine);
    const start = processStart(pid);
    // PostgreSQL itself detects that a dead process holds no lock.
    if (start === null) return null;
    if (!isRunningIn(pid, cluster)) {
      if (isAlive({ pid, start })) rmSync(pidFile, { force: true });
      return null;
    }
    if (port && (await canConnect(urlAt(port)))) return { pid, start, port };
    if (Date.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${pid}) runs in ${cluster} but does not answer. End it and start again.`,
      );
    }
    await delay(POLL_MS);
  }
  return null;
}

/**
 * A server's working directory is its cluster. If that cannot be read (another user's process, in a container), its name is
 * checked instead, and accepting the password proves the rest.
 */
function isRunningIn(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch (error) {
    if (readError(error).code !== "EACCES") return false;
  }
  return basename(readProgramName(pid)) === "postgres";
}

function readProgramName(pid: number): string {
  if (process.platform === "linux") return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).trim();
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
