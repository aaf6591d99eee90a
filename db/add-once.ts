import { hasOnlyDuplicates } from "#db/faults.server.ts";

/** Repeated within so many additions of others, one is known again. */
const BATCHES_KEPT = 50;

/**
 * Adding to records once, however often the same batch is sent: one that was cut off after some of its records is sent again whole. A
 * record that has the batch already does not fit the filter, and making it a second time meets its key.
 */
export const withoutBatch = (batch: string) => ({ batches: { $ne: batch } });
export const keepBatch = (batch: string) => ({
  $push: { batches: { $each: [batch], $slice: -BATCHES_KEPT } },
});

/** Sends upserts of one batch. Another process may have made a record at the same moment: then it is there, without this batch. */
export async function addOnce(send: () => Promise<unknown>): Promise<void> {
  for (const isLast of [false, true]) {
    try {
      await send();
      return;
    } catch (error) {
      if (!hasOnlyDuplicates(error)) throw error;
      if (isLast) return;
    }
  }
}
