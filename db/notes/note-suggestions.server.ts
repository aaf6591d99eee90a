import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { suggestLinesOnThread } from "#db/notes/anchor-work.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findRepoText } from "#db/notes/repos/repo-anchors.server.ts";
import { toTarget } from "#domain/notes/note.ts";
import type { SuggestedLines } from "#domain/notes/suggested-lines.ts";
import { itemAt } from "#domain/required.ts";

type LostNote = Pick<NoteRecord, "id" | "line_start" | "anchor">;

export async function suggestLinesForNotes(
  db: Db,
  ownerId: string,
  lostNotes: readonly LostNote[],
  readText: () => Promise<string | null>,
): Promise<Map<string, SuggestedLines[]>> {
  const anchoredNotes = lostNotes.flatMap(({ id, line_start, anchor }) =>
    anchor && line_start !== null ? [{ id, anchor }] : [],
  );
  const text = anchoredNotes.length === 0 ? null : await readText();
  if (!text) return new Map();
  const anchors = anchoredNotes.map(({ anchor: { quote, before, after, place } }) => ({
    quote,
    before,
    after,
    place,
  }));
  const suggestions = await suggestLinesOnThread(db, ownerId, { text, anchors });
  return new Map(anchoredNotes.map(({ id }, i) => [id, itemAt(suggestions, i)]));
}

export async function suggestForNote(db: Db, ownerId: string, note: NoteRecord): Promise<SuggestedLines[]> {
  const suggestions = await suggestLinesForNotes(db, ownerId, [note], () =>
    readTextOfNote(db, ownerId, note),
  );
  return suggestions.get(note.id) ?? [];
}

async function readTextOfNote(db: Db, ownerId: string, note: NoteRecord): Promise<string | null> {
  const target = toTarget(note);
  if (target.kind === "repo") return findRepoText(db, ownerId, target);
  const file = target.kind === "file" ? await findFile(db, ownerId, target.file_id) : null;
  return file && readVersionBody(db, ownerId, file, file.version);
}
