import { type Confinement, listParents, PRLIMIT, SETPRIV, toPrivilegeDropArguments } from "./confinement.ts";

const BUBBLEWRAP = "/usr/bin/bwrap";
/** The user inside if the worker is not root. For the kernel it is the worker's own user. */
const INNER_ID = "60600";
const SETPRIV_CAPABILITIES = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];

/**
 * Returns the arguments that start a command under bubblewrap. No program can reach its first process inside. If the worker or
 * bubblewrap dies, the kernel kills that process and everything below it.
 */
export function buildBubblewrapArguments(confinement: Confinement, isFiltered: boolean): string[] {
  const { readOnly, writable, devices, network, account, filterFd } = confinement;
  const visible = [...new Set([SETPRIV, PRLIMIT, ...readOnly])];
  const bind = (option: string, paths: readonly string[]) => paths.flatMap((path) => [option, path, path]);
  const identity = account
    ? ["--cap-drop", "ALL", ...SETPRIV_CAPABILITIES.flatMap((name) => ["--cap-add", name])]
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
    ...listParents([...visible, ...devices, ...writable]).flatMap((path) => ["--dir", path]),
    ...bind("--ro-bind", visible),
    ...bind("--dev-bind", devices),
    ...bind("--bind", writable),
    ...["--remount-ro", "/", "--chdir", "/"],
    ...(isFiltered ? ["--seccomp", String(filterFd)] : []),
    "--",
    ...toPrivilegeDropArguments(confinement, true),
  ];
}
