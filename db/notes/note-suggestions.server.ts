import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { readVersion } from "#db/files/file-versions.server.ts";
import { suggestApart } from "#db/notes/anchor-work.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findRepoText } from "#db/repos/repo-anchors.server.ts";
import { toTarget } from "#domain/notes/note.ts";
import type { SuggestedLines } from "#domain/notes/suggested-lines.ts";
import { itemAt } from "#domain/required.ts";

type LostNote = Pick<NoteRecord, "id" | "line_start" | "anchor">;

/** Lines of the text they are on that resemble those of lost notes, by note; a note on a heading has none. */
export async function suggestPlaces(
  db: Db,
  ownerId: string,
  lost: readonly LostNote[],
  readText: () => Promise<string | null>,
): Promise<Map<string, SuggestedLines[]>> {
  const remembered = lost.flatMap(({ id, line_start, anchor }) =>
    anchor && line_start !== null ? [{ id, anchor }] : [],
  );
  const text = remembered.length === 0 ? null : await readText();
  if (!text) return new Map();
  const anchors = remembered.map(({ anchor: { quote, before, after, place } }) => ({
    quote,
    before,
    after,
    place,
  }));
  const suggested = await suggestApart(db, ownerId, { text, anchors });
  return new Map(remembered.map(({ id }, i) => [id, itemAt(suggested, i)]));
}

/** What is suggested for one note in the text that is there now. */
export async function suggestForNote(db: Db, ownerId: string, note: NoteRecord): Promise<SuggestedLines[]> {
  const suggested = await suggestPlaces(db, ownerId, [note], () => readTextOfNote(db, ownerId, note));
  return suggested.get(note.id) ?? [];
}

async function readTextOfNote(db: Db, ownerId: string, note: NoteRecord): Promise<string | null> {
  const target = toTarget(note);
  if (target.kind === "repo") return findRepoText(db, ownerId, target);
  const file = target.kind === "file" ? await findFile(db, ownerId, target.file_id) : null;
  return file && readVersion(db, ownerId, file, file.version);
}
