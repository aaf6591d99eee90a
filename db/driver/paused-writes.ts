import type { Collection } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import type { WritingPause } from "#db/installation/writing-pause.ts";

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

/** What belongs to the processes of one place and is made anew at another. */
export const NOT_MOVED: readonly CollectionName[] = ["workers"];

type Write = (...words: unknown[]) => Promise<unknown>;

/** Makes every write to a collection ask first whether writing is paused. */
export function holdWrites(collection: Collection, writing: WritingPause): void {
  // Each has its own type of call; this passes on whatever it is called with.
  const methods = collection as unknown as Record<(typeof WRITES)[number], Write>;
  for (const name of WRITES) {
    const write = methods[name].bind(collection);
    methods[name] = (...words) => {
      const waiting = writing.beforeWrite();
      return waiting ? waiting.then(() => write(...words)) : write(...words);
    };
  }
}
