import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { listTagKeys } from "#domain/files/tags.ts";
import { lastItem } from "#domain/required.ts";

const PAGE_SIZE = 1_000;
const FILES_MAX = 5_000;

type FileFields = Pick<FileDoc, "_id" | "user_id" | "file_name" | "tags"> &
  Partial<Pick<FileDoc, "name_order" | "tag_keys">>;
type MendResult = { looked: number; mended: number; next: string | null };

/**
 * Corrects `name_order` and `tag_keys` that do not match the name and the tags, because earlier releases, which may run beside this one for
 * a while, write files without them. Checks a limited number of files from a position on and returns the next position.
 */
export async function repairDerivedFields(
  db: Db,
  from: string | null,
  maxFiles = FILES_MAX,
): Promise<MendResult> {
  let next = from;
  const counts = { looked: 0, mended: 0 };
  while (counts.looked < maxFiles) {
    const docs = await readFields(db, next);
    counts.looked += docs.length;
    counts.mended += await correctFields(db, docs);
    if (docs.length < PAGE_SIZE) return { ...counts, next: null };
    next = lastItem(docs)._id.toHexString();
  }
  return { ...counts, next };
}

function readFields(db: Db, after: string | null): Promise<FileFields[]> {
  return db.files
    .find(after ? { _id: { $gt: new ObjectId(after) } } : {})
    .project<FileFields>({ user_id: 1, file_name: 1, name_order: 1, tags: 1, tag_keys: 1 })
    .sort({ _id: 1 })
    .limit(PAGE_SIZE)
    .toArray();
}

/** A file that is renamed or tagged in between is left to that change. */
async function correctFields(db: Db, docs: readonly FileFields[]): Promise<number> {
  const writes = docs.flatMap(({ _id, user_id, file_name, tags, ...derived }) => {
    const expected = { name_order: toNameOrder(file_name), tag_keys: listTagKeys(tags) };
    const isCorrect =
      derived.name_order === expected.name_order &&
      JSON.stringify(derived.tag_keys) === JSON.stringify(expected.tag_keys);
    return isCorrect
      ? []
      : [{ updateOne: { filter: { _id, user_id, file_name, tags }, update: { $set: expected } } }];
  });
  if (writes.length === 0) return 0;
  return (await db.files.bulkWrite(writes, { ordered: false })).modifiedCount;
}
