import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startPostgres } from "#db/local/postgres/postgres.ts";
import { readNobodyAccount, toStartOptions } from "#db/local/postgres/postgres-account.ts";
import { findPostgresBinaries } from "#db/local/postgres/postgres-binaries.ts";
import { freePort } from "#db/local/processes/free-port.ts";
import { required } from "#domain/required.ts";
import { isRoot, POSTGRES_ACCOUNT } from "#platform/processes/accounts.ts";
import { changeOwner } from "#platform/processes/change-owner.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { leash } from "#tests/support/programs/leash.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { directoryOfFile, temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startedIn(directory: string, lines: string[] = []) {
  const server = await startPostgres({ directory, log: (line) => lines.push(line), durable: false });
  const takeOff = leash(server.pid);
  onTestFinished(() => server.stop().finally(takeOff));
  return server;
}

/** A launcher in its own process, which prints what it has started and runs until it is killed. */
function launcher(directory: string) {
  const script = `
    import { startPostgres } from ${JSON.stringify(pathToFileURL(join(PROJECT_ROOT, "db/local/postgres/postgres.ts")).href)};
    const server = await startPostgres({ directory: process.argv[1], log: () => {}, durable: false });
    console.log("started", server.pid, server.url);`;
  return run(process.execPath, ["--input-type=module-typescript", "-e", script, directory], {
    cwd: PROJECT_ROOT,
  });
}

/** The first test that starts a server makes it: that takes longer than these tests. */
const home = join(directoryOfFile("postgres"), "it's a private home");
mkdirSync(home, { mode: 0o700 });
const directory = join(home, "postgres");

