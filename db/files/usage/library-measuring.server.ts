import type { Collection, Document } from "mongodb";
import type { Db } from "#db/client.ts";
import { untyped } from "#db/driver/driver-types.ts";
import { type KeyOrder, readInPages } from "#db/pages.ts";

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

/** Read in pages: no single question to the store takes long, however much there is. */
export async function measureLibrary(db: Db, ownerId: string): Promise<number> {
  const parts: [Collection<Document>, KeyOrder, object | string][] = [
    [untyped(db.file_versions), { file_id: 1, version: 1 }, VERSION_BYTES],
    [untyped(db.notes), { _id: 1 }, NOTE_BYTES],
    [untyped(db.run_results), { _id: 1 }, RUN_RESULT_BYTES],
  ];
  let sum = 0;
  for (const [collection, order, bytes] of parts) {
    const measured = readInPages<Document, { bytes: number }>(collection, {
      filter: { user_id: ownerId },
      order,
      projection: { _id: 0, bytes },
      pageSize: READ_AT_ONCE,
    });
    for await (const one of measured) sum += one.bytes;
  }
  return sum;
}
