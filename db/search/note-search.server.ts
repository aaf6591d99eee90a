import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { living } from "#db/files/living-files.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { readEachNote } from "#db/search/each-note.server.ts";
import { isFileId } from "#domain/files/selection.ts";
import { mapTargetFields, type TargetedNote } from "#domain/notes/note.ts";
import { type NotePreview, type NoteSearch, noteMatcher, notePreview } from "#domain/search/note-search.ts";

type FoundNote = Pick<NoteRecord, "id" | "title" | "color" | "updated_at" | keyof TargetedNote> &
  NotePreview & { file_name: string | null; board_name: string | null };

type FoundNotes = { notes: FoundNote[]; more: boolean };

const SEARCHED = {
  title: 1,
  content: 1,
  color: 1,
  updated_at: 1,
  kind: 1,
  ...mapTargetFields(() => 1 as const),
} as const;

/**
 * A person's notes that have the needle. There are at most as many as the quota allows, so the rule reads each of them, newest
 * first, instead of by an index that would know another rule. Notes of files in the trash are not found.
 */
export async function searchNotes(
  db: Db,
  ownerId: string,
  { needle, color, limit }: NoteSearch,
): Promise<FoundNotes> {
  const matches = noteMatcher(needle);
  const hits: Record<"title" | "body", NoteDoc[]> = { title: [], body: [] };
  for await (const doc of readEachNote<NoteDoc>(db, ownerId, SEARCHED, color)) {
    const hit = matches(doc);
    if (hit) hits[hit].push(doc);
  }
  const found = [...hits.title, ...hits.body];
  const files = await findLivingNames(
    db,
    ownerId,
    found.map(({ file_id }) => file_id),
  );
  const seen = found.filter(({ file_id }) => file_id === null || files.has(file_id)).slice(0, limit + 1);
  const shown = seen.slice(0, limit);
  const boards = await boardNames(db, ownerId, shown);
  return {
    notes: shown.map(({ _id, content, ...rest }) => ({
      id: _id.toHexString(),
      ...rest,
      file_name: files.get(rest.file_id ?? "") ?? null,
      board_name: boards.get(rest.board_id ?? "") ?? null,
      ...notePreview(content, needle),
    })),
    more: seen.length > limit,
  };
}

/** The names of those of these files that are not in the trash. */
export async function findLivingNames(
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

async function boardNames(db: Db, user_id: string, notes: NoteDoc[]): Promise<Map<string, string>> {
  const ids = [...new Set(notes.flatMap(({ board_id }) => board_id ?? []))];
  if (ids.length === 0) return new Map();
  const docs = await db.boards
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) }, user_id })
    .project<{ _id: ObjectId; name: string }>({ name: 1 })
    .toArray();
  return new Map(docs.map(({ _id, name }) => [_id.toHexString(), name]));
}
