/**
 * Runs first inside the isolate, before Pyodide: the few features of a JavaScript shell that Pyodide needs, and no way out. The
 * child passes the compiled interpreter, the standard library and random bytes.
 */
globalThis.layShims = (inputs) => {
  const state = {
    sealed: false,
    memory: null,
    limitBytes: Infinity,
    refusedGrowth: false,
    atInstantiation: null,
  };
  const createRefusing = (what) => () => {
    throw new Error(`${what} is not available`);
  };

  globalThis.sandbox = state;
  // These two make Pyodide choose its shell environment, in which nothing is fetched.
  globalThis.read = createRefusing("read");
  globalThis.load = createRefusing("load");
  globalThis.readbuffer = (path) => {
    if (path.endsWith("python_stdlib.zip")) return inputs.stdlib;
    if (path.endsWith(".wasm")) return new ArrayBuffer(0);
    throw new Error(`There is no ${path}`);
  };
  globalThis.console = Object.fromEntries(
    ["log", "info", "warn", "error", "debug", "trace"].map((name) => [name, () => {}]),
  );
  const startedAt = Date.now();
  globalThis.performance = { now: () => Date.now() - startedAt };
  globalThis.setTimeout = (callback) => void Promise.resolve().then(callback);
  globalThis.clearTimeout = () => {};
  globalThis.AbortController = class {
    signal = { aborted: false, reason: undefined, addEventListener() {}, removeEventListener() {} };
    abort() {}
  };
  globalThis.AbortSignal = class {};

  defineTextEncoding();

  /** Generates endless random bytes from the child's 32: ChaCha20's key stream, counted from zero. */
  const key = new Uint32Array(inputs.entropy.slice(0, 32));
  let block = 0;
  function nextBlock() {
    const first = new Uint32Array([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, block++, 0, 0, 0]);
    const x = first.slice();
    const rotate = (word, bits) => (word << bits) | (word >>> (32 - bits));
    const quarter = (a, b, c, d) => {
      x[a] += x[b];
      x[d] = rotate(x[d] ^ x[a], 16);
      x[c] += x[d];
      x[b] = rotate(x[b] ^ x[c], 12);
      x[a] += x[b];
      x[d] = rotate(x[d] ^ x[a], 8);
      x[c] += x[d];
      x[b] = rotate(x[b] ^ x[c], 7);
    };
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
      for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
    }
    for (let i = 0; i < 16; i++) x[i] += first[i];
    return new Uint8Array(x.buffer);
  }
  function fillRandom(view) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let offset = 0; offset < bytes.length; offset += 64)
      bytes.set(nextBlock().subarray(0, bytes.length - offset), offset);
    return view;
  }
  globalThis.crypto = { getRandomValues: fillRandom };
  const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  // In a shell, Pyodide gets its entropy by this command; nothing is started.
  globalThis.os = {
    system(_, [, command]) {
      const bytes = fillRandom(new Uint8Array(Number(/^head -c(\d+) /.exec(command)[1])));
      let text = "";
      for (let i = 0; i < bytes.length; i += 3) {
        const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
        const bytesLeft = bytes.length - i;
        text += BASE64[word >> 18] + BASE64[(word >> 12) & 63];
        text += (bytesLeft > 1 ? BASE64[(word >> 6) & 63] : "=") + (bytesLeft > 2 ? BASE64[word & 63] : "=");
      }
      return text;
    },
  };

  const { Instance, Module } = WebAssembly;
  /** Gives Pyodide the interpreter that the child compiled; all other modules are compiled synchronously. */
  WebAssembly.compile = async (bytes) => new Module(bytes);
  WebAssembly.instantiate = async (source, imports) => {
    if (source instanceof Module) return new Instance(source, imports);
    if (source.byteLength > 0) {
      const module = new Module(source);
      return { module, instance: new Instance(module, imports) };
    }
    state.atInstantiation(imports);
    const instance = new Instance(inputs.wasm, imports);
    const { memory } = instance.exports;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * 65_536 > state.limitBytes)
        throw new RangeError("The memory limit is reached");
      return grow(pages);
    };
    state.memory = memory;
    return { module: inputs.wasm, instance };
  };
  delete WebAssembly.Suspending;
  delete WebAssembly.promising;
  delete WebAssembly.instantiateStreaming;
  delete WebAssembly.compileStreaming;
};
