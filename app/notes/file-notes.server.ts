import type { AppLoadContext } from "@remix-run/node";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { placeNotes } from "#app/notes/placed-notes.server.ts";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { readVersion } from "#db/files/file-versions.server.ts";
import { locateNotes } from "#db/notes/note-anchors.server.ts";
import { listFileNotes } from "#db/notes/note-overview.server.ts";

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
  const readText = () => readVersion(db, file.user_id, file, file.version);
  return placeNotes(db, file.user_id, { notes, shown, places, readText });
}
