/**
 * Starts the embedded document engine as a process of its own, if MONGODB_URI is not set. It ends when it is stopped or when
 * its parent process dies. `running.json` beside its data contains its address for others.
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
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
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { required } from "#domain/required.ts";
import { toFields } from "#domain/typed-keys.ts";
import { isAlive, type ProcessIdentity, processStart } from "#platform/install/process-lock.mjs";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { findSocketPlace } from "./engine-socket.ts";

export type EngineServer = LocalServer & { uri: string };

export type EngineOptions = {
  directory: string;
  log: LineLog;
  /** "full": acknowledged writes survive a power loss. "normal": only a crash of the process. */
  sync?: "full" | "normal";
  /** Listens on 127.0.0.1 with a password even if a unix socket would work. */
  tcp?: boolean;
  /** Accepts commands that make it fail on purpose. */
  testCommands?: boolean;
  program?: string;
};

type RunningEngine = ProcessIdentity & { uri: string };

const STOP_STEPS = [
  ["SIGTERM", 10_000],
  ["SIGKILL", 5_000],
] as const;

const ENGINE_PROGRAM = join(PROJECT_ROOT, "db", "engine", "main.ts");

export async function startEngine(options: EngineOptions): Promise<EngineServer> {
  const {
    directory,
    log,
    sync = "full",
    tcp = false,
    testCommands = false,
    program = ENGINE_PROGRAM,
  } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await waitForAbandonedEngine(directory);
  const socket = tcp ? null : await findSocketPlace(directory);
  const commandLine = [
    program,
    ...["--data", directory],
    ...(socket ? ["--socket", socket.path] : ["--tcp", String(await choosePort(directory))]),
    ...(sync === "normal" ? ["--sync", "normal"] : []),
    ...(testCommands ? ["--test-commands"] : []),
  ];
  const child = spawn(process.execPath, commandLine, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const exited = awaitExit(child).finally(() => socket?.remove());
  const uri = await awaitReadyUri(child, exited, directory, log);
  // The channel tells the engine of this process's death; it must not keep this process alive.
  child.channel?.unref();
  const pid = required(child.pid, "process of the engine");
  await writeRunningRecord(directory, pid, uri);
  return { uri, pid, exited, stop: () => stopProcess(pid, exited, STOP_STEPS) };
}

/** Returns the address in the ready message on the engine's standard output; all other lines go to the log. */
function awaitReadyUri(
  child: ReturnType<typeof spawn>,
  exited: Promise<ServerExit>,
  directory: string,
  log: LineLog,
): Promise<string> {
  const lastLines = createLineBuffer(20);
  return new Promise((resolve, reject) => {
    const read = (line: string) => {
      const uri = parseReadyLine(line);
      if (uri) return resolve(uri);
      lastLines.add(line);
      log(line);
    };
    for (const output of [child.stdout, child.stderr])
      if (output) createInterface({ input: output }).on("line", read);
    child.once("close", () => {
      void exited.then((exit) => {
        reject(
          new Error(
            `The document engine did not start in ${directory}: it ${describeExit(exit)}\n${lastLines.text()}`,
          ),
        );
      });
    });
  });
}

function parseReadyLine(line: string): string | null {
  if (!line.startsWith("{")) return null;
  const { ready, uri } = toFields(parseJsonOrNull(line));
  return ready === true && typeof uri === "string" ? uri : null;
}

/** Returns the last port if it is free, so that addresses survive a restart. */
async function choosePort(directory: string): Promise<number> {
  const last = await readRunningRecord(directory);
  return freePort(last ? Number(new URL(last.uri).port) : 0);
}

export async function findRunningEngine(directory: string): Promise<RunningEngine | null> {
  const last = await readRunningRecord(directory);
  return last && isAlive(last) ? last : null;
}

async function readRunningRecord(directory: string): Promise<RunningEngine | null> {
  const file = join(directory, "running.json");
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : null;
}

/** The record is renamed at the end, so readers find it complete or not at all. Over TCP the address contains the password. */
async function writeRunningRecord(directory: string, pid: number, uri: string) {
  const file = join(directory, "running.json");
  const start = processStart(pid);
  if (start === null) return;
  const unfinished = `${file}-unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, JSON.stringify({ pid, start, uri } satisfies RunningEngine), { mode: 0o600 });
  await rename(unfinished, file);
}

/** An engine whose launcher was killed is about to end, and two must not open the same files. */
async function waitForAbandonedEngine(directory: string) {
  const running = await findRunningEngine(directory);
  if (running) await stopProcess(running.pid, awaitProcessEnd(running), STOP_STEPS);
}
