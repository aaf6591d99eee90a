import type { AppLoadContext } from "@remix-run/node";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { toPlacedNotes } from "#app/notes/placed-notes.server.ts";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import { listNotes } from "#db/notes/notes.server.ts";
import { locateInText } from "#db/notes/repos/repo-anchors.server.ts";
import type { RepoTarget } from "#db/notes/repos/repo-notes.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/** Lists the notes of a mirror's file, each with its position in the last synced text; null if there are none. */
export async function listRepoFileNotes(
  context: AppLoadContext,
  ownerId: string,
  target: RepoTarget,
  text: string | null,
): Promise<PlacedNote[] | null> {
  const { db } = context.services;
  const notes = await listNotes(db, ownerId, target);
  if (isRefusal(notes) || notes.length === 0) return null;
  const onLines = notes.filter(({ line_start }) => line_start !== null);
  const [cards, positions] = await Promise.all([
    toShownNotes(context, ownerId, notes),
    locateInText(db, ownerId, onLines, text ?? ""),
  ]);
  const places = new Map(onLines.map(({ id }, i) => [id, itemAt(positions, i)]));
  return toPlacedNotes(db, ownerId, { notes, shown: cards, places, readText: async () => text });
}
