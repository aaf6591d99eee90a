/**
 * Turns V8's compiled form of a WebAssembly module into bytes for the next process, and back: the machine code of all functions that its
 * optimising compiler has compiled. V8 offers two internal functions for this in a special syntax, which is enabled only while the two are
 * compiled here and never in the isolate. V8 rejects bytes of another version, processor or set of flags.
 */
import v8 from "node:v8";

function compileInternal(parameters, expression) {
  v8.setFlagsFromString("--allow-natives-syntax");
  try {
    return new Function(...parameters, `return ${expression}`);
  } finally {
    v8.setFlagsFromString("--no-allow-natives-syntax");
  }
}

/** With `well`, functions are compiled once and optimised at their first run, instead of quickly and then again. */
export function compileWell(well) {
  v8.setFlagsFromString(well ? "--no-liftoff" : "--liftoff");
}

export const bytesOfModule = (module) => compileInternal(["module"], "%SerializeWasmModule(module)")(module);

/** Returns undefined if V8 rejects the bytes. */
export const moduleOfBytes = (bytes, wasm) =>
  compileInternal(["bytes", "wasm"], "%DeserializeWasmModule(bytes, wasm)")(bytes, wasm);
