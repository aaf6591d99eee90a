import type { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { removePartsOfFiles } from "#db/files/file-parts.server.ts";

const AT_ONCE = 200;
const BATCHES = 25;

/**
 * Deletes files of a person for good, in the trash or not, so many at a time: texts first, so that what is left is found by its
 * record. Answers how many; none means that none are left.
 */
export async function removeOwnerFiles(db: Db, ownerId: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const docs = await db.files
      .find({ user_id: ownerId })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .limit(AT_ONCE)
      .toArray();
    if (docs.length === 0) return removed;
    const ids = docs.map(({ _id }) => _id);
    await removePartsOfFiles(db, ids);
    removed += (await db.files.deleteMany({ _id: { $in: ids }, user_id: ownerId })).deletedCount;
  }
  return removed;
}
