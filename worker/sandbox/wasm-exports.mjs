/**
 * Of the interpreter's 8,560 exports Pyodide's script uses some 540; the others are there for libraries that a program might
 * load later, and none is ever loaded here. An isolate without them is ready in two thirds of the time.
 */
import { findSection } from "./wasm-sections.mjs";

const EXPORT_SECTION = 7;
const ASSIGNING = "function assignWasmExports(wasmExports){";
const CONVERTING = "function applySignatureConversions(wasmExports){";
const AFTER_CONVERTING = "function callMain(";
const DECLARING = "var _set_method_docstring,";

/** Where a part of the script stands, from its first words to the first of the words that end it. */
function findPart(script, first, last) {
  const from = script.indexOf(first);
  const to = script.indexOf(last, from + first.length);
  if (from < 0 || to < 0) throw new Error(`This is not the Pyodide it was written for: ${first}`);
  return { from, to };
}

/** Exports whose name, with or without the underscore that the script puts before it, stands anywhere but in the lists of all of them. */
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

/** What takes the place of both lists of all exports where these alone are wanted: a part of the script, and a section of the module. */
export function listExports(wasm, script, names) {
  const used = new Set(names);
  const { from, to } = findPart(script, ASSIGNING, "}");
  const nameIn = (assignment) => assignment.slice(assignment.lastIndexOf('["') + 2).split('"')[0];
  const assignments = script
    .slice(from + ASSIGNING.length, to)
    .split(";")
    .filter((assignment) => used.has(nameIn(assignment)));
  return { assignments: assignments.join(";"), section: writeSection(wasm, used) };
}

function writeSection(wasm, used) {
  const { reader } = findExports(wasm);
  const decoder = new TextDecoder();
  const kept = [];
  for (let left = reader.number().value; left > 0; left--) {
    const start = reader.at();
    const name = decoder.decode(reader.take(reader.number().value));
    reader.byte();
    reader.number();
    if (used.has(name)) kept.push(wasm.subarray(start, reader.at()));
  }
  const body = Buffer.concat([toNumber(kept.length), ...kept]);
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
