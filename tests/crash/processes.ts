/** Finds the processes of a running product below its launcher in /proc by their command lines. */

import { readdirSync, readFileSync } from "node:fs";
import { required } from "#domain/required.ts";
import { givenMongoDB } from "#tests/support/databases/given-mongodb.ts";

const COMMANDS = {
  web: /app\/server\.ts/,
  worker: /worker\/index\.ts/,
  engine: /db\/engine\/main\.ts/,
  postgres: /postgres(\s.*)?\s-D\s/,
};

export type ProcessName = keyof typeof COMMANDS;
/** The processes that a launcher starts in this run; a server named by TEST_MONGODB_URI is none of them. */
export const PROCESS_NAMES = (Object.keys(COMMANDS) as ProcessName[]).filter(
  (name) => name !== "engine" || !givenMongoDB,
);

export const isProcessName = (name: string): name is ProcessName =>
  PROCESS_NAMES.some((candidate) => candidate === name);

export function findPid(launcherPid: number, name: ProcessName): number | null {
  return listDescendants(launcherPid).find(({ command }) => COMMANDS[name].test(command))?.pid ?? null;
}

type ListedProcess = { pid: number; parent: number; command: string };

export function listDescendants(launcherPid: number): ListedProcess[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(listed);
  const below = (pid: number): ListedProcess[] => {
    const own = all.filter(({ parent }) => parent === pid);
    return [...own, ...own.flatMap((child) => below(child.pid))];
  };
  return below(launcherPid);
}

/** Empty for a process that has ended since its name was read. */
function listed(name: string): ListedProcess[] {
  try {
    const parent = Number(
      required(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)).split(" ")[1],
    );
    const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(name), parent, command }];
  } catch {
    return [];
  }
}
