import { dirname } from "node:path";
import type { Account } from "#platform/processes/accounts.ts";

/** Everything that a process may see and use on the machine. */
export type Confinement = {
  /** The only visible files and directories, each at its own path. */
  readOnly: readonly string[];
  writable: readonly string[];
  devices: readonly string[];
  network: boolean;
  /** The user that it becomes if the worker is root. */
  account: Account | null;
  /** Arguments of prlimit. */
  limits: readonly string[];
  /** The descriptor that passes the filter of system calls. */
  filterFd: number;
};

/** Lists the directories above the paths, outer ones first. */
export function listParents(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  const add = (path: string) => {
    const parent = dirname(path);
    if (parent === path || parent === "/" || parents.has(parent)) return;
    add(parent);
    parents.add(parent);
  };
  for (const path of paths) add(path);
  return [...parents];
}

export const UNSHARE = "/usr/bin/unshare";
export const SETPRIV = "/usr/bin/setpriv";
export const PRLIMIT = "/usr/bin/prlimit";

const NO_CAPABILITY = ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"];

/** Drops the user, its groups and every capability for good, then sets limits, by two programs inside. */
export function toPrivilegeDropArguments(
  { account, limits }: Pick<Confinement, "account" | "limits">,
  hasCapabilities: boolean,
): string[] {
  const user = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"] : [];
  return [
    SETPRIV,
    ...user,
    ...(hasCapabilities ? NO_CAPABILITY : []),
    "--no-new-privs",
    "--",
    ...(limits.length > 0 ? [PRLIMIT, ...limits, "--"] : []),
  ];
}
