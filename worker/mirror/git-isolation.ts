import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { Log } from "#platform/log.ts";
import { type Account, GIT_ACCOUNT, isMapped, isRoot } from "#platform/processes/accounts.ts";
import { changeOwner } from "#platform/processes/change-owner.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";
import type { Confinement } from "#worker/isolation/confinement.ts";
import { type IsolationMethod, listMethods, tryMethod } from "#worker/isolation/methods.ts";

/**
 * git reads what strangers wrote. It sees the machine's programs, what it needs to find and trust a host, and one mirror; it
 * has a network only while it speaks to a remote, and where the worker is root it is a user of its own.
 */
export type GitIsolation = { method: IsolationMethod; account: Account | null };
type GitView = {
  cwd: string;
  network: boolean;
  /** Beyond the machine's own: a certificate's file, a repository on this machine. */
  readOnly: readonly string[];
  path: string;
};

/** After its input, outputs and the pipe that it ends with. */
export const GIT_FILTER_FD = 4;
export const LOCAL_REMOTES_CONFIG = resolve(import.meta.dirname, "local-remotes.gitconfig");

const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache"];
const HOSTS = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf"];
const CERTIFICATES = ["/etc/ssl", "/etc/pki", "/etc/ca-certificates"];
const PROCESSES_MAX = 512;

export function confineGit(view: GitView, account: Account | null): Confinement {
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

/** Where git is installed beside the machine's other programs it is shown too. */
function findGitDirectory(path: string): string[] {
  const directory = path.split(delimiter).find((each) => existsSync(join(each, "git")));
  const shown =
    directory === undefined ||
    PROGRAMS.some((each) => directory.startsWith(`${each}/`) || directory === each);
  return shown ? [] : [directory];
}

/** The strongest way that works on this machine, found by trying, or null; the log says which. */
export async function findGitIsolation(log: Log, methods = listMethods("git")): Promise<GitIsolation | null> {
  const account = isRoot() && isMapped(GIT_ACCOUNT) ? GIT_ACCOUNT : null;
  const path = process.env.PATH ?? "/usr/bin:/bin";
  for (const method of methods) {
    const words = method.words(confineGit({ cwd: tmpdir(), network: true, readOnly: [], path }, account));
    const tried = { filterFd: GIT_FILTER_FD, env: childEnvironment({ PATH: path }) };
    if (!(await tryMethod(method, [...words, "/bin/sh", "-c", "git version"], tried))) continue;
    log.info("git_isolated", { method: method.name });
    return { method, account };
  }
  log.warn("git_not_isolated", { jobs: ["repo_sync"] });
  return null;
}

/** A mirror belongs to whoever git is: it may have been made before git had a user of its own. */
export async function makeMirrorDirectory(path: string, isolation: GitIsolation | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (!isolation?.account) return;
  const { uid } = await stat(path);
  if (uid !== isolation.account.uid) await changeOwner(path, uid, isolation.account);
}
