/**
 * The disposable process: one isolate, one interpreter, one program, then the parent kills it. It speaks frames, a length and
 * a JSON text, on descriptor 3 and listens on its standard input; when that ends, so does it.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { withMemoryMaximum } from "./wasm-memory.mjs";

const settings = JSON.parse(process.argv[2]);
const REPORT_FD = 3;
const SNAPSHOT_FD = 4;
const HEADER_WORDS = 4;
const FLUSH_MS = 50;
const ISOLATE_MEMORY_MB = 160;

const ivm = createRequire(settings.addonFrom)("isolated-vm");

function report(message) {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  const frame = Buffer.concat([head, body]);
  for (let sent = 0; sent < frame.length; ) {
    try {
      sent += writeSync(REPORT_FD, frame, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function readShared(descriptor) {
  const { size } = fstatSync(descriptor);
  const shared = new SharedArrayBuffer(size);
  const bytes = Buffer.from(shared);
  for (let at = 0; at < size; ) {
    const read = readSync(descriptor, bytes, at, size - at, at);
    if (read === 0) throw new Error("The snapshot is shorter than it says");
    at += read;
  }
  return shared;
}

/** From the kernel itself: loading Node's cryptography for this takes longer than compiling the interpreter. */
function randomBytes(length) {
  const bytes = new Uint8Array(length);
  const source = openSync("/dev/urandom", "r");
  if (readSync(source, bytes) !== length) throw new Error("There is no randomness to be had");
  closeSync(source);
  return bytes;
}

const inPyodide = (name) => `${settings.pyodide}/${name}`;
const guest = (name) => readFileSync(new URL(`./guest/${name}`, import.meta.url), "utf8");
const copied = (value) => new ivm.ExternalCopy(value).copyInto({ release: true });

const isolate = new ivm.Isolate({
  memoryLimit: ISOLATE_MEMORY_MB,
  onCatastrophicError: () => process.abort(),
});
const context = isolate.createContextSync();
const output = new SharedArrayBuffer(HEADER_WORDS * 4 + 2 * settings.outputMaxBytes);

function define(script) {
  isolate.compileScriptSync(guest(script), { filename: `file:///${script}` }).runSync(context);
}

/**
 * Pyodide prepares for libraries that a program might load later: it gives each of the interpreter's 8,560 exports a name to
 * be linked by. None is ever loaded here, so only what the interpreter itself asks for is linked, at a quarter of the time.
 */
const WITHOUT_LINKING = [
  [
    "for(var symName in exports){if(isInternalSym(symName)){continue}",
    "for(var symName in exports){if(!GOT[symName]||isInternalSym(symName)){continue}",
  ],
  [
    'mergeLibSymbols(wasmExports,"main");',
    'mergeLibSymbols({__main_argc_argv:wasmExports["__main_argc_argv"]},"main");',
  ],
];

function replaced(source, [from, to]) {
  if (source.split(from).length !== 2) throw new Error(`This is not the Pyodide it was written for: ${from}`);
  return source.replace(from, () => to);
}

function importModule(file, exported, as, changes = []) {
  const source = changes.reduce(replaced, readFileSync(inPyodide(file), "latin1"));
  const module = isolate.compileModuleSync(source, { filename: `file:///${file}` });
  module.instantiateSync(context, () => {
    throw new Error("Nothing can be imported");
  });
  module.evaluateSync();
  context.global.setSync(as, module.namespace.getSync(exported, { reference: true }).derefInto());
}

