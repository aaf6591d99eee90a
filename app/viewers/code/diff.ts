import { markChanged } from "#app/viewers/code/coloured-lines.ts";
import { hasBidiControls, showBidiControls } from "#app/web/ui/bidi-controls.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";
import { diffLines, splitLines } from "#domain/text/line-diff.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

/**
 * Renders two texts as rows in reading order, cut into stretches: changed lines with context, and unchanged lines between, which a page
 * folds. All input is escaped; the only markup is ours.
 */
type DiffStretch = { folded: boolean; lines: number; from: number; to: number; html: string };
type DiffView = {
  stretches: DiffStretch[];
  added: number;
  removed: number;
  /** The change is longer than a page may hold; the remainder is left out. */
  cut: boolean;
  bidiControls: boolean;
};

const CONTEXT = 3;
/** A fold of fewer lines would save no space. */
const FOLD_MIN = 4;
const MAX_ROWS = 6_000;
/** In longer changes old and new lines do not correspond, so their words are not compared. */
const WORDS_MAX_LINES = 100;

type Row = { kind: "same" | "removed" | "added"; from: number; to: number; html: string };

type Colours = readonly string[] | null;
type TextsToCompare = {
  before: string;
  after: string;
  colours?: { before: Colours; after: Colours };
  isSplit?: boolean;
};
type Drawing = { before: Colours; after: Colours; isSplit: boolean };

export function buildDiffView({ before, after, colours, isSplit = false }: TextsToCompare): DiffView {
  const drawing: Drawing = { before: colours?.before ?? null, after: colours?.after ?? null, isSplit };
  const [from, to] = [splitLines(before), splitLines(after)];
  const changes = diffLines(from, to);
  const count = (side: "added" | "removed") => changes.reduce((sum, change) => sum + change[side].length, 0);
  const stretches: DiffStretch[] = [];
  let [fromAt, toAt, rows] = [0, 0, 0];
  let cut = false;
  for (const change of changes) {
    if (rows > MAX_ROWS) {
      cut = true;
      break;
    }
    const same = { lines: from.slice(fromAt, change.from), from: fromAt, to: toAt };
    const changed = toChangedRows(drawing, change);
    rows += addSame(drawing, stretches, same, fromAt === 0 ? 0 : CONTEXT, CONTEXT) + changed.length;
    addShown(drawing, stretches, changed);
    cut ||= changed.length < change.removed.length + change.added.length;
    fromAt = change.from + change.removed.length;
    toAt = change.to + change.added.length;
  }
  if (!cut && changes.length > 0)
    addSame(drawing, stretches, { lines: from.slice(fromAt), from: fromAt, to: toAt }, CONTEXT, 0);
  return {
    stretches: stretches.map((stretch) => ({ ...stretch, html: showBidiControls(stretch.html) })),
    added: count("added"),
    removed: count("removed"),
    cut,
    bidiControls: hasBidiControls(before) || hasBidiControls(after),
  };
}

type Same = { lines: string[]; from: number; to: number };

/** Adds unchanged lines: shows the first `head` and the last `tail`, folds those between, and returns the number of rows. */
function addSame(drawing: Drawing, stretches: DiffStretch[], same: Same, head: number, tail: number): number {
  const { length } = same.lines;
  const foldEnd = length - tail;
  if (foldEnd - head < FOLD_MIN) {
    addShown(drawing, stretches, toSameRows(drawing, same, 0, length));
    return length;
  }
  addShown(drawing, stretches, toSameRows(drawing, same, 0, head));
  const lines = foldEnd - head;
  const html = lines > MAX_ROWS / 2 ? "" : toRowsHtml(drawing, toSameRows(drawing, same, head, foldEnd));
  stretches.push({ folded: true, lines, from: same.from + head + 1, to: same.to + head + 1, html });
  addShown(drawing, stretches, toSameRows(drawing, same, foldEnd, length));
  return html === "" ? head + tail : length;
}

function addShown(drawing: Drawing, stretches: DiffStretch[], rows: Row[]): void {
  const [first] = rows;
  if (!first) return;
  const html = toRowsHtml(drawing, rows);
  const last = stretches.at(-1);
  if (last && !last.folded) {
    last.html += html;
    last.lines += rows.length;
  } else {
    const { from, to } = first;
    stretches.push({ folded: false, lines: rows.length, from, to, html });
  }
}

