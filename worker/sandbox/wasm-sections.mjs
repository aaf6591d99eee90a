/** Reads a WebAssembly module's bytes from a place on. Each number is told with where it stood and how many bytes it took. */
function openReader(bytes, from) {
  let at = from;
  const number = () => {
    const from = at;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return { value, from, size: at - from };
    }
  };
  return {
    at: () => at,
    byte: () => bytes[at++],
    number,
    /** Passes over so many bytes, and answers with them. */
    take: (length) => {
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

const HEAD_BYTES = 8;

/** The first section of this kind: where it stands, its head included, and a reader at its contents. Null where there is none. */
export function findSection(bytes, kind) {
  const reader = openReader(bytes, HEAD_BYTES);
  while (reader.at() < bytes.length) {
    const from = reader.at();
    const found = reader.byte();
    const { value: length } = reader.number();
    if (found === kind) return { from, to: reader.at() + length, reader };
    reader.take(length);
  }
  return null;
}
