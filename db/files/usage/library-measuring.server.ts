import type { Collection, Document } from "mongodb";
import type { Db } from "#db/client.ts";
import { asUntypedCollection } from "#db/core/driver/driver-types.ts";
import { type KeyOrder, readInPages } from "#db/core/pages.ts";

/**
 * Measures a person's library: the texts of all versions of all files, also in the trash, current and former contents of notes,
 * and stored outputs of runs. Mirrored repositories have a limit of their own.
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

/** Reads in pages, so that no single query takes long, independent of the total. */
export async function measureLibrary(db: Db, ownerId: string): Promise<number> {
  const parts: [Collection<Document>, KeyOrder, object | string][] = [
    [asUntypedCollection(db.file_versions), { file_id: 1, version: 1 }, VERSION_BYTES],
    [asUntypedCollection(db.notes), { _id: 1 }, NOTE_BYTES],
    [asUntypedCollection(db.run_results), { _id: 1 }, RUN_RESULT_BYTES],
  ];
  let sum = 0;
  for (const [collection, order, bytes] of parts) {
    const measured = readInPages<Document, { bytes: number }>(collection, {
      filter: { user_id: ownerId },
      order,
      projection: { _id: 0, bytes },
      pageSize: READ_AT_ONCE,
    });
    for await (const row of measured) sum += row.bytes;
  }
  return sum;
}
