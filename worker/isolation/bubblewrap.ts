import { type Confinement, giveUpPrivileges, listParents, PRLIMIT, SETPRIV } from "./confinement.ts";

const BUBBLEWRAP = "/usr/bin/bwrap";
/** Whom a process is inside, where the worker is not root: the kernel knows it as the worker's own user. */
const INNER_ID = "60600";
/** What setpriv needs to give all of it up. */
const TO_GIVE_UP = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];

/**
 * The words that start a command under bubblewrap. Its own first process inside is no program's to touch: when the worker or
 * bubblewrap dies it is killed by the kernel, and with it everything that it holds.
 */
export function bubblewrapWords(confinement: Confinement, filtered: boolean): string[] {
  const { readOnly, writable, devices, network, account, filterFd } = confinement;
  const shown = [...new Set([SETPRIV, PRLIMIT, ...readOnly])];
  const bind = (option: string, paths: readonly string[]) => paths.flatMap((path) => [option, path, path]);
  const identity = account
    ? ["--cap-drop", "ALL", ...TO_GIVE_UP.flatMap((name) => ["--cap-add", name])]
    : ["--unshare-user", "--uid", INNER_ID, "--gid", INNER_ID, "--cap-add", "CAP_SETPCAP"];
  return [
    BUBBLEWRAP,
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    ...identity,
    ...listParents([...shown, ...devices, ...writable]).flatMap((path) => ["--dir", path]),
    ...bind("--ro-bind", shown),
    ...bind("--dev-bind", devices),
    ...bind("--bind", writable),
    ...["--remount-ro", "/", "--chdir", "/"],
    ...(filtered ? ["--seccomp", String(filterFd)] : []),
    "--",
    ...giveUpPrivileges(confinement, true),
  ];
}
