/** Lengths are counted in characters as people see limits, never in bytes: a Hebrew letter and an emoji count one each. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

const LINE_SEPARATORS = [0x2028, 0x2029];

/** C0 and C1 controls, NUL and everything that ends a line included: what one line of text does not have. */
export function hasControlCharacters(text: string): boolean {
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || LINE_SEPARATORS.includes(code)) return true;
  }
  return false;
}
