/** What a program prints, in the order in which it came; each text is of whole characters. */
type OutputStream = "stdout" | "stderr";
export type OutputChunk = { stream: OutputStream; text: string };

/** The same texts with neighbours of one stream joined. */
export function joinChunks(chunks: readonly OutputChunk[]): OutputChunk[] {
  const joined: OutputChunk[] = [];
  for (const { stream, text } of chunks) {
    const last = joined.at(-1);
    if (last?.stream === stream) last.text += text;
    else joined.push({ stream, text });
  }
  return joined;
}

/** What HTML cannot hold, a NUL and half a surrogate pair, is shown as the replacement character. */
export function toShownOutput(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
