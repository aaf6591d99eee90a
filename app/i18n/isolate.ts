/** A text inside a sentence of another direction: its own order stays, and so does the sentence's. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** The same for what always reads from left to right: file names, sizes, code. */
export function isolateLtr(text: string): string {
  return `\u2066${text}\u2069`;
}
