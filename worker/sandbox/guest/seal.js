/**
 * The functions that the interpreter may call while a program runs. All others that Pyodide offers, the whole bridge to
 * JavaScript, refuse from then on for every caller: they are replaced where the interpreter gets them, so no saved reference or
 * forged function pointer avoids that.
 */
globalThis.laySeal = () => {
  const ALLOWED = new Set(
    `
  exit proc_exit _abort_js __assert_fail emscripten_resize_heap emscripten_get_heap_max
  fd_close fd_read fd_write fd_sync fd_seek fd_pread fd_pwrite fd_fdstat_get random_get environ_get environ_sizes_get
  clock_res_get clock_time_get emscripten_date_now emscripten_get_now
  _tzset_js _timegm_js _mktime_js _localtime_js _gmtime_js _mmap_js _munmap_js _msync_js
  __syscall_fcntl64 __syscall_openat __syscall_faccessat __syscall_chdir __syscall_chmod __syscall_fchownat __syscall_dup
  __syscall_dup3 __syscall_fchdir __syscall_fchmod __syscall_fchmodat2 __syscall_fchown32 __syscall_fdatasync
  __syscall_fstat64 __syscall_stat64 __syscall_newfstatat __syscall_lstat64 __syscall_ftruncate64 __syscall_getcwd
  __syscall_getdents64 __syscall_mkdirat __syscall_mknodat __syscall_pipe __syscall_poll __syscall_fadvise64
  __syscall_fallocate __syscall_readlinkat __syscall_unlinkat __syscall_rmdir __syscall_renameat __syscall_statfs64
  __syscall_fstatfs64 __syscall_symlinkat __syscall_truncate64 __syscall_utimensat __syscall_ioctl
  __syscall_getuid32_js __syscall_umask_js _Py_CheckEmscriptenSignals_Helper _PyEM_TrampolineCall_JS _Py_emscripten_runtime
  emscripten_runtime_keepalive_push emscripten_runtime_keepalive_pop _emscripten_runtime_keepalive_clear
  _emscripten_get_progname __call_sighandler JsvError_Check Jsv_GetError_import
  `
      .trim()
      .split(/\s+/),
  );

  const PERMISSION_DENIED = -2;
  const EAI_FAIL = -4;
  /** Functions that honest programs may call return an error of their own kind instead of ending the run. */
  const ANSWERS = {
    getaddrinfo: EAI_FAIL,
    getnameinfo: EAI_FAIL,
    getprotobyname: 0,
    _emscripten_system: PERMISSION_DENIED,
    _dlopen_js: 0,
    _dlsym_js: 0,
    _emscripten_dlopen_js: 0,
    _emscripten_lookup_name: 0,
    _setitimer_js: PERMISSION_DENIED,
    ffi_call_js: undefined,
    ffi_closure_alloc_js: 0,
    ffi_closure_free_js: undefined,
    ffi_prep_closure_loc_js: 1,
    _emscripten_log_formatted: undefined,
    emscripten_log_impl_js: undefined,
    emscripten_debugger: undefined,
    _maybe_connect_async: null,
    _maybe_recvfrom_async: null,
    _maybe_sendto_async: null,
    _maybe_poll_async: null,
    _try_fcntl64: 0,
    _try_shutdown: 0,
    ...Object.fromEntries(
      "accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmsg sendmsg sendto socket"
        .split(" ")
        .map((name) => [`__syscall_${name}`, PERMISSION_DENIED]),
    ),
  };

  const state = sandbox;
  const { wait } = Atomics;
  const pause = new Int32Array(new SharedArrayBuffer(4));

  /** Lets a poll without events wait instead of using the processor; sleeping is built on it. */
  function createWaitingPoll(poll) {
    return (descriptors, count, timeoutMs) => {
      const ready = poll(descriptors, count, timeoutMs);
      if (ready !== 0 || timeoutMs === 0) return ready;
      wait(pause, 0, 0, timeoutMs < 0 ? Infinity : timeoutMs);
      return poll(descriptors, count, 0);
    };
  }

  /** The interpreter first requests more than it needs, then less: only the last answer counts. */
  function createCountedResize(resize) {
    return (bytes) => {
      const granted = resize(bytes);
      if (!granted) state.refusedGrowth = true;
      return granted;
    };
  }

  const REPLACED = { __syscall_poll: createWaitingPoll, emscripten_resize_heap: createCountedResize };

  function createSealable(name, original) {
    const hasAnswer = Object.hasOwn(ANSWERS, name);
    const answer = ANSWERS[name];
    const guarded = (...values) => {
      if (!state.sealed) return original(...values);
      if (hasAnswer) return answer;
      throw new Error(`sealed: ${name}`);
    };
    return Object.assign(guarded, original);
  }

  state.atInstantiation = ({ env }) => {
    for (const [name, original] of Object.entries(env)) {
      if (typeof original !== "function") continue;
      if (Object.hasOwn(REPLACED, name)) env[name] = Object.assign(REPLACED[name](original), original);
      else if (!ALLOWED.has(name)) env[name] = createSealable(name, original);
    }
  };
};
