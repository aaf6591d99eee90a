import { hasBidiControls, showBidiControls } from "#app/files/bidi-controls.ts";
import { escapeHtml } from "#app/viewers/code-lines.ts";
import { diffLines, splitLines } from "#domain/text/line-diff.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

/**
 * Two texts as rows of HTML in the order of reading, cut into stretches: those that changed, with some lines around them, and
 * those between, which a page folds. Everything that comes from the texts is escaped; the only markup is ours.
 */
type DiffStretch = { folded: boolean; lines: number; from: number; to: number; html: string };
type DiffView = {
  stretches: DiffStretch[];
  added: number;
  removed: number;
  /** More changed than a page should hold; the rest is left out. */
  cut: boolean;
  bidiControls: boolean;
};

const CONTEXT = 3;
/** A fold of fewer lines hides no more than the words that stand for it. */
const FOLD_MIN = 4;
const MAX_ROWS = 6_000;
/** In longer changes lines do not stand in each other's place any more, and their words are not compared. */
const WORDS_MAX_LINES = 100;

type Row = { kind: "same" | "removed" | "added"; from: number; to: number; html: string };

export function diffView({ before, after }: { before: string; after: string }): DiffView {
  const [from, to] = [splitLines(before), splitLines(after)];
  const changes = diffLines(from, to);
  const count = (side: "added" | "removed") => changes.reduce((sum, change) => sum + change[side].length, 0);
  const stretches: DiffStretch[] = [];
  let [at, toAt, rows] = [0, 0, 0];
  let cut = false;
  for (const change of changes) {
    if (rows > MAX_ROWS) {
      cut = true;
      break;
    }
    const same = { lines: from.slice(at, change.from), from: at, to: toAt };
    const changed = changedRows(change);
    rows += put(stretches, same, at === 0 ? 0 : CONTEXT, CONTEXT) + changed.length;
    putShown(stretches, changed);
    cut ||= changed.length < change.removed.length + change.added.length;
    at = change.from + change.removed.length;
    toAt = change.to + change.added.length;
  }
  if (!cut && changes.length > 0) put(stretches, { lines: from.slice(at), from: at, to: toAt }, CONTEXT, 0);
  return {
    stretches: stretches.map((stretch) => ({ ...stretch, html: showBidiControls(stretch.html) })),
    added: count("added"),
    removed: count("removed"),
    cut,
    bidiControls: hasBidiControls(before) || hasBidiControls(after),
  };
}

type Same = { lines: string[]; from: number; to: number };

/** Unchanged lines: the first `head` and the last `tail` are shown, those between are folded. Answers how many rows it made. */
function put(stretches: DiffStretch[], same: Same, head: number, tail: number): number {
  const { length } = same.lines;
  const foldEnd = length - tail;
  if (foldEnd - head < FOLD_MIN) {
    putShown(stretches, sameRows(same, 0, length));
    return length;
  }
  putShown(stretches, sameRows(same, 0, head));
  const lines = foldEnd - head;
  const html = lines > MAX_ROWS / 2 ? "" : sameRows(same, head, foldEnd).map(rowHtml).join("");
  stretches.push({ folded: true, lines, from: same.from + head + 1, to: same.to + head + 1, html });
  putShown(stretches, sameRows(same, foldEnd, length));
  return html === "" ? head + tail : length;
}

function putShown(stretches: DiffStretch[], rows: Row[]): void {
  const [first] = rows;
  if (!first) return;
  const html = rows.map(rowHtml).join("");
  const last = stretches.at(-1);
  if (last && !last.folded) {
    last.html += html;
    last.lines += rows.length;
  } else {
    const { from, to } = first;
    stretches.push({ folded: false, lines: rows.length, from, to, html });
  }
}

function sameRows({ lines, from, to }: Same, start: number, end: number): Row[] {
  return lines.slice(start, end).map((line, i) => ({
    kind: "same",
    from: from + start + i + 1,
    to: to + start + i + 1,
    html: lineHtml(line, [{ text: line, changed: false }]),
  }));
}

type Changed = { from: number; to: number; removed: string[]; added: string[] };

/** What went, then what came; a line and the one in its place have the words marked that differ. A page's worth at most. */
function changedRows(change: Changed): Row[] {
  const comparable = Math.max(change.removed.length, change.added.length) <= WORDS_MAX_LINES;
  const words = comparable
    ? change.removed.map((line, i) => {
        const added = change.added[i];
        return added === undefined ? null : diffWords(line, added);
      })
    : [];
  const rows = (kind: "removed" | "added", lines: string[]): Row[] =>
    lines.slice(0, MAX_ROWS / 2).map((line, i) => ({
      kind,
      from: change.from + i + 1,
      to: change.to + i + 1,
      html: lineHtml(line, words[i]?.[kind] ?? [{ text: line, changed: false }]),
    }));
  return [...rows("removed", change.removed), ...rows("added", change.added)];
}

function lineHtml(line: string, pieces: Piece[]): string {
  const html = pieces
    .map(({ text, changed }) => {
      const escaped = escapeHtml(text.replace(/\r?\n$/, ""));
      return changed && escaped !== "" ? `<mark>${escaped}</mark>` : escaped;
    })
    .join("");
  const end = line.endsWith("\r\n") ? '<span class="diff-end">␍</span>' : "";
  return html + (line.endsWith("\n") ? end : '<span class="diff-end">⊘</span>');
}

const SIGNS = { same: ["", "span"], removed: ["−", "del"], added: ["+", "ins"] } as const;

function rowHtml({ kind, from, to, html }: Row): string {
  const [sign, element] = SIGNS[kind];
  const number = (n: number | "") => `<span class="diff-number">${n}</span>`;
  return `<div class="diff-row diff-${kind}">${number(kind === "added" ? "" : from)}${number(
    kind === "removed" ? "" : to,
  )}<span class="diff-sign">${sign}</span><${element} class="diff-text">${html}</${element}></div>`;
}
