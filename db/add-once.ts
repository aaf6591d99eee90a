import { hasOnlyDuplicates } from "#db/faults.server.ts";

/** A batch is recognised as a repetition for so many batches after it. */
const BATCHES_KEPT = 50;

/**
 * Adds a batch to its records once, however often it is sent: a batch that was interrupted is sent again whole. A record that already
 * has the batch does not match the filter, and inserting it again fails on its key.
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
