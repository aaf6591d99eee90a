import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Writable } from "node:stream";
import { isRoot } from "#platform/processes/accounts.ts";
import { SANDBOX_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import { buildBubblewrapArguments } from "./bubblewrap.ts";
import { type Confinement, toPrivilegeDropArguments } from "./confinement.ts";
import { buildSeccompFilter, type FilterKind } from "./seccomp.ts";
import { buildUnshareArguments, buildUnshareNetworkArguments } from "./unshare.ts";

/** A way to isolate a process, with the layers that it provides. */
export type IsolationMethod = {
  name: string;
  layers: readonly SandboxLayer[];
  /** The arguments before the command. */
  words(confinement: Confinement): string[];
  /** Passed to the command on descriptor `filterFd`. */
  filter: Buffer | null;
  /** Its command lowers the priority itself, because that is not possible from outside for a group of processes. */
  lowersPriority?: boolean;
  /** The process starts as root and drops root itself. */
  givesUpRootLate?: boolean;
};

const NOT_FILTERED: readonly SandboxLayer[] = SANDBOX_LAYERS.filter((name) => name !== "syscalls");

/** Lists the methods from strongest to weakest. */
export function listMethods(kind: FilterKind): IsolationMethod[] {
  const filter = buildSeccompFilter(kind);
  const bubblewrap: IsolationMethod = {
    name: "bubblewrap",
    layers: filter ? SANDBOX_LAYERS : NOT_FILTERED,
    words: (confinement) => buildBubblewrapArguments(confinement, filter !== null),
    filter,
  };
  const unfiltered: IsolationMethod = {
    ...bubblewrap,
    name: "bubblewrap-unfiltered",
    layers: NOT_FILTERED,
    words: (confinement) => buildBubblewrapArguments(confinement, false),
    filter: null,
  };
  const unshare: IsolationMethod = {
    name: "unshare",
    layers: NOT_FILTERED,
    words: buildUnshareArguments,
    filter: null,
  };
  return [bubblewrap, ...(filter ? [unfiltered] : []), unshare];
}

/** For programs that need no file system of their own, because they read only what everyone may read. */
export function listWeakMethods(): IsolationMethod[] {
  return [
    {
      name: "unshare-network",
      layers: ["limits", "user", "network", "privileges"],
      words: buildUnshareNetworkArguments,
      filter: null,
    },
    {
      name: "setpriv",
      // Only root can change its user.
      layers: isRoot() ? ["limits", "user", "privileges"] : ["limits", "privileges"],
      words: (confinement) =>
        toPrivilegeDropArguments(
          confinement.account ? confinement : removeProcessLimit(confinement),
          confinement.account !== null,
        ),
      filter: null,
    },
  ];
}

/** The limit of processes counts all processes of a user, so it is only set for a separate user. */
const removeProcessLimit = (confinement: Confinement): Confinement => ({
  ...confinement,
  limits: confinement.limits.filter((option) => !option.startsWith("--nproc=")),
});

const TRY_MS = 10_000;

/** Checks if a command works on this machine with this method. */
export async function canUseMethod(
  { filter }: IsolationMethod,
  [command = "", ...words]: readonly string[],
  { filterFd, env }: { filterFd: number; env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const stdio: ("ignore" | "pipe")[] = Array(filterFd).fill("ignore");
  const child = spawn(command, words, {
    stdio: filter ? [...stdio, "pipe"] : stdio,
    env,
    cwd: "/",
    timeout: TRY_MS,
    killSignal: "SIGKILL",
  });
  sendFilter(child, filterFd, filter);
  try {
    const [code] = await once(child, "close");
    return code === 0;
  } catch {
    return false;
  }
}

/** A command that ends without reading the filter is noticed by its end, so write errors are ignored. */
export function sendFilter(child: ChildProcess, filterFd: number, filter: Buffer | null): void {
  if (!filter) return;
  const pipe = child.stdio[filterFd];
  if (!(pipe instanceof Writable)) return;
  pipe.on("error", () => {});
  pipe.end(filter);
}
