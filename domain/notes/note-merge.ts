import { joinTexts, type Merge, mergeTexts, type TextsToMerge } from "#domain/text/line-merge.ts";
import { type DifferenceLine, textDifference } from "#domain/text/text-difference.ts";

/** Two texts of a note that began as one: what they make together, and their text and mine read as one. */
export type MergedNote = { merged: string; collisions: number; difference: DifferenceLine[] };

export function mergeNote(texts: TextsToMerge): MergedNote {
  return {
    ...mergedNote(mergeTexts(endedTexts(texts))),
    difference: textDifference(texts.theirs, texts.mine),
  };
}

/** The same where merging takes too long: both whole. */
export function joinNote(texts: TextsToMerge): MergedNote {
  const whole = (side: "first" | "second", text: string): DifferenceLine => ({
    side,
    pieces: [{ text, changed: true }],
  });
  const difference = [whole("first", texts.theirs), whole("second", texts.mine)];
  return { ...mergedNote(joinTexts(endedTexts(texts))), difference };
}

const mergedNote = ({ text, collisions }: Merge) => ({ merged: text.replace(/\n$/, ""), collisions });

/** Last lines without an end would otherwise differ from the same lines with one. */
const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const endedTexts = ({ base, mine, theirs, labels }: TextsToMerge): TextsToMerge => ({
  base: ended(base),
  mine: ended(mine),
  theirs: ended(theirs),
  labels,
});
