/**
 * Asks a question again whose first part was answered and whose rest was lost: the cursor went with an election, a restart or a
 * clean-up of the server. `toArray` hands out nothing before it has everything, so nothing is seen twice. The driver repeats
 * only the first command of a query, never what follows.
 */
import { AbstractCursor } from "mongodb";
import { isDeadlineExceeded, isStorageFault } from "#db/faults.server.ts";

const REPEATS_MAX = 2;
const readAll = AbstractCursor.prototype.toArray;

async function readAllAgain(this: AbstractCursor): Promise<unknown[]> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await readAll.call(this);
    } catch (error) {
      const hadBegun = this.id !== undefined;
      const isLost = hadBegun && isStorageFault(error) && !isDeadlineExceeded(error);
      if (!isLost || repeats === REPEATS_MAX) throw error;
      this.rewind();
    }
  }
}

/** Holds for every client of this process, whenever it was made. */
export function repeatQuestionsWithLostCursors(): void {
  AbstractCursor.prototype.toArray = readAllAgain;
}
