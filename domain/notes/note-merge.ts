import { joinTexts, type Merge, mergeTexts, type TextsToMerge } from "#domain/text/line-merge.ts";
import { type DifferenceLine, diffTexts } from "#domain/text/text-difference.ts";

/** Merges two texts that a note got from the same base, and shows their difference. */
export type MergedNote = { merged: string; collisions: number; difference: DifferenceLine[] };

export function mergeNote(texts: TextsToMerge): MergedNote {
  return {
    ...toMergedNote(mergeTexts(endTextsWithNewline(texts))),
    difference: diffTexts(texts.theirs, texts.mine),
  };
}

/** Like `mergeNote` without a merge, for when merging takes too long: both texts completely. */
export function joinNoteVersions(texts: TextsToMerge): MergedNote {
  const toChangedLine = (side: "first" | "second", text: string): DifferenceLine => ({
    side,
    pieces: [{ text, changed: true }],
  });
  const difference = [toChangedLine("first", texts.theirs), toChangedLine("second", texts.mine)];
  return { ...toMergedNote(joinTexts(endTextsWithNewline(texts))), difference };
}

const toMergedNote = ({ text, collisions }: Merge) => ({ merged: text.replace(/\n$/, ""), collisions });

/** Without this, a last line without a newline would differ from the same line with one. */
const endWithNewline = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const endTextsWithNewline = ({ base, mine, theirs, labels }: TextsToMerge): TextsToMerge => ({
  base: endWithNewline(base),
  mine: endWithNewline(mine),
  theirs: endWithNewline(theirs),
  labels,
});
