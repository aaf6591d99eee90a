/**
 * Loads Pyodide, then takes everything out of reach that only loading needed. What remains is `start`, which runs one program
 * through Python's C interface and never through Pyodide's JavaScript one.
 */
globalThis.boot = (given) => {
  const state = sandbox;
  const { snapshot, output, makeSnapshot, runner, outputMaxBytes } = given;
  const HEADER_WORDS = 4;
  const words = new Int32Array(output, 0, HEADER_WORDS);
  const areas = [0, 1].map(
    (n) => new Uint8Array(output, HEADER_WORDS * 4 + n * outputMaxBytes, outputMaxBytes),
  );
  const { load, store } = Atomics;
  const TRUNCATED = 2;

  /** Keeps what fits. The rest is dropped, marked, and counts as written. */
  function append(area, bytes) {
    const length = load(words, area);
    const room = outputMaxBytes - length;
    areas[area].set(bytes.subarray(0, room), length);
    store(words, area, length + Math.min(room, bytes.length));
    if (bytes.length > room) store(words, TRUNCATED, 1);
  }

  const FILES_MAX_BYTES = 32 * 1024 * 1024;
  const NO_SPACE_LEFT = 51;

  /** Files live in JavaScript's memory, outside the interpreter's: they have a limit of their own. */
  function limitFiles(FS) {
    const { MEMFS } = FS.filesystems;
    let kept = 0;
    for (const name of ["expandFileStorage", "resizeFileStorage"]) {
      const original = MEMFS[name].bind(MEMFS);
      MEMFS[name] = (node, size) => {
        const before = node.contents?.length ?? 0;
        // A file that grows gets up to twice the room it asks for.
        if (kept + Math.max(0, size * 2 - before) > FILES_MAX_BYTES) throw new FS.ErrnoError(NO_SPACE_LEFT);
        const result = original(node, size);
        kept += Math.max(0, (node.contents?.length ?? 0) - before);
        return result;
      };
    }
  }

  function openStreams(FS) {
    const device = (minor, write) => {
      const id = FS.makedev(90, minor);
      FS.registerDevice(id, { open() {}, close() {}, read: () => 0, write });
      FS.mkdev(`/dev/run${minor}`, 0o666, id);
    };
    device(0, () => 0);
    for (const area of [0, 1]) {
      device(area + 1, (_, buffer, offset, length) => {
        append(area, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length));
        return length;
      });
    }
    for (const descriptor of [0, 1, 2]) FS.close(FS.getStream(descriptor));
    FS.open("/dev/run0", "r");
    FS.open("/dev/run1", "w");
    FS.open("/dev/run2", "w");
  }

  const LOCK_FILE = {
    info: { arch: "wasm32", platform: "emscripten", version: "0", python: "3.14.0", abi_version: "2026_0" },
    packages: {},
  };

  // Pyodide has what it needs of these; a program that reached JavaScript would find none of them.
  const LOADING_ONLY =
    `sandbox layShims laySeal boot loadPyodide createPyodideModule read load readbuffer WebAssembly SharedArrayBuffer
  Atomics AbortController AbortSignal setTimeout clearTimeout`.split(/\s+/);

  return (async () => {
    const pyodide = await loadPyodide({
      indexURL: "/",
      lockFileContents: LOCK_FILE,
      createPyodideModule,
      jsglobals: {},
      env: { HOME: "/home/user", TZ: "UTC" },
      ...(makeSnapshot ? { _makeSnapshot: true } : { _loadSnapshot: new Uint8Array(snapshot) }),
    });
    if (makeSnapshot) {
      pyodide.runPython(runner);
      return pyodide.makeMemorySnapshot();
    }
    const { _module: python } = pyodide;
    openStreams(python.FS);
    limitFiles(python.FS);

    globalThis.start = (program, order, memoryBytes) => {
      delete globalThis.start;
      python.FS.writeFile("/home/user/main.py", program);
      const text = python.stringToNewUTF8(`import _run; _run.main(${JSON.stringify(order)})`);
      state.limitBytes = state.memory.buffer.byteLength + memoryBytes;
      state.sealed = true;
      try {
        python._PyRun_SimpleStringFlags(text, 0);
        return { exit: 0, refusedGrowth: state.refusedGrowth };
      } catch (error) {
        const exit = error?.name === "ExitStatus" ? error.status : null;
        return {
          exit,
          refusedGrowth: state.refusedGrowth,
          crash: exit === null ? String(error).slice(0, 200) : null,
        };
      }
    };
    for (const name of LOADING_ONLY) delete globalThis[name];
    return null;
  })();
};
