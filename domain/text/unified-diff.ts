import { itemAt, lastItem } from "#domain/required.ts";
import { type Change, diffLines, splitLines } from "#domain/text/line-diff.ts";

const CONTEXT = 3;
const NO_NEWLINE = "\n\\ No newline at end of file\n";

/** Writes a diff like `diff -u`; "" for equal texts. */
export function unifiedDiff(before: string, after: string, names = { from: "before", to: "after" }): string {
  const [from, to] = [splitLines(before), splitLines(after)];
  const hunks = groupHunks(diffLines(from, to));
  if (hunks.length === 0) return "";
  return `--- ${names.from}\n+++ ${names.to}\n${hunks.map((hunk) => toHunkText(hunk, from)).join("")}`;
}

/** Changes with overlapping context share a hunk. */
function groupHunks(changes: Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const lastHunk = hunks.at(-1);
    const lastChange = lastHunk?.at(-1);
    const isNear = lastChange && change.from - (lastChange.from + lastChange.removed.length) <= 2 * CONTEXT;
    if (isNear) lastHunk?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function toHunkText(hunk: Change[], from: readonly string[]): string {
  const [first, last] = [itemAt(hunk, 0), lastItem(hunk)];
  const start = Math.max(0, first.from - CONTEXT);
  const end = Math.min(from.length, last.from + last.removed.length + CONTEXT);
  const rows: string[] = [];
  let line = start;
  for (const change of hunk) {
    rows.push(...prefixLines(" ", from.slice(line, change.from)));
    rows.push(...prefixLines("-", change.removed), ...prefixLines("+", change.added));
    line = change.from + change.removed.length;
  }
  rows.push(...prefixLines(" ", from.slice(line, end)));
  const growth = hunk.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  const toStart = start + first.to - first.from;
  return `@@ -${toRangeText(start, end - start)} +${toRangeText(toStart, end - start + growth)} @@\n${rows.join("")}`;
}

function prefixLines(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + (line.endsWith("\n") ? line : line + NO_NEWLINE));
}

/** An empty range is named by the line before it. */
function toRangeText(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}
