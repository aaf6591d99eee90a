import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { living } from "#db/files/living-files.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { readEachNote } from "#db/search/each-note.server.ts";
import { isFileId } from "#domain/files/selection.ts";
import { mapTargetFields, type TargetedNote } from "#domain/notes/note.ts";
import { type NotePreview, type NoteSearch, noteMatcher, notePreview } from "#domain/search/note-search.ts";

type NoteHit = Pick<NoteRecord, "id" | "title" | "color" | "updated_at" | keyof TargetedNote> &
  NotePreview & { file_name: string | null; board_name: string | null };

type NoteHits = { notes: NoteHit[]; more: boolean };

const SEARCHED = {
  title: 1,
  content: 1,
  color: 1,
  updated_at: 1,
  kind: 1,
  ...mapTargetFields(() => 1 as const),
} as const;

/**
 * Finds a person's matching notes. The quota limits their number, so each note is checked, newest first, instead of an index
 * with another rule. Notes of files in the trash are left out.
 */
export async function searchNotes(
  db: Db,
  ownerId: string,
  { needle, color, limit }: NoteSearch,
): Promise<NoteHits> {
  const matches = noteMatcher(needle);
  const hits: Record<"title" | "body", NoteDoc[]> = { title: [], body: [] };
  for await (const doc of readEachNote<NoteDoc>(db, ownerId, SEARCHED, color)) {
    const hit = matches(doc);
    if (hit) hits[hit].push(doc);
  }
  const matchingNotes = [...hits.title, ...hits.body];
  const files = await findLivingFileNames(
    db,
    ownerId,
    matchingNotes.map(({ file_id }) => file_id),
  );
  const visible = matchingNotes
    .filter(({ file_id }) => file_id === null || files.has(file_id))
    .slice(0, limit + 1);
  const page = visible.slice(0, limit);
  const boards = await findBoardNames(db, ownerId, page);
  return {
    notes: page.map(({ _id, content, ...note }) => ({
      id: _id.toHexString(),
      ...note,
      file_name: files.get(note.file_id ?? "") ?? null,
      board_name: boards.get(note.board_id ?? "") ?? null,
      ...notePreview(content, needle),
    })),
    more: visible.length > limit,
  };
}

export async function findLivingFileNames(
  db: Db,
  ownerId: string,
  fileIds: readonly (string | null)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(fileIds)].filter(isFileId);
  if (ids.length === 0) return new Map();
  const docs = await db.files
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) }, ...living(ownerId) })
    .project<{ _id: ObjectId; file_name: string }>({ file_name: 1 })
    .toArray();
  return new Map(docs.map(({ _id, file_name }) => [_id.toHexString(), file_name]));
}

async function findBoardNames(db: Db, user_id: string, notes: NoteDoc[]): Promise<Map<string, string>> {
  const ids = [...new Set(notes.flatMap(({ board_id }) => board_id ?? []))];
  if (ids.length === 0) return new Map();
  const docs = await db.boards
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) }, user_id })
    .project<{ _id: ObjectId; name: string }>({ name: 1 })
    .toArray();
  return new Map(docs.map(({ _id, name }) => [_id.toHexString(), name]));
}
