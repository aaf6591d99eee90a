import { SANDBOX_LAYERS, type SandboxLayer } from "#platform/processes/sandbox-layers.ts";

/** Attempts of native code in the interpreter's place, the layers each of which closes the door alone, and the outcome it prints. */
type Door = { name: string; closedBy: readonly SandboxLayer[]; told: RegExp };

const door = (name: string, closedBy: readonly SandboxLayer[], told = /^E/): Door => ({
  name,
  closedBy,
  told,
});

export const DOORS: readonly Door[] = [
  // The channel and, until the process is ready, the two files it loads.
  door("descriptors", SANDBOX_LAYERS, /^3,4,5,$/),
  door("read_secret", ["files"], /^ENOENT$/),
  door("list_data", ["files"], /^ENOENT$/),
  door("read_passwd", ["files"], /^ENOENT$/),
  door("list_processes", ["files"], /^ENOENT$/),
  door("run_a_shell", ["files"], /^ENOENT$/),
  door("write_anywhere", ["files"], /^(ENOENT|EROFS|EACCES)$/),
  door("see_another", ["processes"], /^ESRCH$/),
  door("ptrace_another", ["processes", "syscalls"], /^(ESRCH|EPERM)$/),
  door("ptrace", ["syscalls"], /^EPERM$/),
  door("read_memory", ["syscalls"], /^EPERM$/),
  door("pidfd_getfd", ["syscalls"], /^EPERM$/),
  door("reach_engine", ["files", "syscalls"], /^(ENOENT|EPERM)$/),
  door("reach_postgres", ["network", "syscalls"], /^(ENETUNREACH|ECONNREFUSED|EPERM)$/),
  door("socket", ["syscalls"], /^EPERM$/),
  door("vsock", ["syscalls"], /^EPERM$/),
  door("mount", ["privileges"], /^(EPERM|ENOENT)$/),
  door("fsopen", ["privileges"], /^EPERM$/),
  door("chroot", ["privileges"], /^EPERM$/),
  door("io_uring", ["syscalls"], /^ENOSYS$/),
  door("bpf", ["syscalls"], /^EPERM$/),
  door("perf_event_open", ["syscalls"], /^EPERM$/),
  door("userfaultfd", ["syscalls"], /^EPERM$/),
  door("add_key", ["syscalls"], /^EPERM$/),
  door("request_key", ["syscalls"], /^EPERM$/),
  door("keyctl", ["syscalls"], /^EPERM$/),
  door("init_module", ["syscalls"], /^EPERM$/),
  door("kexec_load", ["syscalls"], /^EPERM$/),
  door("setns", ["syscalls"], /^EPERM$/),
  door("clone3", ["syscalls"], /^ENOSYS$/),
  door("clone_into_namespace", ["syscalls"], /^EPERM$/),
  door("unshare_user", ["syscalls"], /^EPERM$/),
  door("fork", ["syscalls"], /^EPERM$/),
  door("threads", ["limits"], /^LIMITED$/),
  door("fork_bomb", ["limits"], /^LIMITED$/),
  door("bounding_set", ["privileges"], /^EMPTY$/),
  door("new_privileges", ["privileges"], /^NEVER$/),
  door("set_groups", ["privileges"], /^EPERM$/),
  door("regain_capabilities", ["privileges"], /^EPERM$/),
  door("raise_limits", ["limits"], /^EPERM$/),
  door("become_nobody", ["privileges"], /^E(PERM|INVAL)$/),
  door("become_root", ["privileges"], /^E(PERM|INVAL)$/),
];

/** Doors that are open without any layer, which proves that the layers close them. */
export const SEEN_OPEN = [
  ...["read_secret", "list_data", "read_passwd", "list_processes", "run_a_shell", "write_anywhere"],
  ...["see_another", "reach_engine", "reach_postgres", "socket", "fork", "threads", "fork_bomb"],
  ...["new_privileges", "bounding_set"],
];
/** Doors that are open to root only. */
export const SEEN_OPEN_BY_ROOT = ["ptrace_another", "mount", "chroot", "become_root", "become_nobody"];
