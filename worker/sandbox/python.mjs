/**
 * Python in isolates. Everything that the isolates of this process share is read once; every program gets its own isolate and
 * its own interpreter's memory from the snapshot.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { bytesOfModule, compileWell, moduleOfBytes } from "./native-code.mjs";
import { editPyodide } from "./pyodide-edits.mjs";
import { findUsedExports, listExports, withAssignments, withExports } from "./wasm-exports.mjs";
import { withMemoryMaximum } from "./wasm-memory.mjs";

const ISOLATE_MEMORY_MB = 160;
const GUEST_FILES = ["text-encoding.js", "shims.js", "seal.js", "files.js", "scrypt.js", "boot.js"];
const CODE_PARTS = 5;
const MAKING_MEMORY_BYTES = 64 * 1024 * 1024;

const readSize = (descriptor) => fstatSync(descriptor).size;

function readInto(memory, descriptor, from = 0) {
  const bytes = new Uint8Array(memory);
  for (let offset = 0; offset < bytes.length; ) {
    const length = readSync(descriptor, bytes, offset, bytes.length - offset, from + offset);
    if (length === 0) throw new Error("A ready-made file is shorter than it says");
    offset += length;
  }
  return memory;
}

/**
 * Reads the file of ready-made code: the lengths of its parts, then the parts: the replacements of the lists of exports in the
 * script and in the interpreter, the empty parts of the snapshot, and V8's compiled script and interpreter.
 */
function readCode(descriptor) {
  if (readSize(descriptor) === 0) return null;
  const lengths = new Uint32Array(readInto(new ArrayBuffer(4 * CODE_PARTS), descriptor));
  let offset = lengths.byteLength;
  const [assignments, section, empty, script, interpreter] = Array.from(lengths, (length) => {
    const part = readInto(new ArrayBuffer(length), descriptor, offset);
    offset += length;
    return part;
  });
  const text = (part) => new TextDecoder().decode(part);
  const exports = { assignments: text(assignments), section: new Uint8Array(section) };
  return { exports, empty: JSON.parse(text(empty)), script, interpreter };
}

const BLOCK_BYTES = 65_536;
const EMPTY_MIN_BYTES = 16 * BLOCK_BYTES;

/** Returns the long empty parts of the snapshot's memory, as pairs of start and end. */
function findEmptyParts(snapshot) {
  const [, headBytes] = new Uint32Array(snapshot);
  const memory = Buffer.from(snapshot, headBytes);
  const emptyBlock = Buffer.alloc(BLOCK_BYTES);
  const parts = [];
  let from = 0;
  for (let end = 0; end <= memory.length; end += BLOCK_BYTES) {
    if (end < memory.length && emptyBlock.equals(memory.subarray(end, end + BLOCK_BYTES))) continue;
    if (end - from >= EMPTY_MIN_BYTES) parts.push([from, end]);
    from = end + BLOCK_BYTES;
  }
  return parts;
}

/** Reads random bytes from the kernel: loading Node's cryptography takes longer than compiling the interpreter. */
function drawRandomBytes(length) {
  const bytes = new Uint8Array(length);
  const source = openSync("/dev/urandom", "r");
  if (readSync(source, bytes) !== length) throw new Error("There is no randomness to be had");
  closeSync(source);
  return bytes;
}

const readGuestFile = (name) => readFileSync(new URL(`./guest/${name}`, import.meta.url), "utf8");

function readPyodideScript(settings) {
  const file = "pyodide.asm.mjs";
  return editPyodide(readFileSync(join(settings.pyodide, file), "latin1")).replaceAll(
    "import.meta.url",
    `"file:///${file}"`,
  );
}

/** Reads everything that the isolates of this process share. */
export function readInterpreter(ivm, settings, { snapshotFd, codeFd }) {
  const read = (name) => readFileSync(join(settings.pyodide, name));
  const wholeModule = withMemoryMaximum(read("pyodide.asm.wasm"), settings.memoryMaxPages);
  const zip = read("python_stdlib.zip");
  const code = settings.make === null ? readCode(codeFd) : null;
  const scripts = GUEST_FILES.map((name) => ({ name, source: readGuestFile(name) }));
  const loader = read("pyodide.mjs").toString("latin1");
  const wholeScript = readPyodideScript(settings);
  const findUsed = () =>
    findUsedExports(wholeModule, wholeScript, [loader, ...scripts.map(({ source }) => source)]);
  // Finding the used exports takes longer than one process saves, so it is done once for later ones.
  const exports =
    settings.make === "code" ? listExports(wholeModule, wholeScript, findUsed()) : (code?.exports ?? null);
  const wasm = exports ? withExports(wholeModule, exports.section) : wholeModule;
  const cachedModule = code && moduleOfBytes(code.interpreter, wasm);
  const module = cachedModule ?? new WebAssembly.Module(wasm);
  const makesSnapshot = settings.make === "snapshot";
  const snapshot = new SharedArrayBuffer(makesSnapshot ? 0 : readSize(snapshotFd));
  if (!makesSnapshot) readInto(snapshot, snapshotFd);
  const toShared = (value) => new ivm.ExternalCopy(value);
  return {
    module,
    exports,
    empty: settings.make === "code" ? findEmptyParts(snapshot) : (code?.empty ?? []),
    isTaken: Boolean(cachedModule),
    shared: {
      module: toShared(module),
      stdlib: toShared(zip.buffer.slice(zip.byteOffset, zip.byteOffset + zip.length)),
      snapshot: toShared(snapshot),
    },
    scripts,
    pyodideScript: exports ? withAssignments(wholeScript, exports.assignments) : wholeScript,
    cachedScript: code && toShared(code.script),
    loader,
  };
}

