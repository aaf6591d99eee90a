import type { Db } from "#db/client.ts";
import { readVersion } from "#db/file-versions.server.ts";
import { type FileRecord, findFile } from "#db/files.server.ts";
import type { NoteRecord } from "#db/note-docs.server.ts";
import { locateRepoNotes } from "#db/repo-anchors.server.ts";
import { headingsIn } from "#domain/headings.ts";
import type { NoteFields } from "#domain/note.ts";
import { type Anchor, type AnchorState, anchorAt, linesOf, locate, type Place } from "#domain/note-anchor.ts";

/** Where a note's lines or heading are in the version its file shows. Computed on reading; nothing is written. */
export type NotePlace = {
  state: AnchorState;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
  /** The version the note was put on, and the one this place is in. */
  from_version: number | null;
  version: number;
};

type Anchored = Pick<NoteFields, "line_start" | "line_end" | "anchor_id" | "anchor_text">;
/** What is kept with a note: what it remembers, and for a heading the line it is on in that version. */
export type KeptAnchor = Anchor & { place: Place };

export const isAnchored = ({ line_start, anchor_id, anchor_text }: Anchored) =>
  line_start !== null || anchor_id !== null || anchor_text !== null;

/** What a note on these lines or this heading has to remember of the file as it is now. */
export async function rememberAnchor(
  db: Db,
  ownerId: string,
  file: FileRecord,
  fields: Anchored,
): Promise<KeptAnchor | null> {
  if (!isAnchored(fields)) return null;
  const body = await readVersion(db, ownerId, file, file.version);
  const lines = linesOf(body ?? "");
  const place = placeOf(fields, lines);
  const anchor = place && anchorAt(lines, place, file.version);
  return anchor && { ...anchor, place };
}

function placeOf({ line_start, line_end, anchor_id, anchor_text }: Anchored, lines: string[]): Place | null {
  if (line_start !== null) return { line_start, line_end: line_end ?? line_start };
  const headings = headingsIn(lines);
  const named = headings.find(({ id }) => id === anchor_id);
  const worded = headings.filter(({ text }) => text === anchor_text);
  const heading = named ?? (worded.length === 1 ? worded[0] : undefined);
  return heading ? { line_start: heading.line, line_end: heading.line } : null;
}

/** The places of notes on one file, by note. A note that is on no line and no heading has none. */
export async function locateNotes(
  db: Db,
  ownerId: string,
  file: FileRecord,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const texts = new Map<number, Promise<string[] | null>>();
  const linesIn = (version: number) => {
    const known =
      texts.get(version) ??
      readVersion(db, ownerId, file, version).then((body) => (body === null ? null : linesOf(body)));
    texts.set(version, known);
    return known;
  };
  const places = new Map<string, NotePlace>();
  for (const note of notes)
    if (isAnchored(note)) places.set(note.id, await locateNote(note, file.version, linesIn));
  return places;
}

type LinesIn = (version: number) => Promise<string[] | null>;

async function locateNote(note: NoteRecord, version: number, linesIn: LinesIn): Promise<NotePlace> {
  const { anchor, anchor_id } = note;
  const lost = {
    state: "lost",
    line_start: null,
    line_end: null,
    anchor_id: null,
    from_version: anchor?.version ?? null,
    version,
  } as const;
  if (!anchor) return lost;
  const onHeading = note.line_start === null;
  if (anchor.version === version) return { ...lost, state: "same", ...anchor.place, anchor_id };
  const [old, lines] = await Promise.all([linesIn(anchor.version), linesIn(version)]);
  const verdict = locate(anchor, anchor.place, old, lines ?? []);
  if (!onHeading) return { ...lost, ...verdict, anchor_id: verdict.state === "lost" ? null : anchor_id };
  return headingAt(lost, verdict, note, lines ?? []);
}

/** A heading is found again by its line, else by its words where no other has them. */
function headingAt(
  lost: NotePlace,
  verdict: ReturnType<typeof locate>,
  { anchor_id, anchor_text }: NoteRecord,
  lines: string[],
): NotePlace {
  const headings = headingsIn(lines);
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

/** The place of one note; null where it is on no file's line or heading, or its file is gone. */
export async function locateOne(db: Db, ownerId: string, note: NoteRecord): Promise<NotePlace | null> {
  if (note.kind === "repo") return (await locateRepoNotes(db, ownerId, [note])).get(note.id) ?? null;
  if (note.file_id === null || !isAnchored(note)) return null;
  const file = await findFile(db, ownerId, note.file_id);
  if (!file) return null;
  return (await locateNotes(db, ownerId, file, [note])).get(note.id) ?? null;
}
