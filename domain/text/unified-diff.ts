import { itemAt, lastItem } from "#domain/required.ts";
import { type Change, diffLines, splitLines } from "#domain/text/line-diff.ts";

const CONTEXT = 3;
const NO_NEWLINE = "\n\\ No newline at end of file\n";

/** Two texts as `diff -u` writes them; empty where they are the same. */
export function unifiedDiff(before: string, after: string, names = { from: "before", to: "after" }): string {
  const [from, to] = [splitLines(before), splitLines(after)];
  const hunks = groupHunks(diffLines(from, to));
  if (hunks.length === 0) return "";
  return `--- ${names.from}\n+++ ${names.to}\n${hunks.map((hunk) => hunkText(hunk, from)).join("")}`;
}

/** Changes whose surroundings touch stand in one hunk. */
function groupHunks(changes: Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const open = hunks.at(-1);
    const before = open?.at(-1);
    const near = before && change.from - (before.from + before.removed.length) <= 2 * CONTEXT;
    if (near) open?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(hunk: Change[], from: readonly string[]): string {
  const [first, last] = [itemAt(hunk, 0), lastItem(hunk)];
  const start = Math.max(0, first.from - CONTEXT);
  const end = Math.min(from.length, last.from + last.removed.length + CONTEXT);
  const rows: string[] = [];
  let at = start;
  for (const change of hunk) {
    rows.push(...marked(" ", from.slice(at, change.from)));
    rows.push(...marked("-", change.removed), ...marked("+", change.added));
    at = change.from + change.removed.length;
  }
  rows.push(...marked(" ", from.slice(at, end)));
  const grown = hunk.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  const toStart = start + first.to - first.from;
  return `@@ -${span(start, end - start)} +${span(toStart, end - start + grown)} @@\n${rows.join("")}`;
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + (line.endsWith("\n") ? line : line + NO_NEWLINE));
}

/** An empty stretch is named by the line before it. */
function span(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}
