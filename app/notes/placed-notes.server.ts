import type { AppLoadContext } from "@remix-run/node";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import type { ShownNote } from "#app/notes/note-card.tsx";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { locateNotes } from "#db/notes/note-anchors.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { listFileNotes } from "#db/notes/note-overview.server.ts";
import { suggestLinesForNotes } from "#db/notes/note-suggestions.server.ts";
import type { NotePlace } from "#domain/notes/note-locating.ts";

/**
 * The notes of a file with their current places in it, in that order; notes without a place come last. Null if there are none, or for an
 * old version, because notes belong to the newest.
 */
export async function listPlacedNotes(
  context: AppLoadContext,
  file: FileRecord,
  newest: number,
): Promise<PlacedNote[] | null> {
  const { db } = context.services;
  if (file.version !== newest) return null;
  const notes = await listFileNotes(db, file.user_id, file.id);
  if (notes.length === 0) return null;
  const [places, shown] = await Promise.all([
    locateNotes(db, file.user_id, file, notes),
    toShownNotes(context, file.user_id, notes),
  ]);
  const readText = () => readVersionBody(db, file.user_id, file, file.version);
  return toPlacedNotes(db, file.user_id, { notes, shown, places, readText });
}

type NotesToPlace = {
  notes: readonly NoteRecord[];
  shown: readonly ShownNote[];
  /** By note; a note on no line and no heading has none. */
  places: ReadonlyMap<string, NotePlace>;
  /** Reads the text that the notes are on; it is called only if a note is lost. */
  readText: () => Promise<string | null>;
};

/** Adds to each note its position, and to a lost one lines that resemble its own. Sorts by line; notes without a line come last. */
export async function toPlacedNotes(
  db: Db,
  ownerId: string,
  { notes, shown, places, readText }: NotesToPlace,
): Promise<PlacedNote[]> {
  const lost = notes.filter(({ id }) => places.get(id)?.state === "lost");
  const suggestedLines = await suggestLinesForNotes(db, ownerId, lost, readText);
  return shown
    .map((note) => ({
      ...note,
      at: places.get(note.id) ?? null,
      suggested: suggestedLines.get(note.id) ?? [],
    }))
    .sort((a, b) => firstLine(a) - firstLine(b));
}

const firstLine = ({ at }: PlacedNote) => at?.line_start ?? Number.MAX_SAFE_INTEGER;
