import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Log } from "#platform/log.ts";
import { type Account, GIT_ACCOUNT, isMappedAccount, isRoot } from "#platform/processes/accounts.ts";
import { changeOwner } from "#platform/processes/change-owner.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";
import type { Confinement } from "#worker/isolation/confinement.ts";
import { canUseMethod, type IsolationMethod, listMethods } from "#worker/isolation/methods.ts";

/**
 * Isolates git, because it reads what strangers wrote. It sees the machine's programs, what it needs to find and trust a host,
 * and a single mirror. It has a network only while it talks to a remote, and its own user if the worker is root.
 */
export type GitIsolation = { method: IsolationMethod; account: Account | null };
type GitView = {
  cwd: string;
  network: boolean;
  /** In addition to the machine's files: a file of certificates, or a local repository. */
  readOnly: readonly string[];
  path: string;
};

/** After stdin, stdout, stderr and the pipe that ends git. */
export const GIT_FILTER_FD = 4;
export const LOCAL_REMOTES_CONFIG = resolve(import.meta.dirname, "local-remotes.gitconfig");

const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache"];
const HOSTS = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf"];
const CERTIFICATES = ["/etc/ssl", "/etc/pki", "/etc/ca-certificates"];
const PROCESSES_MAX = 512;

export function toGitConfinement(view: GitView, account: Account | null): Confinement {
  const machine = [...PROGRAMS, ...HOSTS, ...CERTIFICATES];
  const readOnly = [...machine, ...findGitDirectory(view.path), ...view.readOnly];
  return {
    readOnly: readOnly.filter((path) => existsSync(path)),
    writable: [view.cwd],
    devices: ["/dev/null", "/dev/zero", "/dev/urandom"],
    network: view.network,
    account,
    limits: [`--nproc=${PROCESSES_MAX}`],
    filterFd: GIT_FILTER_FD,
  };
}

/** Returns the directory of a git that is installed outside the machine's usual folders. */
function findGitDirectory(path: string): string[] {
  const directory = path.split(delimiter).find((each) => existsSync(join(each, "git")));
  const isVisible =
    directory === undefined ||
    PROGRAMS.some((each) => directory.startsWith(`${each}/`) || directory === each);
  return isVisible ? [] : [directory];
}

/** Finds the strongest method that works on this machine by trying; null if none does. The log names it. */
export async function findGitIsolation(log: Log, methods = listMethods("git")): Promise<GitIsolation | null> {
  const account = isRoot() && isMappedAccount(GIT_ACCOUNT) ? GIT_ACCOUNT : null;
  const path = process.env.PATH ?? "/usr/bin:/bin";
  for (const method of methods) {
    const words = method.words(
      toGitConfinement({ cwd: tmpdir(), network: true, readOnly: [], path }, account),
    );
    const options = { filterFd: GIT_FILTER_FD, env: childEnvironment({ PATH: path }) };
    if (!(await canUseMethod(method, [...words, "/bin/sh", "-c", "git version"], options))) continue;
    log.info("git_isolated", { method: method.name });
    return { method, account };
  }
  log.warn("git_not_isolated", { jobs: ["repo_sync"] });
  return null;
}

/** Gives a mirror to git's user, because it may be older than that user. */
export async function prepareMirrorDirectory(path: string, isolation: GitIsolation | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (!isolation?.account) return;
  const { uid } = await stat(path);
  if (uid !== isolation.account.uid) await changeOwner(path, uid, isolation.account);
}
