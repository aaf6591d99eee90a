import type { AppLoadContext } from "@remix-run/node";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { shownNotes } from "#app/notes/shown-note.server.ts";
import { listNotes } from "#db/notes/notes.server.ts";
import { locateInText } from "#db/repos/repo-anchors.server.ts";
import type { RepoTarget } from "#db/repos/repo-notes.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/** The notes of a repository's file, each with its place in the text of the last sync; null where there are none. */
export async function repoFileNotes(
  context: AppLoadContext,
  ownerId: string,
  target: RepoTarget,
  text: string | null,
): Promise<PlacedNote[] | null> {
  const notes = await listNotes(context.services.db, ownerId, target);
  if (isRefusal(notes) || notes.length === 0) return null;
  const [shown, places] = await Promise.all([
    shownNotes(context, ownerId, notes),
    locateInText(context.services.db, ownerId, notes, text ?? ""),
  ]);
  return shown
    .map((note, i) => ({ ...note, at: note.line_start === null ? null : itemAt(places, i) }))
    .sort((a, b) => firstLine(a) - firstLine(b));
}

const firstLine = ({ at }: PlacedNote) => at?.line_start ?? Number.MAX_SAFE_INTEGER;
