import type { AnyBulkWriteOperation, Collection, Document } from "mongodb";
import { hasOnlyDuplicates } from "#db/faults.server.ts";

/** A record that sums are added to. `batches` are the newest additions that it has. */
export type SumDoc = { _id: string; batches?: string[] };

/** Repeated within so many additions of others, one is known again. */
const BATCHES_KEPT = 50;

/**
 * Adds to several sums, each record once however often the same batch is sent: one that was cut off after some of its records is sent
 * again whole. A record that has the batch already does not fit the filter, and making it a second time meets its key.
 */
export async function addOnce<Doc extends SumDoc>(
  collection: Collection<Doc>,
  batch: string,
  sums: readonly { _id: string; update: Document }[],
): Promise<void> {
  if (sums.length === 0) return;
  const kept = { batches: { $each: [batch], $slice: -BATCHES_KEPT } };
  const writes = sums.map(({ _id, update }) => ({
    updateOne: {
      filter: { _id, batches: { $ne: batch } },
      update: { ...update, $push: kept },
      upsert: true,
    },
  })) as unknown as AnyBulkWriteOperation<Doc>[];
  const add = () => collection.bulkWrite(writes, { ordered: false });
  // Another process may have made a record at the same moment: then it is there, without this batch.
  await add()
    .catch((error) => (hasOnlyDuplicates(error) ? add() : Promise.reject(error)))
    .catch((error) => {
      if (!hasOnlyDuplicates(error)) throw error;
    });
}
