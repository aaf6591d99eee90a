/** Isolates a text inside a sentence, so that neither changes the other's direction. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Isolates text that always reads left to right: file names, sizes, code. */
export function isolateLtr(text: string): string {
  return `\u2066${text}\u2069`;
}
