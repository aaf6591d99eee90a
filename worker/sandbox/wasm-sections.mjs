/** Reads a WebAssembly module's bytes. Each number comes with its position and length. */
function openReader(bytes, from) {
  let offset = from;
  const number = () => {
    const from = offset;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[offset++];
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return { value, from, size: offset - from };
    }
  };
  return {
    at: () => offset,
    byte: () => bytes[offset++],
    number,
    take: (length) => {
      offset += length;
      return bytes.subarray(offset - length, offset);
    },
  };
}

const HEAD_BYTES = 8;

/** Finds the first section of a kind: its range including the head, and a reader at its contents. Null if there is none. */
export function findSection(bytes, kind) {
  const reader = openReader(bytes, HEAD_BYTES);
  while (reader.at() < bytes.length) {
    const from = reader.at();
    const sectionKind = reader.byte();
    const { value: length } = reader.number();
    if (sectionKind === kind) return { from, to: reader.at() + length, reader };
    reader.take(length);
  }
  return null;
}
