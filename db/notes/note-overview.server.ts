import { type Collection, type Document, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { asUntypedCollection } from "#db/core/driver/driver-types.ts";
import { living } from "#db/files/living-files.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import type { ListCursor } from "#domain/cursor.ts";
import { type NoteKind, targetKey } from "#domain/notes/note.ts";
import { lastItem } from "#domain/required.ts";

type OverviewQuery = { color?: string; kind?: NoteKind; cursor?: ListCursor; limit: number };
type OverviewNote = NoteRecord & { file_name: string | null; board_name: string | null };

/** Lists a person's notes everywhere, last changed first, with the names of their targets. Notes of files in the trash are left out. */
export async function listEveryNote(
  db: Db,
  ownerId: string,
  query: OverviewQuery,
): Promise<{ notes: OverviewNote[]; next: ListCursor | null }> {
  const notes: OverviewNote[] = [];
  for (let { cursor } = query; notes.length <= query.limit; ) {
    const page = await readPage(db, ownerId, query, cursor);
    notes.push(...page.notes);
    if (!page.last) break;
    cursor = page.last;
  }
  const visible = notes.slice(0, query.limit);
  return { notes: visible, next: notes.length > query.limit ? toCursor(lastItem(visible)) : null };
}

const toCursor = ({ updated_at, id }: Pick<NoteRecord, "updated_at" | "id">): ListCursor => ({
  createdAtMs: updated_at.getTime(),
  id,
});

/** Filters notes after a position of the list; the index uses only the bound on the time. */
function toFilterAfter({ createdAtMs, id }: ListCursor) {
  const moment = new Date(createdAtMs);
  return {
    updated_at: { $lte: moment },
    $nor: [{ updated_at: moment, _id: { $gte: new ObjectId(id) } }],
  };
}

/** Reads as many notes as requested, without those of files in the trash; `last` is the cursor of the next page, if there is more. */
async function readPage(db: Db, ownerId: string, { color, kind, limit }: OverviewQuery, cursor?: ListCursor) {
  const filter = {
    user_id: ownerId,
    deleted_at: null,
    ...(cursor ? toFilterAfter(cursor) : {}),
    ...(color ? { color } : {}),
    ...(kind ? { kind } : {}),
  };
  const docs = await db.notes
    .find(filter, { projection: LIGHT, hint: "by_change" })
    .sort({ updated_at: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const records = docs.map(toNote);
  const ids = (field: "file_id" | "board_id") => records.map((note) => note[field]);
  const [files, boards] = await Promise.all([
    findNames(asUntypedCollection(db.files), living(ownerId), "file_name", ids("file_id")),
    findNames(asUntypedCollection(db.boards), { user_id: ownerId }, "name", ids("board_id")),
  ]);
  const notes = records
    .filter(({ file_id }) => file_id === null || files.has(file_id))
    .map((note) => ({
      ...note,
      file_name: files.get(note.file_id ?? "") ?? null,
      board_name: boards.get(note.board_id ?? "") ?? null,
    }));
  return { notes, last: records.length > limit ? toCursor(lastItem(records)) : null };
}

async function findNames(
  collection: Collection<Document>,
  filter: object,
  field: "file_name" | "name",
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const objectIds = [...new Set(ids)].filter((id) => id !== null).map((id) => new ObjectId(id));
  if (objectIds.length === 0) return new Map();
  type Row = { _id: ObjectId } & Record<typeof field, string>;
  const docs = await collection
    .find({ _id: { $in: objectIds }, ...filter })
    .project<Row>({ [field]: 1 })
    .toArray();
  return new Map(docs.map((doc) => [doc._id.toHexString(), doc[field]]));
}

export async function listFileNotes(db: Db, ownerId: string, fileId: string): Promise<NoteRecord[]> {
  const target = targetKey({ kind: "file", file_id: fileId });
  const docs = await db.notes
    .find({ target, user_id: ownerId, deleted_at: null }, { projection: LIGHT, hint: "by_target" })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return docs.map(toNote);
}
