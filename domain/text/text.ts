/** Lengths are counted in characters as people see limits, never in bytes: a Hebrew letter and an emoji count one each. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) if (isPair(text, at - 1)) count -= 1;
  return count;
}

/** At most so many characters of a text, from its start. */
export function firstCharacters(text: string, max: number): string {
  // No character takes more than two units: what is far beyond the limit is not looked at.
  return [...text.slice(0, 2 * max)].slice(0, max).join("");
}

const isPair = (text: string, at: number) =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

/** Node counts without making the bytes; browsers cannot. */
export const utf8Bytes = (text: string): number =>
  globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).byteLength;

const LINE_SEPARATORS = [0x2028, 0x2029];

/** C0 and C1 controls, NUL and everything that ends a line included: what one line of text does not have. */
export function hasControlCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || LINE_SEPARATORS.includes(code)) return true;
  }
  return false;
}
