import { statSync } from "node:fs";
import { join } from "node:path";
import { type Confinement, giveUpPrivileges, listParents, PRLIMIT, SETPRIV, UNSHARE } from "./confinement.ts";

/** A directory that every Linux has and that none of the files shown lies in. */
const NEW_ROOT = "/sys";
const OLD_ROOT = ".old";
const UMOUNT = "/bin/umount";

/**
 * The words that start a command in namespaces of its own where bubblewrap is not installed: a shell puts together what the
 * command sees, leaves the machine's files behind, starts the command and waits for it. The shell is the first process inside
 * and no program's to touch: when the worker dies the kernel kills unshare, then the shell, and with it everything inside.
 */
export function unshareWords(confinement: Confinement): string[] {
  const { network, account } = confinement;
  return [
    ...[SETPRIV, "--pdeathsig=KILL", "--"],
    ...[UNSHARE, "--fork", "--kill-child=KILL", "--propagation=private"],
    ...(account ? [] : ["--map-root-user"]),
    ...["--mount", "--pid", "--ipc", "--uts", "--cgroup", ...(network ? [] : ["--net"])],
    "--",
    ...["/bin/sh", "-c", viewScript(confinement), "sh"],
    ...giveUpPrivileges(confinement, true),
  ];
}

/** The same without a view of its own: the machine's files and processes stay in sight. */
export function unshareNetworkWords(confinement: Confinement): string[] {
  return [
    ...[UNSHARE, ...(confinement.account ? [] : ["--map-root-user"]), "--net", "--ipc", "--uts", "--"],
    ...giveUpPrivileges(confinement, true),
  ];
}

function viewScript({ readOnly, writable, devices }: Confinement): string {
  const shown = [...new Set([SETPRIV, PRLIMIT, UMOUNT, ...readOnly])];
  const all = [...shown, ...devices, ...writable];
  const directories = all.filter(isDirectory);
  const files = all.filter((path) => !isDirectory(path));
  const made = [...listParents(all), ...directories, `/${OLD_ROOT}`, "/proc"].map(inNewRoot);
  const mount = (options: string) => (path: string) =>
    `mount -o ${options} ${quote(path)} ${inNewRoot(path)}`;
  return [
    "set -e",
    "given=$PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin",
    `mount -t tmpfs -o mode=0755,nosuid,nodev none ${NEW_ROOT}`,
    `mkdir -p ${made.join(" ")}`,
    ...(files.length > 0 ? [`touch ${files.map(inNewRoot).join(" ")}`] : []),
    ...shown.map(mount("bind,ro,nosuid,nodev")),
    ...[...devices, ...writable].map(mount("bind")),
    `mount -o remount,bind,ro,nosuid,nodev ${NEW_ROOT}`,
    `cd ${NEW_ROOT}`,
    `pivot_root . ${OLD_ROOT}`,
    // umount needs /proc, which is therefore unmounted last.
    `/${OLD_ROOT}/bin/mount -n -o bind /${OLD_ROOT}/proc /proc`,
    `${UMOUNT} -n -l /${OLD_ROOT}`,
    `${UMOUNT} -n -l /proc`,
    "cd /",
    "PATH=$given",
    "set +e",
    '"$@"',
    // Keeps the shell: a shell with nothing left to do would replace itself by the command.
    "exit $?",
  ].join("\n");
}

const isDirectory = (path: string) => statSync(path).isDirectory();
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const inNewRoot = (path: string) => quote(join(NEW_ROOT, path));
