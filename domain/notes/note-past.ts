/** A text of a note with the time of its last change. */
type PastText = { content: string; updated_at: Date };

/**
 * Returns the text of a note at a moment. Moving or colouring a note changes its time but not its text, so the result is the first text
 * stored at or after the moment, otherwise the current one. It is null if that text is no longer stored, because only the last `max` are.
 */
export function textAt(past: readonly PastText[], current: PastText, when: Date, max: number): string | null {
  const momentMs = when.getTime();
  if (momentMs > current.updated_at.getTime()) return null;
  const index = past.findIndex(({ updated_at }) => updated_at.getTime() >= momentMs);
  const text = past[index];
  if (!text) return current.content;
  const mayBeMissing = index === 0 && past.length >= max && text.updated_at.getTime() !== momentMs;
  return mayBeMissing ? null : text.content;
}
