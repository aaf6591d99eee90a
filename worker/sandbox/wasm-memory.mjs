/**
 * A copy of a WebAssembly module whose memory may grow to another number of pages at most. The number is written in place, in
 * as many bytes as the one it replaces, so that no other byte moves.
 */
export function withMemoryMaximum(module, maxPages) {
  const bytes = new Uint8Array(module);
  let at = 8;
  const number = () => {
    const from = at;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return { value, from, size: at - from };
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const { value: length } = number();
    const end = at + length;
    if (section === MEMORY_SECTION) {
      if (number().value !== 1) throw new Error("The module does not have exactly one memory");
      if (bytes[at++] !== HAS_MAXIMUM) throw new Error("The module's memory has no maximum to replace");
      number();
      write(bytes, number(), maxPages);
      return bytes;
    }
    at = end;
  }
  throw new Error("The module has no memory of its own");
}

const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

function write(bytes, { from, size, value }, replacement) {
  if (replacement > value) throw new Error("The module's memory has a lower maximum already");
  for (let i = 0; i < size; i++)
    bytes[from + i] = ((replacement >>> (7 * i)) & 0x7f) | (i < size - 1 ? 0x80 : 0);
}
