import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import type { ShownNote } from "#app/notes/note-card.tsx";
import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { suggestPlaces } from "#db/notes/note-suggestions.server.ts";
import type { NotePlace } from "#domain/notes/note-locating.ts";

type NotesToPlace = {
  notes: readonly NoteRecord[];
  shown: readonly ShownNote[];
  /** By note; a note on no line and no heading has none. */
  places: ReadonlyMap<string, NotePlace>;
  /** Reads the text that the notes are on; it is called only if a note is lost. */
  readText: () => Promise<string | null>;
};

/** Adds to each note its position, and to a lost one lines that resemble its own. Sorts by line; notes without a line come last. */
export async function placeNotes(
  db: Db,
  ownerId: string,
  { notes, shown, places, readText }: NotesToPlace,
): Promise<PlacedNote[]> {
  const lost = notes.filter(({ id }) => places.get(id)?.state === "lost");
  const suggestedLines = await suggestPlaces(db, ownerId, lost, readText);
  return shown
    .map((note) => ({
      ...note,
      at: places.get(note.id) ?? null,
      suggested: suggestedLines.get(note.id) ?? [],
    }))
    .sort((a, b) => firstLine(a) - firstLine(b));
}

const firstLine = ({ at }: PlacedNote) => at?.line_start ?? Number.MAX_SAFE_INTEGER;
