/**
 * Repeats a query whose cursor was lost by an election, a restart or a clean-up of the server after its first batch. `toArray` returns
 * nothing before it is complete, so nothing is returned twice. The driver itself repeats only the first command of a query.
 */
import { AbstractCursor } from "mongodb";
import { isDeadlineExceeded, isStorageFault } from "#db/core/faults.server.ts";

const REPEATS_MAX = 2;
const readAll = AbstractCursor.prototype.toArray;

async function readAllWithRetries(this: AbstractCursor): Promise<unknown[]> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await readAll.call(this);
    } catch (error) {
      const hasBegun = this.id !== undefined;
      const isLost = hasBegun && isStorageFault(error) && !isDeadlineExceeded(error);
      if (!isLost || repeats === REPEATS_MAX) throw error;
      this.rewind();
    }
  }
}

/** Applies to every client of this process, also existing ones. */
export function retryReadsOnLostCursor(): void {
  AbstractCursor.prototype.toArray = readAllWithRetries;
}
