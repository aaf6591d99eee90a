import { findHeadingsWithIds, type MarkdownHeading } from "#domain/notes/headings.ts";
import {
  type Anchor,
  type AnchorState,
  createAnchor,
  type LineSpan,
  locateLines,
  splitLines,
  type Verdict,
} from "#domain/notes/note-anchor.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";

/** Locates all notes on a text with one reading of the texts. Long texts take long, so this is work for a thread. */
export type NotePlace = {
  state: AnchorState;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
  /** The version that the note was put on, and the version of this position. */
  from_version: number | null;
  version: number;
};

export type Anchored = Pick<NoteFields, "line_start" | "line_end" | "anchor_id" | "anchor_text">;
/** An anchor as stored with its note. For a heading, `place` is its line in that version. */
export type KeptAnchor = Anchor & { place: LineSpan };

export const isAnchored = ({ line_start, anchor_id, anchor_text }: Anchored) =>
  line_start !== null || anchor_id !== null || anchor_text !== null;

export type AnchorToMake = { body: string; fields: Anchored; version: number };

export function createPlacedAnchor({ body, fields, version }: AnchorToMake): KeptAnchor | null {
  const lines = splitLines(body);
  const span = toSpan(fields, lines);
  const anchor = span && createAnchor(lines, span, version);
  return anchor && { ...anchor, place: span };
}

function toSpan(
  { line_start, line_end, anchor_id, anchor_text }: Anchored,
  lines: string[],
): LineSpan | null {
  if (line_start !== null) return { line_start, line_end: line_end ?? line_start };
  const headings = findHeadingsWithIds(lines);
  const headingById = headings.find(({ id }) => id === anchor_id);
  const headingsWithText = headings.filter(({ text }) => text === anchor_text);
  const heading = headingById ?? (headingsWithText.length === 1 ? headingsWithText[0] : undefined);
  return heading ? { line_start: heading.line, line_end: heading.line } : null;
}

export type AnchoredNote = Anchored & { anchor: KeptAnchor | null };
export type NotesToLocate = {
  /** The texts of the notes' versions; null for a deleted version. */
  texts: Map<number, string | null>;
  version: number;
  notes: AnchoredNote[];
};

/** Locates notes in a version of their file; results are in the order of the notes. */
export function locateNotesInTexts({ texts, version, notes }: NotesToLocate): NotePlace[] {
  const linesByVersion = new Map([...texts].map(([n, text]) => [n, text === null ? null : splitLines(text)]));
  const newLines = linesByVersion.get(version) ?? [];
  let headings: MarkdownHeading[] | undefined;
  return notes.map((note) => {
    const { anchor, anchor_id } = note;
    const lost = toLostPlace(anchor, version);
    if (!anchor) return lost;
    if (anchor.version === version) return { ...lost, state: "same", ...anchor.place, anchor_id };
    const verdict = locateLines(anchor, anchor.place, linesByVersion.get(anchor.version) ?? null, newLines);
    if (note.line_start !== null)
      return { ...lost, ...verdict, anchor_id: verdict.state === "lost" ? null : anchor_id };
    headings ??= findHeadingsWithIds(newLines);
    return locateHeading(lost, verdict, note, headings);
  });
}

export function toLostPlace(anchor: KeptAnchor | null, version: number): NotePlace {
  return {
    state: "lost",
    line_start: null,
    line_end: null,
    anchor_id: null,
    from_version: anchor?.version ?? null,
    version,
  };
}

/** Finds a heading by its line, otherwise by its text if no other heading has it. */
function locateHeading(
  lost: NotePlace,
  verdict: Verdict,
  { anchor_id, anchor_text }: Anchored,
  headings: readonly MarkdownHeading[],
): NotePlace {
  const headingOnLine = headings.find(({ line }) => line === verdict.line_start);
  if (headingOnLine && verdict.state !== "lost" && verdict.state !== "changed")
    return {
      ...lost,
      ...verdict,
      state: headingOnLine.id === anchor_id ? verdict.state : "moved",
      anchor_id: headingOnLine.id,
    };
  const headingsWithText = headings.filter(({ text }) => text === anchor_text);
  const [match] = headingsWithText;
  if (match && headingsWithText.length === 1)
    return { ...lost, state: "moved", line_start: match.line, line_end: match.line, anchor_id: match.id };
  return headingOnLine ? { ...lost, ...verdict, anchor_id: headingOnLine.id } : lost;
}

/** Locates notes by their anchors alone, for texts whose older versions are not stored. */
export function locateByAnchors({
  text,
  version,
  anchors,
}: {
  text: string;
  version: number;
  anchors: (KeptAnchor | null)[];
}): NotePlace[] {
  const lines = splitLines(text);
  return anchors.map((anchor) => {
    const lost = toLostPlace(anchor, version);
    if (!anchor) return lost;
    if (isUnchanged(anchor, lines)) return { ...lost, state: "same", ...anchor.place };
    return { ...lost, ...locateLines(anchor, anchor.place, null, lines) };
  });
}

/** True if the noted lines and their recorded neighbours are at the old position. */
function isUnchanged({ place, before, quote, after }: KeptAnchor, lines: readonly string[]): boolean {
  const anchorLines = [...before, ...quote, ...after];
  const top = place.line_start - 1 - before.length;
  const hasWholeQuote = quote.length === place.line_end - place.line_start + 1;
  return hasWholeQuote && anchorLines.every((line, i) => lines[top + i] === line);
}