/** Creates an isolate with Python that has run nothing. */
export async function createPython({ ivm, settings, interpreter, output, onFatal }) {
  const isolate = new ivm.Isolate({ memoryLimit: ISOLATE_MEMORY_MB, onCatastrophicError: onFatal });
  const context = isolate.createContextSync();
  for (const { name, source } of interpreter.scripts)
    isolate.compileScriptSync(source, { filename: `file:///${name}` }).runSync(context);
  const entropy = new ivm.ExternalCopy(drawRandomBytes(32).buffer);
  const { module, stdlib } = interpreter.shared;
  context.evalClosureSync(
    "defineTextEncoding(); layShims({ wasm: $0, stdlib: $1, entropy: $2 }); laySeal();",
    [module.copyInto(), stdlib.copyInto(), entropy.copyInto({ release: true })],
  );
  const script = runPyodideScript({ ivm, settings, isolate, context }, interpreter);
  importLoader(isolate, context, interpreter.loader);
  if (settings.make === "code") compileWell(true);
  const snapshot = await boot({ ivm, settings, context, interpreter, output });
  const start = settings.make === "snapshot" ? null : context.global.getSync("start", { reference: true });
  return { isolate, script, snapshot, start, isReadyMade: interpreter.isTaken && !script.cachedDataRejected };
}

function runPyodideScript({ settings, isolate, context }, { pyodideScript, cachedScript }) {
  const script = isolate.compileScriptSync(pyodideScript, {
    filename: "file:///pyodide.asm.mjs",
    ...(cachedScript && { cachedData: cachedScript }),
    produceCachedData: settings.make === "code",
  });
  script.runSync(context);
  return script;
}

function importLoader(isolate, context, source) {
  const module = isolate.compileModuleSync(source, { filename: "file:///pyodide.mjs" });
  module.instantiateSync(context, () => {
    throw new Error("Nothing can be imported");
  });
  module.evaluateSync();
  const loader = module.namespace.getSync("loadPyodide", { reference: true });
  context.global.setSync("loadPyodide", loader.derefInto());
}

function boot({ ivm, settings, context, interpreter, output }) {
  const makeSnapshot = settings.make === "snapshot";
  const { outputMaxBytes } = settings;
  const order = { makeSnapshot, outputMaxBytes, empty: interpreter.empty, runner: "" };
  if (makeSnapshot) order.runner = writeRunnerModule(settings.readyModules);
  const toCopy = (value) => new ivm.ExternalCopy(value).copyInto({ release: true });
  return context.evalClosure(
    "return boot({ ...$0, output: $1, snapshot: $2 })",
    [toCopy(order), toCopy(output.buffer), interpreter.shared.snapshot.copyInto()],
    { result: { promise: true, copy: true } },
  );
}

const writeRunnerModule = (readyModules) => `
import sys, types
_run = types.ModuleType("_run")
sys.modules["_run"] = _run
_run.READY = ${JSON.stringify(readyModules)}
exec(compile(${JSON.stringify(readGuestFile("runner.py"))}, "_run", "exec"), _run.__dict__)
exec(compile(${JSON.stringify(readGuestFile("key_derivation.py"))}, "key_derivation", "exec"), {"__name__": "key_derivation"})
del _run, types
import gc; gc.collect()
`;

export async function runPython({ start }, { program, order, memoryBytes, timeoutMs, stdin, folder }) {
  try {
    const { exit, refusedGrowth, grownBytes, written } = await start.apply(
      undefined,
      [program, order, memoryBytes, { stdin, ...folder }],
      { timeout: timeoutMs, arguments: { copy: true }, result: { copy: true } },
    );
    return { exit, refusedGrowth, grownBytes, written };
  } catch ({ message }) {
    return { timedOut: /timed out/.test(message), refusedGrowth: /memory limit/.test(message) };
  }
}

/** The code of what a typical program uses, once one has run, as the parts of its file. */
export async function makeCode(python, interpreter) {
  const folder = { name: "main.py", files: [], keeps: { filesMax: 0 } };
  const order = JSON.stringify({ allowed_imports: null, name: folder.name, args: [] });
  const program = readGuestFile("typical.py");
  await runPython(python, { program, order, memoryBytes: MAKING_MEMORY_BYTES, stdin: "", folder });
  compileWell(false);
  const script = python.script.cachedData.copy();
  const { exports, empty, module } = interpreter;
  const bytes = (text) => new TextEncoder().encode(text);
  const parts = [
    bytes(exports.assignments),
    exports.section,
    bytes(JSON.stringify(empty)),
    script,
    bytesOfModule(module),
  ].map((part) => new Uint8Array(part));
  return [new Uint8Array(Uint32Array.from(parts, ({ length }) => length).buffer), ...parts];
}
