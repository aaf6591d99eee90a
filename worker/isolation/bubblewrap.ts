import { type Confinement, giveUpPrivileges, listParents, PRLIMIT, SETPRIV } from "./confinement.ts";

const BUBBLEWRAP = "/usr/bin/bwrap";
/** The user inside, where the worker is not root. To the kernel it is the worker's own user. */
const INNER_ID = "60600";
/** The capabilities that setpriv needs in order to give up all of them. */
const TO_GIVE_UP = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];

/**
 * The words that start a command under bubblewrap. No program can touch its first process inside. When the worker or
 * bubblewrap dies, the kernel kills that process and everything below it.
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
