import { headingsIn, type MarkdownHeading } from "#domain/notes/headings.ts";
import {
  type Anchor,
  type AnchorState,
  anchorAt,
  type LineSpan,
  locate,
  splitLines,
  type Verdict,
} from "#domain/notes/note-anchor.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";

/** Where the notes on a text are, all of them at one reading of the texts. Long texts take long: this is work for a thread. */
export type NotePlace = {
  state: AnchorState;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
  /** The version the note was put on, and the one this place is in. */
  from_version: number | null;
  version: number;
};

export type Anchored = Pick<NoteFields, "line_start" | "line_end" | "anchor_id" | "anchor_text">;
/** What is kept with a note: what it remembers, and for a heading the line it is on in that version. */
export type KeptAnchor = Anchor & { place: LineSpan };

export const isAnchored = ({ line_start, anchor_id, anchor_text }: Anchored) =>
  line_start !== null || anchor_id !== null || anchor_text !== null;

export type AnchorToMake = { body: string; fields: Anchored; version: number };

/** What a note on these lines or this heading has to remember of a text. */
export function makeAnchor({ body, fields, version }: AnchorToMake): KeptAnchor | null {
  const lines = splitLines(body);
  const place = toPlace(fields, lines);
  const anchor = place && anchorAt(lines, place, version);
  return anchor && { ...anchor, place };
}

function toPlace(
  { line_start, line_end, anchor_id, anchor_text }: Anchored,
  lines: string[],
): LineSpan | null {
  if (line_start !== null) return { line_start, line_end: line_end ?? line_start };
  const headings = headingsIn(lines);
  const named = headings.find(({ id }) => id === anchor_id);
  const worded = headings.filter(({ text }) => text === anchor_text);
  const heading = named ?? (worded.length === 1 ? worded[0] : undefined);
  return heading ? { line_start: heading.line, line_end: heading.line } : null;
}

export type AnchoredNote = Anchored & { anchor: KeptAnchor | null };
export type NotesToLocate = {
  /** The texts of the versions that notes were put on; null for one that is gone. */
  texts: Map<number, string | null>;
  version: number;
  notes: AnchoredNote[];
};

/** The places of notes in one version of their file, in the same order. */
export function locateNotesIn({ texts, version, notes }: NotesToLocate): NotePlace[] {
  const lines = new Map([...texts].map(([n, text]) => [n, text === null ? null : splitLines(text)]));
  const now = lines.get(version) ?? [];
  let headings: MarkdownHeading[] | undefined;
  return notes.map((note) => {
    const { anchor, anchor_id } = note;
    const lost = lostNote(anchor, version);
    if (!anchor) return lost;
    if (anchor.version === version) return { ...lost, state: "same", ...anchor.place, anchor_id };
    const verdict = locate(anchor, anchor.place, lines.get(anchor.version) ?? null, now);
    if (note.line_start !== null)
      return { ...lost, ...verdict, anchor_id: verdict.state === "lost" ? null : anchor_id };
    headings ??= headingsIn(now);
    return headingAt(lost, verdict, note, headings);
  });
}

/** A note whose place nobody knows. */
export function lostNote(anchor: KeptAnchor | null, version: number): NotePlace {
  return {
    state: "lost",
    line_start: null,
    line_end: null,
    anchor_id: null,
    from_version: anchor?.version ?? null,
    version,
  };
}

/** A heading is found again by its line, else by its words where no other has them. */
function headingAt(
  lost: NotePlace,
  verdict: Verdict,
  { anchor_id, anchor_text }: Anchored,
  headings: readonly MarkdownHeading[],
): NotePlace {
  const here = headings.find(({ line }) => line === verdict.line_start);
  if (here && verdict.state !== "lost" && verdict.state !== "changed")
    return {
      ...lost,
      ...verdict,
      state: here.id === anchor_id ? verdict.state : "moved",
      anchor_id: here.id,
    };
  const worded = headings.filter(({ text }) => text === anchor_text);
  const [only] = worded;
  if (only && worded.length === 1)
    return { ...lost, state: "moved", line_start: only.line, line_end: only.line, anchor_id: only.id };
  return here ? { ...lost, ...verdict, anchor_id: here.id } : lost;
}

/** The places of notes in a text whose older texts nobody keeps: by what they remember of their lines. */
export function locateByMemory({
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
    const lost = lostNote(anchor, version);
    if (!anchor) return lost;
    if (isAsItWas(anchor, lines)) return { ...lost, state: "same", ...anchor.place };
    return { ...lost, ...locate(anchor, anchor.place, null, lines) };
  });
}

/** The lines and all that is remembered around them are where they were. */
function isAsItWas({ place, before, quote, after }: KeptAnchor, lines: readonly string[]): boolean {
  const remembered = [...before, ...quote, ...after];
  const top = place.line_start - 1 - before.length;
  const whole = quote.length === place.line_end - place.line_start + 1;
  return whole && remembered.every((line, i) => lines[top + i] === line);
}
