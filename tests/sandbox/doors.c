/*
 * Runs in the place of the interpreter's process and tries every door from outside V8 by its own system calls.
 * Prints one line per door: its name and the outcome, "open" or the name of the error.
 * Arguments: a secret file, a unix socket, a TCP port, the pid of another process, a directory to write and mount in.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_TRIED 200

static void tell(const char *door, long result) {
  printf("%s %s\n", door, result < 0 ? strerrorname_np(errno) : "open");
  fflush(stdout);
}

static long connect_to(int family, struct sockaddr *address, socklen_t length) {
  int descriptor = socket(family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  long result = connect(descriptor, address, length);
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

static void try_files(const char *secret, const char *directory) {
  char path[4096];
  tell("read_secret", open(secret, O_RDONLY));
  tell("list_data", opendir(directory) ? 0 : -1);
  tell("read_passwd", open("/etc/passwd", O_RDONLY));
  tell("list_processes", open("/proc/1/status", O_RDONLY));
  tell("run_a_shell", access("/bin/sh", X_OK));
  const char *places[] = {directory, "/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/usr/lib", "/run", "."};
  long written = -1;
  int error = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s/codeshelf-door", places[i]);
    int descriptor = open(path, O_CREAT | O_WRONLY, 0600);
    if (descriptor < 0) {
      if (!error) error = errno;
      continue;
    }
    written = 0;
    close(descriptor);
    unlink(path);
  }
  errno = error;
  tell("write_anywhere", written);
}

static void try_processes(pid_t other) {
  struct iovec here = {malloc(8), 8}, there = {(void *)0x1000, 8};
  tell("see_another", kill(other, 0));
  long attached = ptrace(PTRACE_ATTACH, other, 0, 0);
  tell("ptrace_another", attached);
  if (attached == 0) {
    waitpid(other, 0, __WALL);
    ptrace(PTRACE_DETACH, other, 0, 0);
  }
  tell("ptrace", ptrace(0x9999, getpid(), 0, 0));
  tell("read_memory", syscall(SYS_process_vm_readv, getpid(), &here, 1, &there, 1, 0));
  tell("pidfd_getfd", syscall(SYS_pidfd_getfd, -1, 0, 0));
}

static void try_network(const char *socket_path, int port) {
  struct sockaddr_un local = {.sun_family = AF_UNIX};
  struct sockaddr_in internet = {.sin_family = AF_INET, .sin_port = htons(port)};
  strncpy(local.sun_path, socket_path, sizeof local.sun_path - 1);
  inet_pton(AF_INET, "127.0.0.1", &internet.sin_addr);
  tell("reach_engine", connect_to(AF_UNIX, (struct sockaddr *)&local, sizeof local));
  tell("reach_postgres", connect_to(AF_INET, (struct sockaddr *)&internet, sizeof internet));
  tell("socket", socket(AF_INET, SOCK_DGRAM, 0));
  tell("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
}

static void try_privileges(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct all[2] = {{~0u, ~0u, 0}, {0x1ff, 0x1ff, 0}};
  struct rlimit more = {1 << 20, 1 << 20};
  int bounding = 0;
  for (int capability = 0; capability < 64; capability++)
    if (prctl(PR_CAPBSET_READ, capability) == 1) bounding++;
  printf("bounding_set %s\n", bounding ? "open" : "EMPTY");
  printf("new_privileges %s\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "NEVER" : "open");
  tell("set_groups", setgroups(0, 0));
  tell("regain_capabilities", syscall(SYS_capset, &header, all));
  tell("raise_limits", setrlimit(RLIMIT_FSIZE, &more));
  tell("become_root", setuid(0));
  tell("become_nobody", setresuid(65534, 65534, 65534));
}

static void try_kernel(const char *directory) {
  long args[20] = {0};
  long mounted = mount("none", directory, "tmpfs", 0, 0);
  tell("mount", mounted);
  if (mounted == 0) umount2(directory, MNT_DETACH);
  tell("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
  tell("chroot", chroot("/"));
  tell("io_uring", syscall(SYS_io_uring_setup, 1, args));
  tell("bpf", syscall(SYS_bpf, 0, args, 0));
  tell("perf_event_open", syscall(SYS_perf_event_open, args, 0, -1, -1, 0));
  tell("userfaultfd", syscall(SYS_userfaultfd, 1));
  tell("add_key", syscall(SYS_add_key, "user", "codeshelf", "x", 1, -2));
  tell("request_key", syscall(SYS_request_key, "user", "codeshelf", 0, 0));
  tell("keyctl", syscall(SYS_keyctl, 0, -1, 0, 0, 0));
  tell("init_module", syscall(SYS_init_module, 0, 0, 0));
  tell("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, ~0ul));
  tell("setns", setns(0, CLONE_NEWNET));
  tell("clone3", syscall(SYS_clone3, 0, 0));
  tell("clone_into_namespace", syscall(SYS_clone, CLONE_NEWUSER | CLONE_THREAD, 0, 0, 0, 0));
}

static void *wait_forever(void *nothing) {
  pause();
  return nothing;
}

static void try_crowds(void) {
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pid_t child = fork();
  if (child == 0) _exit(0);
  tell("fork", child);
  int begun = 0;
  while (begun < THREADS_TRIED && pthread_create(&thread, &small, wait_forever, 0) == 0) begun++;
  printf("threads %s\n", begun < THREADS_TRIED ? "LIMITED" : "open");
  pid_t children[THREADS_TRIED];
  int forked = 0;
  fflush(stdout);
  while (forked < THREADS_TRIED && (child = fork()) >= 0) {
    if (child == 0) {
      pause();
      _exit(0);
    }
    children[forked++] = child;
  }
  printf("fork_bomb %s\n", forked < THREADS_TRIED ? "LIMITED" : "open");
  while (forked > 0) kill(children[--forked], SIGKILL);
}

int main(int count, char **words) {
  if (count < 6) return 2;
  printf("descriptors ");
  for (int descriptor = 3; descriptor < 256; descriptor++)
    if (fcntl(descriptor, F_GETFD) >= 0) printf("%d,", descriptor);
  printf("\n");
  try_files(words[1], words[5]);
  try_processes(atoi(words[4]));
  try_network(words[2], atoi(words[3]));
  try_kernel(words[5]);
  try_crowds();
  try_privileges();
  tell("unshare_user", syscall(SYS_unshare, CLONE_NEWUSER));
  fflush(stdout);
  _exit(0);
}
