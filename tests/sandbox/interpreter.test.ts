import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { bytesOfModule, compileWell, moduleOfBytes } from "#worker/sandbox/native-code.mjs";
import { PYODIDE } from "#worker/sandbox/program.ts";
import { editPyodide, PYODIDE_EDITS } from "#worker/sandbox/pyodide-edits.mjs";
import { findUsedExports, listExports, withAssignments, withExports } from "#worker/sandbox/wasm-exports.mjs";
import { withMemoryMaximum } from "#worker/sandbox/wasm-memory.mjs";

const wasm = readFileSync(join(PYODIDE, "pyodide.asm.wasm"));
const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
const functions = imports
  .filter(({ kind }) => kind === "function")
  .map(({ module, name }) => `${module} ${name}`);

describe("the interpreter", () => {
  /** A new name on this list is a new way out: decide in guest/seal.js how to handle it before changing the test. */
  it("asks for exactly the functions the seal was written for", () => {
    const list = createHash("sha256").update(functions.sort().join("\n")).digest("hex");
    expect([functions.length, list]).toEqual([268, IMPORTS_SHA256]);
  });

  it("is the version the seal was written for", () => {
    const { version } = JSON.parse(readFileSync(join(PYODIDE, "package.json"), "utf8"));
    expect(version).toBe("314.0.7");
  });

  it("gets its memory's maximum replaced in place", () => {
    const limited = withMemoryMaximum(wasm, 600);

    expect(limited.length).toBe(wasm.length);
    expect(WebAssembly.validate(limited)).toBe(true);
    const changed = [...limited.keys()].filter((i) => limited[i] !== wasm[i]);
    expect(changed.length).toBeGreaterThan(0);
    expect(required(changed.at(-1)) - itemAt(changed, 0)).toBeLessThan(5);
  });

  it("is refused where there is no maximum to replace", () => {
    const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    expect(() => withMemoryMaximum(EMPTY, 600)).toThrow("no memory of its own");
    expect(() => withMemoryMaximum(wasm, 65_537)).toThrow("lower maximum");
  });
});

describe("an edit of the interpreter's script", () => {
  const script = readFileSync(join(PYODIDE, "pyodide.asm.mjs"), "latin1");

  it.each(PYODIDE_EDITS)("replaces a text that is there exactly once: $why", ({ from, to }) => {
    expect(script.split(from)).toHaveLength(2);
    expect(editPyodide(script)).toContain(to);
    for (const other of [script.replace(from, ""), `${script}${from}`])
      expect(() => editPyodide(other)).toThrow(from);
  });
});

describe("the interpreter's exports", () => {
  const script = readFileSync(join(PYODIDE, "pyodide.asm.mjs"), "latin1");
  const names = findUsedExports(wasm, script, ["python._PyRun_SimpleStringFlags(text, 0)"]);

  it("are those that a script uses, and none that only the full lists name", () => {
    expect(names).toEqual(
      expect.arrayContaining(["memory", "malloc", "PyRun_SimpleStringFlags", "__wasm_call_ctors"]),
    );
    expect(names).not.toContain("PyDict_Watch");
    expect(names.length).toBeLessThan(1_000);
  });

  it("are taken out of the module and of the script's assignments, and nothing else is", () => {
    const { assignments, section } = listExports(wasm, script, names);
    const [lean, leanScript] = [withExports(wasm, section), withAssignments(script, assignments)];

    const module = new WebAssembly.Module(lean);
    expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toEqual(names);
    expect(WebAssembly.Module.imports(module)).toEqual(imports);
    expect(leanScript).toContain('_malloc=Module["_malloc"]=wasmExports["malloc"]');
    expect(script).toContain('wasmExports["PyDict_Watch"]');
    expect(leanScript).not.toContain('wasmExports["PyDict_Watch"]');
    const assigning = script.indexOf("function assignWasmExports");
    expect(leanScript.slice(0, assigning)).toBe(script.slice(0, assigning));
    expect(script.endsWith(leanScript.slice(leanScript.indexOf("}", assigning)))).toBe(true);
  });

  it("are refused in a script of another Pyodide", () => {
    expect(() => findUsedExports(wasm, "export default {}", [])).toThrow("not the Pyodide");
  });
});

describe("code kept for the next process", () => {
  // (func (export "f") (param i32) (result i32) local.get 0 i32.const 1 i32.add)
  const SUCCESSOR = Uint8Array.from(
    Buffer.from("0061736d0100000001060160017f017f03020100070501016600000a09010700200041016a0b", "hex"),
  );
  const successor = (module: WebAssembly.Module) =>
    (new WebAssembly.Instance(module).exports.f as (n: number) => number)(41);

  it("is accepted only complete and from the same V8, and leaves V8's own syntax off", () => {
    const module = new WebAssembly.Module(SUCCESSOR);
    compileWell(true);
    expect(successor(module)).toBe(42);
    compileWell(false);
    const bytes = bytesOfModule(module);
    const again = moduleOfBytes(bytes, SUCCESSOR);
    expect(again && successor(again)).toBe(42);
    new Uint8Array(bytes).fill(0xff, 0, 16);
    expect(moduleOfBytes(bytes, SUCCESSOR)).toBeUndefined();
    expect(() => new Function("return %IsTurboFanFunction")).toThrow(SyntaxError);
  });
});

const IMPORTS_SHA256 = "066b7d52b99f95959ec2e196f1b5c65b113826c48c8a6d222ba5b87a676fc286";
