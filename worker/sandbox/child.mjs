/**
 * The disposable process: one isolate, one interpreter, one program, then the parent kills it. It speaks frames, a length and
 * a JSON text, on descriptor 3 and listens on its standard input; when that ends, so does it.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { bytesOfModule, compileWell, moduleOfBytes } from "./native-code.mjs";
import { withMemoryMaximum } from "./wasm-memory.mjs";

const settings = JSON.parse(process.argv[2]);
const REPORT_FD = 3;
const SNAPSHOT_FD = 4;
const CODE_FD = 5;
const HEADER_WORDS = 4;
const FLUSH_MS = 50;
const MAKING_MEMORY_BYTES = 64 * 1024 * 1024;
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

const sizeOf = (descriptor) => fstatSync(descriptor).size;

function readInto(memory, descriptor, from = 0) {
  const bytes = new Uint8Array(memory);
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, bytes.length - at, from + at);
    if (read === 0) throw new Error("A ready-made file is shorter than it says");
    at += read;
  }
  return memory;
}

function writeWhole(descriptor, bytes) {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
}

/** The file of ready-made code: the length of the first part, then what V8 keeps of Pyodide's script and of the interpreter. */
function readCode() {
  const size = sizeOf(CODE_FD);
  if (size === 0) return null;
  const [scriptLength] = new Uint32Array(readInto(new ArrayBuffer(4), CODE_FD));
  return {
    script: readInto(new ArrayBuffer(scriptLength), CODE_FD, 4),
    interpreter: readInto(new ArrayBuffer(size - 4 - scriptLength), CODE_FD, 4 + scriptLength),
  };
}

function writeCode({ script, interpreter }) {
  for (const part of [Uint32Array.of(script.byteLength).buffer, script, interpreter])
    writeWhole(CODE_FD, new Uint8Array(part));
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

/** As a script, because V8 keeps what it made of scripts only; in brackets, because it keeps what it compiled at once. */
const AS_SCRIPT = [
  [
    "async function _createPyodideModule(moduleArg={}){",
    '"use strict";globalThis.createPyodideModule=(async function(moduleArg={}){',
  ],
  [";return moduleRtn}export default _createPyodideModule;", ";return moduleRtn});"],
];

function runPyodideScript(cached) {
  const file = "pyodide.asm.mjs";
  const source = [...WITHOUT_LINKING, ...AS_SCRIPT]
    .reduce(replaced, readFileSync(inPyodide(file), "latin1"))
    .replaceAll("import.meta.url", `"file:///${file}"`);
  const script = isolate.compileScriptSync(source, {
    filename: `file:///${file}`,
    ...(cached && { cachedData: new ivm.ExternalCopy(cached) }),
    produceCachedData: settings.make === "code",
  });
  script.runSync(context);
  return script;
}

function importLoader() {
  const file = "pyodide.mjs";
  const module = isolate.compileModuleSync(readFileSync(inPyodide(file), "latin1"), {
    filename: `file:///${file}`,
  });
  module.instantiateSync(context, () => {
    throw new Error("Nothing can be imported");
  });
  module.evaluateSync();
  const loader = module.namespace.getSync("loadPyodide", { reference: true });
  context.global.setSync("loadPyodide", loader.derefInto());
}

async function load() {
  const wasm = withMemoryMaximum(readFileSync(inPyodide("pyodide.asm.wasm")), settings.memoryMaxPages);
  const zip = readFileSync(inPyodide("python_stdlib.zip"));
  const stdlib = zip.buffer.slice(zip.byteOffset, zip.byteOffset + zip.length);
  const entropy = randomBytes(32).buffer;
  const code = settings.make === null ? readCode() : null;
  const taken = code && moduleOfBytes(code.interpreter, wasm);
  const interpreter = taken ?? new WebAssembly.Module(wasm);
  for (const script of ["shims.js", "seal.js", "files.js", "scrypt.js", "boot.js"]) define(script);
  context.evalClosureSync("layShims({ wasm: $0, stdlib: $1, entropy: $2 }); laySeal();", [
    copied(interpreter),
    copied(stdlib),
    copied(entropy),
  ]);
  const script = runPyodideScript(code?.script);
  importLoader();
  if (settings.make === "code") compileWell(true);
  const booted = await boot();
  return { booted, interpreter, script, readyMade: Boolean(taken) && !script.cachedDataRejected };
}

function boot() {
  const makeSnapshot = settings.make === "snapshot";
  const order = { makeSnapshot, outputMaxBytes: settings.outputMaxBytes, runner: "" };
  if (makeSnapshot) order.runner = runnerModule(guest("runner.py"), guest("key_derivation.py"));
  const snapshot = new SharedArrayBuffer(makeSnapshot ? 0 : sizeOf(SNAPSHOT_FD));
  if (!makeSnapshot) readInto(snapshot, SNAPSHOT_FD);
  return context.evalClosure(
    "return boot({ ...$0, output: $1, snapshot: $2 })",
    [copied(order), copied(output), copied(snapshot)],
    { result: { promise: true, copy: true } },
  );
}

const runnerModule = (source, keyDerivation) => `
import sys, types
_run = types.ModuleType("_run")
sys.modules["_run"] = _run
_run.READY = ${JSON.stringify(settings.readyModules)}
exec(compile(${JSON.stringify(source)}, "_run", "exec"), _run.__dict__)
exec(compile(${JSON.stringify(keyDerivation)}, "key_derivation", "exec"), {"__name__": "key_derivation"})
del _run, types
import gc; gc.collect()
`;

const words = new Int32Array(output, 0, HEADER_WORDS);
const sentUpTo = [0, 0];

/** Whatever the program has written since the last time. The lengths are not trusted: they are cut to the areas. */
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

async function run(start, { program, order, memoryBytes, timeoutMs, stdin }) {
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
    const result = await start.apply(undefined, [program, order, memoryBytes, stdin], {
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

const { booted, interpreter, script, readyMade } = await load();
if (settings.make === "snapshot") {
  writeWhole(SNAPSHOT_FD, booted);
  process.exit(0);
}
const start = context.global.getSync("start", { reference: true });
if (settings.make === "code") {
  const order = JSON.stringify({ allowed_imports: null, args: [] });
  await start.apply(undefined, [guest("typical.py"), order, MAKING_MEMORY_BYTES, ""], {
    result: { copy: true },
  });
  compileWell(false);
  writeCode({ script: script.cachedData.copy(), interpreter: bytesOfModule(interpreter) });
  process.exit(0);
}
for (const descriptor of [SNAPSHOT_FD, CODE_FD]) closeSync(descriptor);
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
report({ ready: true, readyMade });
