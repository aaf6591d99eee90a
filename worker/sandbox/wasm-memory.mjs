import { findSection } from "./wasm-sections.mjs";

const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

/**
 * Copies a WebAssembly module with another maximum of its memory's pages. The number is written in place with the same number
 * of bytes, so that no other byte moves.
 */
export function withMemoryMaximum(module, maxPages) {
  const bytes = new Uint8Array(module);
  const section = findSection(bytes, MEMORY_SECTION);
  if (!section) throw new Error("The module has no memory of its own");
  const { reader } = section;
  if (reader.number().value !== 1) throw new Error("The module does not have exactly one memory");
  if (reader.byte() !== HAS_MAXIMUM) throw new Error("The module's memory has no maximum to replace");
  reader.number();
  write(bytes, reader.number(), maxPages);
  return bytes;
}

function write(bytes, { from, size, value }, replacement) {
  if (replacement > value) throw new Error("The module's memory has a lower maximum already");
  for (let i = 0; i < size; i++)
    bytes[from + i] = ((replacement >>> (7 * i)) & 0x7f) | (i < size - 1 ? 0x80 : 0);
}
