/**
 * Pyodide's script uses about 540 of the interpreter's 8,560 exports; the others are for libraries that a program might load,
 * and none is ever loaded here. An isolate without them is ready in two thirds of the time.
 */
import { findSection } from "./wasm-sections.mjs";

const EXPORT_SECTION = 7;
const ASSIGNING = "function assignWasmExports(wasmExports){";
const CONVERTING = "function applySignatureConversions(wasmExports){";
const AFTER_CONVERTING = "function callMain(";
const DECLARING = "var _set_method_docstring,";

function findPart(script, first, last) {
  const from = script.indexOf(first);
  const to = script.indexOf(last, from + first.length);
  if (from < 0 || to < 0) throw new Error(`This is not the Pyodide it was written for: ${first}`);
  return { from, to };
}

/** Finds exports whose name appears, with or without the script's leading underscore, anywhere except in the lists of all exports. */
export function findUsedExports(wasm, script, otherScripts) {
  const lists = [
    findPart(script, DECLARING, ";"),
    findPart(script, ASSIGNING, "}"),
    findPart(script, CONVERTING, AFTER_CONVERTING),
  ];
  const texts = [...otherScripts];
  let from = 0;
  for (const list of lists.sort((a, b) => a.from - b.from)) {
    texts.push(script.slice(from, list.from));
    from = list.to;
  }
  texts.push(script.slice(from));
  const words = new Set(texts.flatMap((text) => text.match(/[\w$]+/g)));
  const names = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name);
  return names.filter((name) => words.has(name) || words.has(`_${name}`));
}

/** Returns the replacements of both lists of exports for the used ones: a part of the script, and a section of the module. */
export function listExports(wasm, script, names) {
  const used = new Set(names);
  const { from, to } = findPart(script, ASSIGNING, "}");
  const findName = (assignment) => assignment.slice(assignment.lastIndexOf('["') + 2).split('"')[0];
  const assignments = script
    .slice(from + ASSIGNING.length, to)
    .split(";")
    .filter((assignment) => used.has(findName(assignment)));
  return { assignments: assignments.join(";"), section: writeSection(wasm, used) };
}

function writeSection(wasm, used) {
  const { reader } = findExports(wasm);
  const decoder = new TextDecoder();
  const entries = [];
  for (let remaining = reader.number().value; remaining > 0; remaining--) {
    const start = reader.at();
    const name = decoder.decode(reader.take(reader.number().value));
    reader.byte();
    reader.number();
    if (used.has(name)) entries.push(wasm.subarray(start, reader.at()));
  }
  const body = Buffer.concat([toNumber(entries.length), ...entries]);
  return Buffer.concat([Uint8Array.of(EXPORT_SECTION), toNumber(body.length), body]);
}

function findExports(wasm) {
  const section = findSection(wasm, EXPORT_SECTION);
  if (!section) throw new Error("The module exports nothing");
  return section;
}

export function withAssignments(script, assignments) {
  const { from, to } = findPart(script, ASSIGNING, "}");
  return script.slice(0, from) + ASSIGNING + assignments + script.slice(to);
}

export function withExports(wasm, section) {
  const { from, to } = findExports(wasm);
  return Buffer.concat([wasm.subarray(0, from), section, wasm.subarray(to)]);
}

function toNumber(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
