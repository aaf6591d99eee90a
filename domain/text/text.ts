/** Counts code points, not UTF-16 units or bytes: a Hebrew letter and a simple emoji count as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i += 1) if (isPair(text, i - 1)) count -= 1;
  return count;
}

export function cutToCharacters(text: string, max: number): string {
  // No character takes more than two units, so text far beyond the limit is not read.
  return [...text.slice(0, 2 * max)].slice(0, max).join("");
}

const isPair = (text: string, i: number) =>
  (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;

/** Node counts without encoding; browsers cannot. */
export const utf8Bytes = (text: string): number =>
  globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).byteLength;

const LINE_SEPARATORS = [0x2028, 0x2029];

/** True for C0 and C1 controls, including NUL and all line ends: none of them belongs in a text of one line. */
export function hasControlCharacters(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || LINE_SEPARATORS.includes(code)) return true;
  }
  return false;
}
