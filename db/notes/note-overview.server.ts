import { type Collection, type Document, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { untyped } from "#db/driver/driver-types.ts";
import { living } from "#db/files/living-files.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import type { ListCursor } from "#domain/cursor.ts";
import { type NoteKind, targetKey } from "#domain/notes/note.ts";
import { lastItem } from "#domain/required.ts";

type OverviewQuery = { color?: string; kind?: NoteKind; cursor?: ListCursor; limit: number };
type OverviewNote = NoteRecord & { file_name: string | null; board_name: string | null };

/** A person's notes everywhere, those changed last first, with the names of their places. Notes of files in the trash are left out. */
export async function listEveryNote(
  db: Db,
  ownerId: string,
  query: OverviewQuery,
): Promise<{ notes: OverviewNote[]; next: ListCursor | null }> {
  const notes: OverviewNote[] = [];
  for (let { cursor } = query; notes.length <= query.limit; ) {
    const read = await readOn(db, ownerId, query, cursor);
    notes.push(...read.notes);
    if (!read.last) break;
    cursor = read.last;
  }
  const shown = notes.slice(0, query.limit);
  return { notes: shown, next: notes.length > query.limit ? toCursor(lastItem(shown)) : null };
}

const toCursor = ({ updated_at, id }: Pick<NoteRecord, "updated_at" | "id">): ListCursor => ({
  createdAtMs: updated_at.getTime(),
  id,
});

/** Behind a place in the order of the list; the index uses only the bound on the moment. */
function behind({ createdAtMs, id }: ListCursor) {
  const moment = new Date(createdAtMs);
  return {
    updated_at: { $lte: moment },
    $nor: [{ updated_at: moment, _id: { $gte: new ObjectId(id) } }],
  };
}

/** As many notes as are requested, less those whose file is away; `last` is where to read on, if there is more. */
async function readOn(db: Db, ownerId: string, { color, kind, limit }: OverviewQuery, cursor?: ListCursor) {
  const filter = {
    user_id: ownerId,
    deleted_at: null,
    ...(cursor ? behind(cursor) : {}),
    ...(color ? { color } : {}),
    ...(kind ? { kind } : {}),
  };
  const docs = await db.notes
    .find(filter, { projection: LIGHT, hint: "by_change" })
    .sort({ updated_at: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const read = docs.map(toNote);
  const ids = (of: "file_id" | "board_id") => read.map((note) => note[of]);
  const [files, boards] = await Promise.all([
    findNames(untyped(db.files), living(ownerId), "file_name", ids("file_id")),
    findNames(untyped(db.boards), { user_id: ownerId }, "name", ids("board_id")),
  ]);
  const notes = read
    .filter(({ file_id }) => file_id === null || files.has(file_id))
    .map((note) => ({
      ...note,
      file_name: files.get(note.file_id ?? "") ?? null,
      board_name: boards.get(note.board_id ?? "") ?? null,
    }));
  return { notes, last: read.length > limit ? toCursor(lastItem(read)) : null };
}

async function findNames(
  collection: Collection<Document>,
  filter: object,
  field: "file_name" | "name",
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const present = [...new Set(ids)].filter((id) => id !== null).map((id) => new ObjectId(id));
  if (present.length === 0) return new Map();
  type Row = { _id: ObjectId } & Record<typeof field, string>;
  const docs = await collection
    .find({ _id: { $in: present }, ...filter })
    .project<Row>({ [field]: 1 })
    .toArray();
  return new Map(docs.map((doc) => [doc._id.toHexString(), doc[field]]));
}

/** The notes on a file that is known to be there, oldest first. */
export async function listFileNotes(db: Db, ownerId: string, fileId: string): Promise<NoteRecord[]> {
  const target = targetKey({ kind: "file", file_id: fileId });
  const docs = await db.notes
    .find({ target, user_id: ownerId, deleted_at: null }, { projection: LIGHT, hint: "by_target" })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return docs.map(toNote);
}
