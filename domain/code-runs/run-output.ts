/** The output of a program in the order of its arrival. Each text ends at a character's end. */
type OutputStream = "stdout" | "stderr";
export type OutputChunk = { stream: OutputStream; text: string };

export function joinChunks(chunks: readonly OutputChunk[]): OutputChunk[] {
  const joined: OutputChunk[] = [];
  for (const { stream, text } of chunks) {
    const last = joined.at(-1);
    if (last?.stream === stream) last.text += text;
    else joined.push({ stream, text });
  }
  return joined;
}

/** Replaces what HTML cannot hold, NUL and lone surrogates, by the replacement character. */
export function toShownOutput(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