describe("the embedded PostgreSQL", () => {
  it("starts below a private directory with a space in its name and keeps its rows between starts", async () => {
    const first = await startedIn(directory);
    await ask(first.url, "CREATE TABLE stopped AS SELECT 42 AS answer");
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await startedIn(directory);

    expect(await ask(second.url, "SELECT answer FROM stopped")).toEqual([{ answer: 42 }]);
    expect(second.url).toBe(first.url);
  });

  it("refuses everyone without the password, which only its owner can read", async () => {
    const server = await startedIn(directory);
    expect(await ask(server.url, "SHOW password_encryption")).toEqual([
      { password_encryption: "scram-sha-256" },
    ]);

    const guess = Object.assign(new URL(server.url), { password: "guess" }).href;

    await expect(ask(guess, "SELECT 1")).rejects.toThrow("password authentication failed");
    expect(statSync(join(directory, "password")).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "cluster")).mode & 0o077).toBe(0);
    expect(await ask(server.url, "SHOW unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
    expect(await ask(server.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  });

  itInFullRun("is used by the next start when its launcher was killed", async () => {
    const directory = join(await temporaryDirectory("postgres"), "postgres");
    const killed = launcher(directory);
    const [, pid, url] = await killed.line(/^started (\d+) (.*)$/);
    killed.child.kill("SIGKILL");
    await killed.exit;

    const adopted = await startedIn(directory);

    expect([String(adopted.pid), adopted.url]).toEqual([pid, url]);
    // Its complaint goes to an output that nobody reads any more.
    await expect(ask(adopted.url, "SELECT 1/0")).rejects.toThrow("division by zero");
    expect(await ask(adopted.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const identity = readIdentity(adopted.pid);
    await adopted.stop();
    await ended(identity);
  });

  it("restarts at the same address with every committed row after being killed", async () => {
    const first = await startedIn(directory);
    await ask(first.url, "CREATE TABLE killed AS SELECT 42 AS answer");
    process.kill(first.pid, "SIGKILL");
    expect(await first.exited).toEqual({ code: null, signal: "SIGKILL" });

    const second = await startedIn(directory);

    expect(second.url).toBe(first.url);
    expect(await ask(second.url, "SELECT answer FROM killed")).toEqual([{ answer: 42 }]);
  });

  itInFullRun("starts even if another process has the old server's pid", async () => {
    const directory = join(await temporaryDirectory("postgres"), "postgres");
    const first = await startedIn(directory);
    const pidFile = join(directory, "cluster", "postmaster.pid");
    const [, ...rest] = (await readFile(pidFile, "utf8")).split("\n");
    await first.stop();
    writeFileSync(pidFile, [process.pid, ...rest].join("\n"));

    const second = await startedIn(directory);

    expect(await ask(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  itInFullRun("starts over if making its files was interrupted", async () => {
    const directory = join(await temporaryDirectory("postgres"), "postgres");
    const unfinished = join(directory, "cluster-unfinished-abc");
    await mkdir(unfinished, { recursive: true });
    writeFileSync(join(unfinished, "PG_VERSION"), "18\n");

    const server = await startedIn(directory);

    expect(await ask(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(readdirSync(directory).sort()).toEqual(["cluster", "password", "port"]);
  });

  it.runIf(isRoot() && isFullRun)("runs as a user of its own, who also owns its files", async () => {
    const directory = join(await temporaryDirectory("postgres"), "postgres");
    const server = await startedIn(directory);
    expect(statSync(`/proc/${server.pid}`).uid).toBe(POSTGRES_ACCOUNT.uid);
    const files = readdirSync(join(directory, "cluster"), { recursive: true, encoding: "utf8" });
    expect(files).toContain("pg_hba.conf");
    const owners = files.map((name) => lstatSync(join(directory, "cluster", name)).uid);
    expect(new Set(owners)).toEqual(new Set([POSTGRES_ACCOUNT.uid]));
    expect(statSync(join(directory, "password")).uid).toBe(0);
  });

  it.runIf(isRoot() && isFullRun)(
    "takes over the files of a server that ran as the user nobody, and nothing else",
    async () => {
      const directory = join(await temporaryDirectory("postgres"), "postgres");
      const cluster = join(directory, "cluster");
      const first = await startedIn(directory);
      await ask(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
      await first.stop();
      await changeOwner(cluster, POSTGRES_ACCOUNT.uid, readNobodyAccount());
      expect(statSync(join(cluster, "pg_hba.conf")).uid).toBe(readNobodyAccount().uid);
      const foreign = join(directory, "of-root");
      writeFileSync(foreign, "");
      linkSync(foreign, join(cluster, "planted"));
      symlinkSync(foreign, join(cluster, "pointing"));

      const second = await startedIn(directory);

      expect(statSync(`/proc/${second.pid}`).uid).toBe(POSTGRES_ACCOUNT.uid);
      expect(statSync(join(cluster, "base")).uid).toBe(POSTGRES_ACCOUNT.uid);
      expect(statSync(foreign).uid).toBe(0);
      expect(await ask(second.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
    },
  );

  it.runIf(isRoot() && isFullRun)(
    "ends a server that still runs as nobody, and starts it as its own user",
    async () => {
      const directory = join(await temporaryDirectory("postgres"), "postgres");
      const cluster = join(directory, "cluster");
      await (await startedIn(directory)).stop();
      await changeOwner(cluster, POSTGRES_ACCOUNT.uid, readNobodyAccount());
      const { postgres } = await findPostgresBinaries(readNobodyAccount());
      const port = String(await freePort());
      const { dataArguments, spawnOptions } = toStartOptions(cluster, readNobodyAccount());
      const settings = [
        "-c",
        `port=${port}`,
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
      ];
      const old = spawn(postgres, [...dataArguments, ...settings], { ...spawnOptions, stdio: "ignore" });
      const takeOff = leash(required(old.pid));
      const gone = once(old, "exit").finally(takeOff);
      const url = `postgres://codeshelf:${await readFile(join(directory, "password"), "utf8")}@127.0.0.1:${port}/postgres`;
      await vi.waitFor(() => ask(url, "SELECT 1"), { timeout: 20_000 });

      const server = await startedIn(directory);

      await gone;
      expect(server.pid).not.toBe(old.pid);
      expect(statSync(`/proc/${server.pid}`).uid).toBe(POSTGRES_ACCOUNT.uid);
      expect(await ask(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    },
  );

  it("says why it cannot start", async () => {
    await (await startedIn(directory)).stop();
    const settings = join(directory, "cluster", "postgresql.conf");
    const before = await readFile(settings, "utf8");
    onTestFinished(() => writeFileSync(settings, before));
    writeFileSync(settings, "no_such_setting = on\n");

    const start = startPostgres({ directory, log: () => {} });

    await expect(start).rejects.toThrow(/did not start in .*no_such_setting/s);
  });
});
