import { existsSync } from "node:fs";
import { type Account, createProgramAccounts, isRoot } from "#platform/processes/accounts.ts";
import { SANDBOX_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import type { Confinement } from "#worker/isolation/confinement.ts";
import { type IsolationMethod, listMethods, listWeakMethods, tryMethod } from "#worker/isolation/methods.ts";
import { NO_ENVIRONMENT, RANDOM_SOURCE, READ_PATHS } from "./program.ts";

/**
 * What the operating system adds around the child, beyond the isolate and Node's own permissions. Which layers exist depends
 * on the machine: the strongest way to start a process that works here is used.
 */
export type Layers = {
  method: IsolationMethod;
  /** Another user for each process. Null where the worker is not root, or knows no other number. */
  nextAccount: (() => Account) | null;
  missing: SandboxLayer[];
};

/** After what a child is started with: its channel, the snapshot and the code. */
export const FILTER_FD = 6;
const LOW_PRIORITY = 10;
const NICE = ["/usr/bin/nice", "-n", String(LOW_PRIORITY)];

const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/etc/ld.so.cache"];
const KIB = 1024;
/** What V8 keeps free for machine code, for each isolate. The kernel counts it as data, used or not. */
const CODE_RANGE_KIB = (process.arch === "x64" ? 512 : 128) * KIB;
/** Node's own, Python's, and that of a JavaScript program. */
const ISOLATES_MAX = 3;
const DATA_KIB = 1_100_000 + ISOLATES_MAX * CODE_RANGE_KIB;
const LIMITS = { c: 0, n: 64, s: 32_768, d: DATA_KIB };
/** A process has five threads. Every program is another user, whose threads alone are counted. */
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

/** What a child sees: its program, the libraries of the machine and a source of randomness. Nothing is writable. */
export function confineProgram(account: Account | null): Confinement {
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

/** The words before a child's own command. */
export function wrapProgram({ method }: Layers, account: Account | null): string[] {
  return method.words(confineProgram(account));
}

export async function findLayers(methods = listProgramMethods()): Promise<Layers> {
  const nextAccount = createProgramAccounts();
  for (const method of methods) {
    const layers = { method, nextAccount, missing: listMissing(method, nextAccount) };
    const command = [...wrapProgram(layers, nextAccount?.() ?? null), ...TRIAL];
    if (await tryMethod(method, command, { filterFd: FILTER_FD, env: NO_ENVIRONMENT })) return layers;
  }
  throw new Error("No process can be started here");
}

/** Reads everything that a child has to read. */
const TRIAL = [
  process.execPath,
  "-e",
  `for (const path of ${JSON.stringify(READ_PATHS.filter((path) => existsSync(path)))}) fs.accessSync(path, fs.constants.R_OK)`,
];

function listMissing({ layers }: IsolationMethod, nextAccount: Layers["nextAccount"]): SandboxLayer[] {
  const userless = isRoot() && nextAccount === null;
  return SANDBOX_LAYERS.filter((name) => !layers.includes(name) || (userless && name === "user"));
}

export function listProgramMethods(): IsolationMethod[] {
  const gently = (method: IsolationMethod): IsolationMethod => ({
    ...method,
    lowersPriority: true,
    words: (confinement) => [...NICE, ...method.words(confinement)],
  });
  return [...[...listMethods("program"), ...listWeakMethods()].map(gently), ...listPlainMethods()];
}

/**
 * For machines without setpriv and prlimit, and for a root whose files are closed to everyone else: the process loads as root
 * and then becomes another user, before it says that it is ready.
 */
function listPlainMethods(): IsolationMethod[] {
  const limits = shellWith({ f: 0, ...LIMITS });
  const user: SandboxLayer[] = isRoot() ? ["user"] : [];
  const plain = { filter: null, givesUpRootLate: isRoot() };
  const unshare = ["/usr/bin/unshare", ...(isRoot() ? [] : ["-r"]), "-n", "-i", "-u", "--"];
  return [
    {
      ...plain,
      name: "shell-network",
      layers: ["limits", "user", "network"],
      words: () => [...unshare, ...limits],
    },
    { ...plain, name: "shell", layers: ["limits", ...user], words: () => limits },
    { ...plain, name: "none", layers: user, words: () => [] },
  ];
}

function shellWith(limits: Record<string, number>): string[] {
  const set = Object.entries(limits).map(([option, value]) => `ulimit -${option} ${value}`);
  return ["/bin/sh", "-c", `${set.join(" && ")} && exec "$@"`, "sh"];
}
