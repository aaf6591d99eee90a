import { type Change, diffLines, splitLines } from "#domain/text/line-diff.ts";

/** What became of two texts that began as one; `collisions` counts the places a person has to decide. */
export type Merge = { text: string; collisions: number };
export type MergeLabels = { mine: string; theirs: string };

/** A stretch of the common text and what one side put in its place. */
type Edit = { start: number; end: number; lines: string[] };

/**
 * Merges line by line. What one side changed is taken from it, what both changed alike is taken once. Only where both
 * changed the same lines, or put different lines at the same place, do both stand in the text between markers.
 */
export function mergeLines(base: string, mine: string, theirs: string, labels: MergeLabels): Merge {
  const lines = splitLines(base);
  const groups = colliding(findEdits(lines, mine), findEdits(lines, theirs));
  const merged: string[][] = [];
  let [at, collisions] = [0, 0];
  for (const group of groups) {
    merged.push(lines.slice(at, group.start));
    const [ours, others] = [applySide(group, group.mine, lines), applySide(group, group.theirs, lines)];
    if (group.theirs.length === 0 || ours.join("") === others.join("")) merged.push(ours);
    else if (group.mine.length === 0) merged.push(others);
    else {
      merged.push(marked(ours, others, labels));
      collisions += 1;
    }
    at = group.end;
  }
  merged.push(lines.slice(at));
  return { text: merged.map((part) => part.join("")).join(""), collisions };
}

function findEdits(base: string[], text: string): Edit[] {
  return diffLines(base, splitLines(text)).map(({ from, removed, added }: Change) => ({
    start: from,
    end: from + removed.length,
    lines: added,
  }));
}

type Group = { start: number; end: number; mine: Edit[]; theirs: Edit[] };

/** Both sides' edits in order; those that touch the same lines are in one group. */
function colliding(mine: Edit[], theirs: Edit[]): Group[] {
  const all = [
    ...mine.map((edit) => ({ edit, side: "mine" as const })),
    ...theirs.map((edit) => ({ edit, side: "theirs" as const })),
  ].sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const groups: Group[] = [];
  for (const { edit, side } of all) {
    let group = groups.at(-1);
    if (!group || !collides(group, edit)) {
      group = { start: edit.start, end: edit.end, mine: [], theirs: [] };
      groups.push(group);
    }
    group[side].push(edit);
    group.end = Math.max(group.end, edit.end);
  }
  return groups;
}

function collides(group: Group, edit: Edit): boolean {
  const bothInsert = group.start === group.end && edit.start === edit.end && group.start === edit.start;
  return bothInsert || edit.start < group.end;
}

/** What one side has in place of a group's lines. */
function applySide(group: Group, edits: Edit[], base: string[]): string[] {
  const parts: string[][] = [];
  let at = group.start;
  for (const edit of edits) {
    parts.push(base.slice(at, edit.start), edit.lines);
    at = edit.end;
  }
  return [...parts, base.slice(at, group.end)].flat();
}

function marked(mine: string[], theirs: string[], labels: MergeLabels): string[] {
  return [
    `<<<<<<< ${labels.mine}\n`,
    ...ended(mine),
    "=======\n",
    ...ended(theirs),
    `>>>>>>> ${labels.theirs}\n`,
  ];
}

/** How many places of a text are marked as a collision of two texts. */
export function countMergeMarks(text: string): number {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  return Math.min(count(/^<{7} /gm), count(/^>{7} /gm));
}

/** A last line without its end would run into the marker behind it. */
function ended(lines: string[]): string[] {
  return lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`));
}

export type TextsToMerge = { base: string; mine: string; theirs: string; labels: MergeLabels };

/** As above, for a thread. */
export const mergeTexts = ({ base, mine, theirs, labels }: TextsToMerge): Merge =>
  mergeLines(base, mine, theirs, labels);

/** Both texts whole, one after the other: what is left to a person where merging them takes too long. */
export function joinTexts({ mine, theirs, labels }: TextsToMerge): Merge {
  return { text: marked([mine], [theirs], labels).join(""), collisions: 1 };
}
