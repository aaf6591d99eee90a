/** Starts the engine as a process for a test, in a fresh directory that `stop` removes, or in the one of the caller. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { present } from "../values/present.ts";

interface StartOptions {
  directory?: string;
  sync?: "full" | "normal";
  tcp?: boolean;
  testCommands?: boolean;
}

export interface StartedEngine {
  uri: string;
  pid: number;
  exited: Promise<unknown>;
  stop(): Promise<void>;
}

const PROGRAM = join(import.meta.dirname, "..", "main.ts");

export async function startEngine(options: StartOptions = {}): Promise<StartedEngine> {
  const { sync = "normal", tcp = false, testCommands = false } = options;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "codeshelf-engine-")));
  // A driver takes a host for a socket only if it ends in `.sock`.
  const listen = tcp ? ["--tcp", "0"] : ["--socket", join(directory, "engine.sock")];
  const words = [
    "--data",
    directory,
    ...listen,
    "--sync",
    sync,
    ...(testCommands ? ["--test-commands"] : []),
  ];
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "pipe", "ignore", "ipc"] });
  const exited = once(child, "exit");
  const firstLine = once(createInterface(present(child.stdout ?? undefined)), "line");
  const [line] = await Promise.race([firstLine, exited]);
  if (typeof line !== "string") throw new Error(`The engine ended with ${line}.`);
  return {
    uri: JSON.parse(line).uri,
    pid: present(child.pid),
    exited,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      if (!options.directory) await rm(directory, { recursive: true, force: true });
    },
  };
}
