import type { Db } from "#db/client.ts";

/**
 * What counts as a person's library: the texts of all versions of all files, also in the trash, the contents of notes and what
 * they were before, and the outputs of runs that are kept. Mirrored repositories have a limit of their own.
 */
const READ_AT_ONCE = 2_000;

const textBytes = (field: string) => ({ $strLenBytes: { $ifNull: [field, ""] } });
export const VERSION_BYTES = "$size_bytes";
export const NOTE_BYTES = {
  $add: [
    textBytes("$content"),
    {
      $sum: {
        $map: { input: { $ifNull: ["$history", []] }, as: "past", in: textBytes("$$past.content") },
      },
    },
  ],
};
export const RUN_RESULT_BYTES = { $add: [textBytes("$stdout"), textBytes("$stderr")] };

/** Read in portions: no single question to the store takes long, however much there is. */
export async function measureLibrary(db: Db, ownerId: string): Promise<number> {
  const parts = [
    [db.file_versions, VERSION_BYTES],
    [db.notes, NOTE_BYTES],
    [db.run_results, RUN_RESULT_BYTES],
  ] as const;
  let sum = 0;
  for (const [collection, bytes] of parts) {
    const measured = collection.aggregate<{ bytes: number }>(
      [{ $match: { user_id: ownerId } }, { $project: { _id: 0, bytes } }],
      { batchSize: READ_AT_ONCE },
    );
    for await (const one of measured) sum += one.bytes;
  }
  return sum;
}
