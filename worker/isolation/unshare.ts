import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type Confinement,
  listParents,
  PRLIMIT,
  SETPRIV,
  toPrivilegeDropArguments,
  UNSHARE,
} from "./confinement.ts";

/** A directory on every Linux that contains none of the visible files. */
const NEW_ROOT = "/sys";
const OLD_ROOT = ".old";
const UMOUNT = "/bin/umount";

/**
 * Returns the arguments that start a command in its own namespaces without bubblewrap: a shell builds the visible files, leaves
 * the machine's files, starts the command and waits for it. The shell is the first process inside and out of the program's
 * reach. If the worker dies, the kernel kills unshare, then the shell, and with it everything inside.
 */
export function buildUnshareArguments(confinement: Confinement): string[] {
  const { network, account } = confinement;
  return [
    ...[SETPRIV, "--pdeathsig=KILL", "--"],
    ...[UNSHARE, "--fork", "--kill-child=KILL", "--propagation=private"],
    ...(account ? [] : ["--map-root-user"]),
    ...["--mount", "--pid", "--ipc", "--uts", "--cgroup", ...(network ? [] : ["--net"])],
    "--",
    ...["/bin/sh", "-c", buildViewScript(confinement), "sh"],
    ...toPrivilegeDropArguments(confinement, true),
  ];
}

/** Like `buildUnshareArguments` without separate files: the machine's files and processes stay visible. */
export function buildUnshareNetworkArguments(confinement: Confinement): string[] {
  return [
    ...[UNSHARE, ...(confinement.account ? [] : ["--map-root-user"]), "--net", "--ipc", "--uts", "--"],
    ...toPrivilegeDropArguments(confinement, true),
  ];
}

function buildViewScript({ readOnly, writable, devices }: Confinement): string {
  const visible = [...new Set([SETPRIV, PRLIMIT, UMOUNT, ...readOnly])];
  const allPaths = [...visible, ...devices, ...writable];
  const directories = allPaths.filter(isDirectory);
  const files = allPaths.filter((path) => !isDirectory(path));
  const newPaths = [...listParents(allPaths), ...directories, `/${OLD_ROOT}`, "/proc"].map(inNewRoot);
  const mount = (options: string) => (path: string) =>
    `mount -o ${options} ${quote(path)} ${inNewRoot(path)}`;
  return [
    "set -e",
    "given=$PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin",
    `mount -t tmpfs -o mode=0755,nosuid,nodev none ${NEW_ROOT}`,
    `mkdir -p ${newPaths.join(" ")}`,
    ...(files.length > 0 ? [`touch ${files.map(inNewRoot).join(" ")}`] : []),
    ...visible.map(mount("bind,ro,nosuid,nodev")),
    ...[...devices, ...writable].map(mount("bind")),
    `mount -o remount,bind,ro,nosuid,nodev ${NEW_ROOT}`,
    `cd ${NEW_ROOT}`,
    `pivot_root . ${OLD_ROOT}`,
    // umount needs /proc, so /proc is unmounted last.
    `/${OLD_ROOT}/bin/mount -n -o bind /${OLD_ROOT}/proc /proc`,
    `${UMOUNT} -n -l /${OLD_ROOT}`,
    `${UMOUNT} -n -l /proc`,
    "cd /",
    "PATH=$given",
    "set +e",
    '"$@"',
    // Keeps the shell alive: without a further command it would replace itself by the program.
    "exit $?",
  ].join("\n");
}

const isDirectory = (path: string) => statSync(path).isDirectory();
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const inNewRoot = (path: string) => quote(join(NEW_ROOT, path));
