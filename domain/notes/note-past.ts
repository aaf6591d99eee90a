/** A text that a note had, and the last moment it was the note's. */
type PastText = { content: string; updated_at: Date };

/**
 * What a note said at a moment. Moving or colouring a note changes its moment and not its text, so the text of a moment is the first one
 * kept at it or after it, and the present one where none is. Null where it is not known any more: only the last `kept` texts are.
 */
export function textAt(past: readonly PastText[], now: PastText, at: Date, kept: number): string | null {
  const moment = at.getTime();
  if (moment > now.updated_at.getTime()) return null;
  const first = past.findIndex(({ updated_at }) => updated_at.getTime() >= moment);
  const text = past[first];
  if (!text) return now.content;
  const mayBeOlder = first === 0 && past.length >= kept && text.updated_at.getTime() !== moment;
  return mayBeOlder ? null : text.content;
}
