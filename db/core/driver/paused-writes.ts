import type { Collection } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import type { WritingPause } from "#db/core/installation/writing-pause.ts";

const WRITES = [
  "insertOne",
  "insertMany",
  "updateOne",
  "updateMany",
  "replaceOne",
  "deleteOne",
  "deleteMany",
  "findOneAndUpdate",
  "findOneAndReplace",
  "findOneAndDelete",
  "bulkWrite",
] as const satisfies readonly (keyof Collection)[];

/** Collections of the processes of an installation, which a new installation fills itself. */
export const NOT_MOVED: readonly CollectionName[] = ["workers"];

type Write = (...values: unknown[]) => Promise<unknown>;

/** Makes every write to a collection wait while writing is paused. */
export function delayWritesWhilePaused(collection: Collection, writing: WritingPause): void {
  // Each method has its own type; this passes all values on.
  const methods = collection as unknown as Record<(typeof WRITES)[number], Write>;
  for (const name of WRITES) {
    const write = methods[name].bind(collection);
    methods[name] = (...values) => {
      const waiting = writing.beforeWrite();
      return waiting ? waiting.then(() => write(...values)) : write(...values);
    };
  }
}
