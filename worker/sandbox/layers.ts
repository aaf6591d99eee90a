import { existsSync } from "node:fs";
import { type Account, createProgramAccounts, isRoot } from "#platform/processes/accounts.ts";
import { SANDBOX_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import type { Confinement } from "#worker/isolation/confinement.ts";
import {
  canUseMethod,
  type IsolationMethod,
  listMethods,
  listWeakMethods,
} from "#worker/isolation/methods.ts";
import { NO_ENVIRONMENT, RANDOM_SOURCE, READ_PATHS } from "./program.ts";

/**
 * Protections by the operating system around the child, in addition to the isolate and Node's permissions. Which layers exist
 * depends on the machine: the strongest method that works here is used.
 */
export type Layers = {
  method: IsolationMethod;
  /** Gives each process another user. Null if the worker is not root or can use no other number. */
  nextAccount: (() => Account) | null;
  missing: SandboxLayer[];
};

/** After the descriptors of every child: its channel, the snapshot and the code. */
export const FILTER_FD = 6;
const LOW_PRIORITY = 10;
const NICE = ["/usr/bin/nice", "-n", String(LOW_PRIORITY)];

const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/etc/ld.so.cache"];
const KIB = 1024;
/** V8 reserves this for machine code per isolate. The kernel counts it as data, used or not. */
const CODE_RANGE_KIB = (process.arch === "x64" ? 512 : 128) * KIB;
/** Node's own, Python's, and a JavaScript program's. */
const ISOLATES_MAX = 3;
const DATA_KIB = 1_100_000 + ISOLATES_MAX * CODE_RANGE_KIB;
const LIMITS = { c: 0, n: 64, s: 32_768, d: DATA_KIB };
/** A process has five threads. Each program has its own user, so only its threads are counted. */
const THREADS_MAX = 32;
const PRLIMIT_OPTIONS = [
  "--core=0",
  "--fsize=0",
  "--memlock=0",
  "--msgqueue=0",
  `--nproc=${THREADS_MAX}`,
  `--nofile=${LIMITS.n}`,
  `--stack=${LIMITS.s * KIB}`,
  `--data=${LIMITS.d * KIB}`,
];

/** Shows the child its program, the machine's libraries and a source of randomness. Nothing is writable. */
export function toProgramConfinement(account: Account | null): Confinement {
  return {
    readOnly: [...LIBRARIES, process.execPath, ...READ_PATHS].filter((path) => existsSync(path)),
    writable: [],
    devices: ["/dev/null", RANDOM_SOURCE],
    network: false,
    account,
    limits: PRLIMIT_OPTIONS,
    filterFd: FILTER_FD,
  };
}

/** Returns the arguments before a child's command. */
export function wrapProgram({ method }: Layers, account: Account | null): string[] {
  return method.words(toProgramConfinement(account));
}

export async function findLayers(methods = listProgramMethods()): Promise<Layers> {
  const nextAccount = createProgramAccounts();
  for (const method of methods) {
    const layers = { method, nextAccount, missing: listMissingLayers(method, nextAccount) };
    const command = [...wrapProgram(layers, nextAccount?.() ?? null), ...TRIAL];
    if (await canUseMethod(method, command, { filterFd: FILTER_FD, env: NO_ENVIRONMENT })) return layers;
  }
  throw new Error("No process can be started here");
}

/** Reads everything that a child must read. */
const TRIAL = [
  process.execPath,
  "-e",
  `for (const path of ${JSON.stringify(READ_PATHS.filter((path) => existsSync(path)))}) fs.accessSync(path, fs.constants.R_OK)`,
];

function listMissingLayers({ layers }: IsolationMethod, nextAccount: Layers["nextAccount"]): SandboxLayer[] {
  const lacksUser = isRoot() && nextAccount === null;
  return SANDBOX_LAYERS.filter((name) => !layers.includes(name) || (lacksUser && name === "user"));
}

export function listProgramMethods(): IsolationMethod[] {
  const withLowPriority = (method: IsolationMethod): IsolationMethod => ({
    ...method,
    lowersPriority: true,
    words: (confinement) => [...NICE, ...method.words(confinement)],
  });
  return [...[...listMethods("program"), ...listWeakMethods()].map(withLowPriority), ...listPlainMethods()];
}

/**
 * For machines without setpriv and prlimit, and for root-only installations: the process loads as root and becomes another user
 * before it reports that it is ready.
 */
function listPlainMethods(): IsolationMethod[] {
  const limits = wrapInShell({ f: 0, ...LIMITS });
  const user: SandboxLayer[] = isRoot() ? ["user"] : [];
  const plainOptions = { filter: null, givesUpRootLate: isRoot() };
  const unshare = ["/usr/bin/unshare", ...(isRoot() ? [] : ["-r"]), "-n", "-i", "-u", "--"];
  return [
    {
      ...plainOptions,
      name: "shell-network",
      layers: ["limits", "user", "network"],
      words: () => [...unshare, ...limits],
    },
    { ...plainOptions, name: "shell", layers: ["limits", ...user], words: () => limits },
    { ...plainOptions, name: "none", layers: user, words: () => [] },
  ];
}

function wrapInShell(limits: Record<string, number>): string[] {
  const commands = Object.entries(limits).map(([option, value]) => `ulimit -${option} ${value}`);
  return ["/bin/sh", "-c", `${commands.join(" && ")} && exec "$@"`, "sh"];
}