async function load() {
  const interpreter = withMemoryMaximum(readFileSync(inPyodide("pyodide.asm.wasm")), settings.memoryMaxPages);
  const zip = readFileSync(inPyodide("python_stdlib.zip"));
  const stdlib = zip.buffer.slice(zip.byteOffset, zip.byteOffset + zip.length);
  const entropy = randomBytes(32).buffer;
  for (const script of ["shims.js", "seal.js", "boot.js"]) define(script);
  context.evalClosureSync("layShims({ wasm: $0, stdlib: $1, entropy: $2 }); laySeal();", [
    copied(new WebAssembly.Module(interpreter)),
    copied(stdlib),
    copied(entropy),
  ]);
  importModule("pyodide.asm.mjs", "default", "createPyodideModule", WITHOUT_LINKING);
  importModule("pyodide.mjs", "loadPyodide", "loadPyodide");
  const order = { makeSnapshot: settings.makeSnapshot, outputMaxBytes: settings.outputMaxBytes, runner: "" };
  if (settings.makeSnapshot) order.runner = runnerModule(guest("runner.py"));
  const snapshot = settings.makeSnapshot ? new SharedArrayBuffer(0) : readShared(SNAPSHOT_FD);
  return context.evalClosure(
    "return boot({ ...$0, output: $1, snapshot: $2 })",
    [copied(order), copied(output), copied(snapshot)],
    { result: { promise: true, copy: true } },
  );
}

const runnerModule = (source) => `
import sys, types
_run = types.ModuleType("_run")
sys.modules["_run"] = _run
_run.READY = ${JSON.stringify(settings.readyModules)}
exec(compile(${JSON.stringify(source)}, "_run", "exec"), _run.__dict__)
del _run, types
import gc; gc.collect()
`;

const words = new Int32Array(output, 0, HEADER_WORDS);
const sentUpTo = [0, 0];

/** Whatever the program has written since the last time. The lengths are its word: they never lead outside the areas. */
function sendOutput() {
  for (const area of [0, 1]) {
    const length = Math.min(Math.max(0, Atomics.load(words, area)), settings.outputMaxBytes);
    if (length <= sentUpTo[area]) continue;
    const from = HEADER_WORDS * 4 + area * settings.outputMaxBytes;
    const bytes = Buffer.from(new Uint8Array(output, from + sentUpTo[area], length - sentUpTo[area]));
    report({ output: area, base64: bytes.toString("base64") });
    sentUpTo[area] = length;
  }
}

const truncated = () => Atomics.load(words, 2) !== 0;

async function run(start, { program, order, memoryBytes, timeoutMs }) {
  const startedAt = performance.now();
  const flushing = setInterval(sendOutput, FLUSH_MS);
  const end = (outcome) => {
    clearInterval(flushing);
    clearTimeout(deadline);
    sendOutput();
    report({ end: outcome, truncated: truncated(), ms: Math.round(performance.now() - startedAt) });
  };
  // The isolate's own limit covers synchronous execution only, and some built-ins ignore it.
  const deadline = setTimeout(() => end({ timedOut: true }), timeoutMs + 20);
  try {
    const result = await start.apply(undefined, [program, order, memoryBytes], {
      timeout: timeoutMs,
      arguments: { copy: true },
      result: { copy: true },
    });
    end({ exit: result.exit, refusedGrowth: result.refusedGrowth, grownBytes: result.grownBytes });
  } catch (error) {
    const { message } = error;
    end({ timedOut: /timed out/.test(message), refusedGrowth: /memory limit/.test(message) });
  }
}

function dropPrivileges({ uid, gid }) {
  process.setgroups([gid]);
  process.setgid(gid);
  process.setuid(uid);
}

const loaded = await load();
if (settings.makeSnapshot) {
  writeSync(SNAPSHOT_FD, loaded);
  process.exit(0);
}
const start = context.global.getSync("start", { reference: true });
if (settings.account) dropPrivileges(settings.account);

let heard = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  heard = Buffer.concat([heard, chunk]);
  if (heard.length < 4 || heard.length < 4 + heard.readUInt32BE(0)) return;
  const order = JSON.parse(heard.subarray(4).toString());
  process.stdin.removeAllListeners("data").resume();
  void run(start, order);
});
process.stdin.on("end", () => process.exit(0));
report({ ready: true });
