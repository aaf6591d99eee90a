/**
 * Loads Pyodide, then removes everything that only loading needed. What remains is `start`, which runs one program through
 * Python's C interface and never through Pyodide's JavaScript interface.
 */
globalThis.boot = (options) => {
  const state = sandbox;
  const { snapshot, output, makeSnapshot, runner, empty, outputMaxBytes } = options;
  const HEADER_WORDS = 4;
  const words = new Int32Array(output, 0, HEADER_WORDS);
  const areas = [0, 1].map(
    (n) => new Uint8Array(output, HEADER_WORDS * 4 + n * outputMaxBytes, outputMaxBytes),
  );
  const { load, store } = Atomics;
  const TRUNCATED = 2;

  /** Keeps the part that fits. The rest is dropped and counts as written. */
  function append(area, bytes) {
    const length = load(words, area);
    const room = outputMaxBytes - length;
    areas[area].set(bytes.subarray(0, room), length);
    store(words, area, length + Math.min(room, bytes.length));
    if (bytes.length > room) store(words, TRUNCATED, 1);
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

  /** Makes the text an unnamed file that replaces the empty standard input. */
  function openInput(FS, text) {
    FS.close(FS.getStream(0));
    FS.writeFile("/dev/input", text);
    FS.open("/dev/input", "r");
    FS.unlink("/dev/input");
  }

  const HOME = "/home/user/";
  const ENTRIES_MAX = 1_000;

  function writeFiles(FS, files) {
    for (const { path, text } of files) {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      if (folder !== "") FS.mkdirTree(HOME + folder);
      FS.writeFile(HOME + path, text);
    }
  }

  /** Files of a program may be removed, locked or too deep; unreadable ones count as missing. */
  function readIfThere(read, fallback) {
    try {
      return read();
    } catch {
      return fallback;
    }
  }

  /** Reading needs a free descriptor, and the program may have used all. */
  function closeDescriptors(FS) {
    for (const stream of FS.streams) if (stream && stream.fd > 2) readIfThere(() => FS.close(stream));
  }

  /** Lists the files below the program's folder. The program has ended, so it cannot change them. */
  function listFiles(FS) {
    const paths = [];
    const folders = [""];
    for (let entryCount = 0; folders.length > 0; ) {
      const folder = folders.shift();
      for (const name of readIfThere(() => FS.readdir(HOME + folder), [])) {
        entryCount += 1;
        if (name === "." || name === "..") continue;
        if (entryCount > ENTRIES_MAX) return paths;
        const mode = readIfThere(() => FS.lstat(HOME + folder + name).mode, 0);
        if (FS.isDir(mode)) folders.push(`${folder}${name}/`);
        else if (FS.isFile(mode)) paths.push(folder + name);
      }
    }
    return paths;
  }

  /** Lists new and changed files. Those beyond the limits are listed without their contents. */
  function listWritten(FS, before, { filesMax, fileMaxBytes, totalMaxBytes }) {
    const written = [];
    let total = 0;
    closeDescriptors(FS);
    for (const path of listFiles(FS)) {
      const bytes = readIfThere(() => FS.readFile(HOME + path), null);
      if (bytes === null) continue;
      const old = before.get(path);
      if (old?.length === bytes.length && old.every((byte, i) => byte === bytes[i])) continue;
      if (written.length === filesMax) break;
      const fits = bytes.length <= fileMaxBytes && total + bytes.length <= totalMaxBytes;
      if (fits) total += bytes.length;
      written.push({ path, size: bytes.length, bytes: fits ? bytes : null });
    }
    return written;
  }

  const LOCK_FILE = {
    info: { arch: "wasm32", platform: "emscripten", version: "0", python: "3.14.0", abi_version: "2026_0" },
    packages: {},
  };

  // Pyodide has taken what it needs of these; a program that reached JavaScript must not find them.
  const LOADING_ONLY =
    `sandbox layShims laySeal limitFiles defineScrypt boot loadPyodide createPyodideModule read load readbuffer WebAssembly SharedArrayBuffer
  Atomics AbortController AbortSignal setTimeout clearTimeout`.split(/\s+/);

  /**
   * With a snapshot, Python runs as soon as its memory is loaded. Pyodide would then build its JavaScript interface, which
   * takes longer than everything before. It is left out because nothing here uses it and programs must not.
   */
  const withoutInterface = async (settings) => {
    const module = await createPyodideModule(settings);
    const { API } = module;
    const nothing = () => {};
    API.finalizeBootstrap = () => ({
      _module: module,
      _api: {
        sys: { path: { insert: nothing } },
        _pyodide: { set_excepthook: nothing },
        packageIndexReady: null,
        initializeStreams: nothing,
      },
    });
    return module;
  };

  /**
   * Copies the snapshot into the interpreter's memory. Long empty parts are skipped where nothing was written before: on the
   * unused stack, and beyond the allocated memory. Touching them would cost memory and time.
   */
  state.restore = (python, bytes) => {
    const { HEAP8, HEAPU32 } = python;
    const [stackFrom, stackTo] = [python._emscripten_stack_get_end(), python._emscripten_stack_get_base()];
    const allocatedTo = HEAPU32[python._emscripten_get_sbrk_ptr() >>> 2];
    const isUnused = ([from, to]) => from >= allocatedTo || (from >= stackFrom && to <= stackTo);
    let offset = 0;
    for (const [from, to] of empty.filter(isUnused)) {
      HEAP8.set(bytes.subarray(offset, from), offset);
      offset = to;
    }
    HEAP8.set(bytes.subarray(offset), offset);
  };

  return (async () => {
    const pyodide = await loadPyodide({
      indexURL: "/",
      lockFileContents: LOCK_FILE,
      createPyodideModule: makeSnapshot ? createPyodideModule : withoutInterface,
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
    limitFiles(python);
    defineScrypt(python.FS, state.memory);
    // Compiles what every program needs of the interpreter before a program waits for it.
    const warmUp = python.stringToNewUTF8("import _run; _run.warm_up()");
    if (python._PyRun_SimpleStringFlags(warmUp, 0) !== 0) throw new Error("Python does not run");
    python._free(warmUp);

    globalThis.start = (program, order, memoryBytes, { stdin, name, files, keeps }) => {
      delete globalThis.start;
      const { FS } = python;
      if (stdin !== "") openInput(FS, stdin);
      writeFiles(FS, [...files, { path: name, text: program }]);
      const before = new Map(listFiles(FS).map((path) => [path, FS.readFile(HOME + path)]));
      const text = python.stringToNewUTF8(`import _run; _run.main(${JSON.stringify(order)})`);
      const { memory } = state;
      const startBytes = memory.buffer.byteLength;
      state.limitBytes = startBytes + memoryBytes;
      state.sealed = true;
      let exit = null;
      try {
        python._PyRun_SimpleStringFlags(text, 0);
      } catch (error) {
        if (error?.name === "ExitStatus") exit = error.status;
      }
      const { refusedGrowth } = state;
      const grownBytes = memory.buffer.byteLength - startBytes;
      // A runner that returns instead of exiting was tampered with: that is no exit.
      const written = exit === null ? [] : listWritten(FS, before, keeps);
      return { exit, refusedGrowth, grownBytes, written };
    };
    for (const name of LOADING_ONLY) delete globalThis[name];
    return null;
  })();
};