function toSameRows({ after }: Drawing, { lines, from, to }: Same, start: number, end: number): Row[] {
  return lines.slice(start, end).map((line, i) => ({
    kind: "same",
    from: from + start + i + 1,
    to: to + start + i + 1,
    html: toLineHtml(line, [{ text: line, changed: false }], after?.[to + start + i]),
  }));
}

type ChangedLines = { from: number; to: number; removed: string[]; added: string[] };

/**
 * Returns the removed lines, then the added ones, with the differing words of corresponding lines marked. Lines beyond the limit are left
 * out.
 */
function toChangedRows({ before, after }: Drawing, change: ChangedLines): Row[] {
  const comparable = Math.max(change.removed.length, change.added.length) <= WORDS_MAX_LINES;
  const words = comparable
    ? change.removed.map((line, i) => {
        const added = change.added[i];
        return added === undefined ? null : diffWords(line, added);
      })
    : [];
  const rows = (kind: "removed" | "added", lines: string[], colours: Colours, first: number): Row[] =>
    lines.slice(0, MAX_ROWS / 2).map((line, i) => ({
      kind,
      from: change.from + i + 1,
      to: change.to + i + 1,
      html: toLineHtml(line, words[i]?.[kind] ?? [{ text: line, changed: false }], colours?.[first + i]),
    }));
  return [
    ...rows("removed", change.removed, before, change.from),
    ...rows("added", change.added, after, change.to),
  ];
}

function toLineHtml(line: string, pieces: Piece[], coloured: string | undefined): string {
  const html = coloured === undefined ? toPlainHtml(pieces) : markChanged(coloured, pieces);
  const end = line.endsWith("\r\n") ? '<span class="diff-end">␍</span>' : "";
  return html + (line.endsWith("\n") ? end : '<span class="diff-end">⊘</span>');
}

const toPlainHtml = (pieces: Piece[]): string =>
  pieces
    .map(({ text, changed }) => {
      const escaped = escapeHtml(text.replace(/\r?\n$/, ""));
      return changed && escaped !== "" ? `<mark>${escaped}</mark>` : escaped;
    })
    .join("");

const SIGNS = { same: ["", "span"], removed: ["−", "del"], added: ["+", "ins"] } as const;

const toRowsHtml = ({ isSplit }: Drawing, rows: Row[]): string =>
  isSplit ? pairRows(rows).map(toPairHtml).join("") : rows.map(toRowHtml).join("");

type Pair = { left: Row | null; right: Row | null };

/** Pairs rows to be shown side by side: an unchanged line with itself, a removed line with the added one in its place. */
function pairRows(rows: readonly Row[]): Pair[] {
  const pairs: Pair[] = [];
  let waiting = 0;
  for (const row of rows) {
    if (row.kind === "same") pairs.push({ left: row, right: row });
    else if (row.kind === "removed") pairs.push({ left: row, right: null });
    const free = row.kind === "added" ? pairs[waiting] : undefined;
    if (free && free.right === null) free.right = row;
    else if (row.kind === "added") pairs.push({ left: null, right: row });
    if (row.kind !== "removed") waiting = row.kind === "same" ? pairs.length : waiting + 1;
  }
  return pairs;
}

function toPairHtml({ left, right }: Pair): string {
  const side = (row: Row | null, n: number | undefined) => {
    const [sign, element] = SIGNS[row?.kind ?? "same"];
    const text = row ? `<${element}>${row.html}</${element}>` : "";
    return `<div class="diff-side diff-${row?.kind ?? "none"}">${toNumberCell(n ?? "")}<span class="diff-sign">${sign}</span>${text}</div>`;
  };
  return `<div class="diff-pair">${side(left, left?.from)}${side(right, right?.to)}</div>`;
}

const toNumberCell = (n: number | "") => `<span class="diff-number">${n}</span>`;

function toRowHtml({ kind, from, to, html }: Row): string {
  const [sign, element] = SIGNS[kind];
  return `<div class="diff-row diff-${kind}">${toNumberCell(kind === "added" ? "" : from)}${toNumberCell(
    kind === "removed" ? "" : to,
  )}<span class="diff-sign">${sign}</span><${element}>${html}</${element}></div>`;
}
