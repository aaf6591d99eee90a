import { type Change, diffLines, splitLines } from "#domain/text/line-diff.ts";

/** The merge of two texts with a common base; `collisions` counts the decisions left to a person. */
export type Merge = { text: string; collisions: number };
export type MergeLabels = { mine: string; theirs: string };

/** A section of the base and its replacement on one side. */
type Edit = { start: number; end: number; lines: string[] };

/**
 * Merges line by line. A change of one side is taken from it, and equal changes of both are taken once. If both changed the
 * same lines, or inserted different lines at the same position, both versions are in the text between markers.
 */
export function mergeLines(base: string, mine: string, theirs: string, labels: MergeLabels): Merge {
  const lines = splitLines(base);
  const groups = groupCollisions(findEdits(lines, mine), findEdits(lines, theirs));
  const parts: string[][] = [];
  let [line, collisions] = [0, 0];
  for (const group of groups) {
    parts.push(lines.slice(line, group.start));
    const [ours, theirLines] = [applySide(group, group.mine, lines), applySide(group, group.theirs, lines)];
    if (group.theirs.length === 0 || ours.join("") === theirLines.join("")) parts.push(ours);
    else if (group.mine.length === 0) parts.push(theirLines);
    else {
      parts.push(markCollision(ours, theirLines, labels));
      collisions += 1;
    }
    line = group.end;
  }
  parts.push(lines.slice(line));
  return { text: parts.map((part) => part.join("")).join(""), collisions };
}

function findEdits(base: string[], text: string): Edit[] {
  return diffLines(base, splitLines(text)).map(({ from, removed, added }: Change) => ({
    start: from,
    end: from + removed.length,
    lines: added,
  }));
}

type Group = { start: number; end: number; mine: Edit[]; theirs: Edit[] };

function groupCollisions(mine: Edit[], theirs: Edit[]): Group[] {
  const allEdits = [
    ...mine.map((edit) => ({ edit, side: "mine" as const })),
    ...theirs.map((edit) => ({ edit, side: "theirs" as const })),
  ].sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  const groups: Group[] = [];
  for (const { edit, side } of allEdits) {
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

function applySide(group: Group, edits: Edit[], base: string[]): string[] {
  const parts: string[][] = [];
  let line = group.start;
  for (const edit of edits) {
    parts.push(base.slice(line, edit.start), edit.lines);
    line = edit.end;
  }
  return [...parts, base.slice(line, group.end)].flat();
}

function markCollision(mine: string[], theirs: string[], labels: MergeLabels): string[] {
  return [
    `<<<<<<< ${labels.mine}\n`,
    ...endWithNewline(mine),
    "=======\n",
    ...endWithNewline(theirs),
    `>>>>>>> ${labels.theirs}\n`,
  ];
}

export function countMergeMarks(text: string): number {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  return Math.min(count(/^<{7} /gm), count(/^>{7} /gm));
}

/** A last line without newline would run into the marker after it. */
function endWithNewline(lines: string[]): string[] {
  return lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`));
}

export type TextsToMerge = { base: string; mine: string; theirs: string; labels: MergeLabels };

/** Runs `mergeLines` on a thread, which takes only one argument. */
export const mergeTexts = ({ base, mine, theirs, labels }: TextsToMerge): Merge =>
  mergeLines(base, mine, theirs, labels);

/** Puts both texts completely into the result, for when merging takes too long. */
export function joinTexts({ mine, theirs, labels }: TextsToMerge): Merge {
  return { text: markCollision([mine], [theirs], labels).join(""), collisions: 1 };
}
