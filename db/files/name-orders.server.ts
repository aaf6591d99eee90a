import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { lastItem } from "#domain/required.ts";

const LOOKED_AT_ONCE = 1_000;
const LOOKED_MAX = 5_000;

type NamedDoc = Pick<FileDoc, "_id" | "user_id" | "file_name"> & { name_order?: string };
export type OrderedNames = { looked: number; ordered: number; next: string | null };

/**
 * Mends `name_order` where it is not what the name says: code of an earlier release, which may run beside this for a while, writes
 * names without it. Looks at a number of files from a place on and returns where to go on.
 */
export async function orderNames(db: Db, from: string | null, lookedMax = LOOKED_MAX): Promise<OrderedNames> {
  let next = from;
  const counts = { looked: 0, ordered: 0 };
  while (counts.looked < lookedMax) {
    const docs = await readNames(db, next);
    counts.looked += docs.length;
    counts.ordered += await writeOrders(db, docs);
    if (docs.length < LOOKED_AT_ONCE) return { ...counts, next: null };
    next = lastItem(docs)._id.toHexString();
  }
  return { ...counts, next };
}

function readNames(db: Db, after: string | null): Promise<NamedDoc[]> {
  return db.files
    .find(after ? { _id: { $gt: new ObjectId(after) } } : {})
    .project<NamedDoc>({ user_id: 1, file_name: 1, name_order: 1 })
    .sort({ _id: 1 })
    .limit(LOOKED_AT_ONCE)
    .toArray();
}

/** A file that is renamed meanwhile is left to who renames it. */
async function writeOrders(db: Db, docs: readonly NamedDoc[]): Promise<number> {
  const writes = docs.flatMap(({ _id, user_id, file_name, name_order }) => {
    const right = toNameOrder(file_name);
    const filter = { _id, user_id, file_name };
    return right === name_order ? [] : [{ updateOne: { filter, update: { $set: { name_order: right } } } }];
  });
  if (writes.length === 0) return 0;
  return (await db.files.bulkWrite(writes, { ordered: false })).modifiedCount;
}
