/**
 * What V8 made of a WebAssembly module, as bytes for the next process: the machine code of every function that its optimising
 * compiler has compiled. V8 offers this by two functions of its own, in a syntax that it reads only where it is told to: that
 * is while the two are compiled here, and never in the isolate. Bytes of another V8, processor or set of flags are not taken.
 */
import v8 from "node:v8";

function ofV8(parameters, expression) {
  v8.setFlagsFromString("--allow-natives-syntax");
  try {
    return new Function(...parameters, `return ${expression}`);
  } finally {
    v8.setFlagsFromString("--no-allow-natives-syntax");
  }
}

/** Functions that run for the first time are compiled once and well, instead of quickly and again. */
export function compileWell(well) {
  v8.setFlagsFromString(well ? "--no-liftoff" : "--liftoff");
}

export const bytesOfModule = (module) => ofV8(["module"], "%SerializeWasmModule(module)")(module);

/** Undefined where V8 does not take the bytes. */
export const moduleOfBytes = (bytes, wasm) =>
  ofV8(["bytes", "wasm"], "%DeserializeWasmModule(bytes, wasm)")(bytes, wasm);
