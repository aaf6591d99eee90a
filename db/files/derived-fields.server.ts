import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { listTagKeys } from "#domain/files/tags.ts";
import { lastItem } from "#domain/required.ts";

const LOOKED_AT_ONCE = 1_000;
const LOOKED_MAX = 5_000;

type Read = Pick<FileDoc, "_id" | "user_id" | "file_name" | "tags"> &
  Partial<Pick<FileDoc, "name_order" | "tag_keys">>;
type Mended = { looked: number; mended: number; next: string | null };

/**
 * Mends `name_order` and `tag_keys` where they are not what the name and the tags say: code of an earlier release, which may run beside
 * this for a while, writes those without them. Looks at so many files from a place on and tells where to go on.
 */
export async function mendDerivedFields(
  db: Db,
  from: string | null,
  lookedMax = LOOKED_MAX,
): Promise<Mended> {
  let next = from;
  const counts = { looked: 0, mended: 0 };
  while (counts.looked < lookedMax) {
    const docs = await readFields(db, next);
    counts.looked += docs.length;
    counts.mended += await writeFields(db, docs);
    if (docs.length < LOOKED_AT_ONCE) return { ...counts, next: null };
    next = lastItem(docs)._id.toHexString();
  }
  return { ...counts, next };
}

function readFields(db: Db, after: string | null): Promise<Read[]> {
  return db.files
    .find(after ? { _id: { $gt: new ObjectId(after) } } : {})
    .project<Read>({ user_id: 1, file_name: 1, name_order: 1, tags: 1, tag_keys: 1 })
    .sort({ _id: 1 })
    .limit(LOOKED_AT_ONCE)
    .toArray();
}

/** A file that is renamed or tagged meanwhile is left to who does that. */
async function writeFields(db: Db, docs: readonly Read[]): Promise<number> {
  const writes = docs.flatMap(({ _id, user_id, file_name, tags, ...derived }) => {
    const right = { name_order: toNameOrder(file_name), tag_keys: listTagKeys(tags) };
    const isRight =
      derived.name_order === right.name_order &&
      JSON.stringify(derived.tag_keys) === JSON.stringify(right.tag_keys);
    return isRight
      ? []
      : [{ updateOne: { filter: { _id, user_id, file_name, tags }, update: { $set: right } } }];
  });
  if (writes.length === 0) return 0;
  return (await db.files.bulkWrite(writes, { ordered: false })).modifiedCount;
}
