import { hasOnlyDuplicates } from "#db/core/faults.server.ts";

/** A batch is recognised as repeated until this many batches came after it. */
const BATCHES_KEPT = 50;

/**
 * Adds a batch to its records once, even if it is sent again as a whole after an interruption. A record that already has the
 * batch does not match the filter, and inserting it again fails on its key.
 */
export const withoutBatch = (batch: string) => ({ batches: { $ne: batch } });
export const toBatchUpdate = (batch: string) => ({
  $push: { batches: { $each: [batch], $slice: -BATCHES_KEPT } },
});

/** Sends upserts of a batch. Another process may have created a record at the same time, without this batch. */
export async function upsertBatchOnce(send: () => Promise<unknown>): Promise<void> {
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
