/**
 * The edits of Pyodide's script, in one table: `why`, the text to replace, and the text instead. Each text must be there exactly
 * once. An upgrade that changed one of them is refused, in a test for each edit and when an interpreter starts.
 */
export const PYODIDE_EDITS = [
  {
    why: "it links each of its 8,560 exports by name for libraries, and none is ever loaded here; linking what it needs takes a quarter of the time",
    from: "for(var symName in exports){if(isInternalSym(symName)){continue}",
    to: "for(var symName in exports){if(!GOT[symName]||isInternalSym(symName)){continue}",
  },
  {
    why: "it keeps all exports as symbols for libraries, and only the entry is needed",
    from: 'mergeLibSymbols(wasmExports,"main");',
    to: 'mergeLibSymbols({__main_argc_argv:wasmExports["__main_argc_argv"]},"main");',
  },
  {
    why: "it checks whether its 281 functions for the table are in it, and none is yet; checking took a tenth of the time",
    from: "functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)",
    to: "functionsInTableMap=new WeakMap",
  },
  {
    why: "it tries functions without the table's form first; all have a signature, and the error took a quarter of the time",
    from: "try{setWasmTableEntry(ret,func)}catch(err){if(!(err instanceof TypeError)){throw err}var wrapped=convertJsFunctionToWasm(func,sig);setWasmTableEntry(ret,wrapped)}",
    to: "setWasmTableEntry(ret,sig===undefined?func:convertJsFunctionToWasm(func,sig));",
  },
  {
    why: "it wraps each function by a module that depends only on the signature, so the modules are looked up",
    from: "convertJsFunctionToWasm=(func,sig)=>{var bytes=",
    to: "convertJsFunctionToWasm=(func,sig)=>{var known=convertJsFunctionToWasm[sig];if(known)return new WebAssembly.Instance(known,{e:{f:func}}).exports.f;var bytes=",
  },
  {
    why: "the modules of the wrapped functions are stored",
    from: "var module=new WebAssembly.Module(bytes);var instance",
    to: "var module=convertJsFunctionToWasm[sig]=new WebAssembly.Module(bytes);var instance",
  },
  {
    why: "the memory of a snapshot is restored by the sandbox",
    from: "return Module.HEAP8.set(t),l}",
    to: "return sandbox.restore(Module,t),l}",
  },
  {
    why: "V8 caches only scripts, and of them only functions in parentheses, which it compiles at once",
    from: "async function _createPyodideModule(moduleArg={}){",
    to: '"use strict";globalThis.createPyodideModule=(async function(moduleArg={}){',
  },
  {
    why: "the end of the script that was a module",
    from: ";return moduleRtn}export default _createPyodideModule;",
    to: ";return moduleRtn});",
  },
];

export const editPyodide = (script) => PYODIDE_EDITS.reduce(replaceOnce, script);

function replaceOnce(script, { from, to }) {
  if (script.split(from).length !== 2) throw new Error(`This is not the Pyodide it was written for: ${from}`);
  return script.replace(from, () => to);
}
