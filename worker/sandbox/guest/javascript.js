/**
 * The environment of a JavaScript program: console, timers, text encoding, structuredClone, and of Node's `process` the
 * arguments and exit. Everything is written here inside the isolate; there are no functions or objects of the host.
 */
globalThis.prepareProgram = ({ output, outputMaxBytes, name, args, stdin }) => {
  const GUEST_NAMES = [
    "prepareProgram",
    "defineInspect",
    "defineRequire",
    "defineStructuredClone",
    "defineTextEncoding",
  ];
  const HEADER_WORDS = 4;
  const TRUNCATED = 2;
  const words = new Int32Array(output, 0, HEADER_WORDS);
  const bytes = new Uint8Array(output, HEADER_WORDS * 4);
  // Captured here, because a program may replace them and must not get access to the memory that way.
  const { load, store } = Atomics;
  const { encodeInto } = new TextEncoder();
  const { now } = Date;
  const [min, max] = [Math.min, Math.max];
  const startedAt = now();
  const state = { exit: null, timers: [], nextTimer: 1 };

  /** Keeps the part that fits; the rest is dropped, and the output is marked as cut. */
  function write(area, text) {
    if (state.exit !== null) return;
    const length = load(words, area);
    const room = outputMaxBytes - length;
    const encoded = encodeText(String(text), room);
    const from = area * outputMaxBytes + length;
    for (let i = 0; i < encoded.written; i++) bytes[from + i] = encoded.buffer[i];
    store(words, area, length + encoded.written);
    if (encoded.cut) store(words, TRUNCATED, 1);
  }
  function encodeText(text, room) {
    const buffer = new Uint8Array(min(text.length * 3, room));
    const { read, written } = encodeInto(text, buffer);
    return { buffer, written, cut: read < text.length };
  }

  function defineConsole() {
    const { inspect, formatLine } = defineInspect();
    let indent = "";
    const counts = new Map();
    const times = new Map();
    const line = (area, values) =>
      write(area, `${indent}${formatLine(values).replaceAll("\n", `\n${indent}`)}\n`);
    const out = (...values) => line(0, values);
    const err = (...values) => line(1, values);
    const writeTime = (label) => out(`${label}: ${now() - (times.get(label) ?? now())}ms`);
    globalThis.console = {
      log: out,
      info: out,
      debug: out,
      dir: (value) => out(inspect(value)),
      table: (value) => out(inspect(value)),
      warn: err,
      error: err,
      trace: (...values) => err("Trace:", ...values),
      assert: (holds, ...values) => holds || err("Assertion failed", ...values),
      count: (label = "default") => {
        counts.set(label, (counts.get(label) ?? 0) + 1);
        out(`${label}: ${counts.get(label)}`);
      },
      countReset: (label = "default") => void counts.delete(label),
      time: (label = "default") => void times.set(label, now()),
      timeLog: (label = "default") => writeTime(label),
      timeEnd: (label = "default") => {
        writeTime(label);
        times.delete(label);
      },
      group: (...values) => {
        if (values.length > 0) out(...values);
        indent += "  ";
      },
      groupEnd: () => {
        indent = indent.slice(2);
      },
    };
  }

  const TIMERS_MAX = 10_000;
  function addTimer(callback, delay, values, repeats) {
    if (typeof callback !== "function") throw new TypeError("The callback must be a function");
    if (state.timers.length >= TIMERS_MAX) throw new RangeError("There are too many timers");
    const wait = max(1, min(Number(delay) || 0, 2 ** 31));
    const timer = { id: state.nextTimer++, at: now() + wait, wait, callback, values, repeats };
    state.timers[state.timers.length] = timer;
    return timer.id;
  }
  function removeTimer(id) {
    const index = state.timers.findIndex((timer) => timer.id === id);
    if (index >= 0) state.timers.splice(index, 1);
  }
  function defineTimers() {
    globalThis.setTimeout = (callback, delay, ...values) => addTimer(callback, delay, values, false);
    globalThis.setInterval = (callback, delay, ...values) => addTimer(callback, delay, values, true);
    globalThis.setImmediate = (callback, ...values) => addTimer(callback, 0, values, false);
    for (const name of ["clearTimeout", "clearInterval", "clearImmediate"]) globalThis[name] = removeTimer;
    globalThis.queueMicrotask = (callback) => void Promise.resolve().then(() => void callback());
    globalThis.performance = { now: () => now() - startedAt };
  }

  function defineProcess() {
    const EXIT = { name: "Exit", message: "The program has left" };
    const lines = stdin === "" ? [] : stdin.replace(/\n$/, "").split("\n");
    globalThis.process = {
      argv: ["node", name, ...args],
      env: {},
      exitCode: undefined,
      exit: (code) => {
        state.exit ??= Number(code ?? globalThis.process?.exitCode ?? 0) & 0xff;
        throw EXIT;
      },
      stdout: { write: (text) => write(0, text) },
      stderr: { write: (text) => write(1, text) },
    };
    globalThis.prompt = (question) => {
      if (question !== undefined) write(0, `${question} `);
      return lines.shift() ?? null;
    };
  }

  /** Runs the next due timer. Returns the milliseconds to wait, 0 if more may be due, or null without timers. */
  function step() {
    if (state.exit !== null || state.timers.length === 0) return null;
    let next = state.timers[0];
    for (const timer of state.timers) if (timer.at < next.at) next = timer;
    const wait = next.at - now();
    if (wait > 0) return wait;
    if (next.repeats) next.at = now() + next.wait;
    else removeTimer(next.id);
    next.callback(...next.values);
    return 0;
  }

  defineConsole();
  defineTimers();
  defineProcess();
  const define = defineRequire(name);
  defineStructuredClone();
  // Removes memory that no limit counts, and waiting that no limit ends.
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics"]) delete globalThis[name];
  for (const name of GUEST_NAMES) delete globalThis[name];
  const hasLeft = () => state.exit !== null;
  return {
    step,
    hasLeft,
    define,
    exitCode: () => state.exit ?? Number(globalThis.process?.exitCode ?? 0) & 0xff,
  };
};
