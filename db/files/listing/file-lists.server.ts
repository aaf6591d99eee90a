import type { Db } from "#db/client.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import {
  type Cursors,
  listIndex,
  parseSpan,
  past,
  toCursors,
  toFilter,
  toPlace,
  toSort,
} from "#db/files/listing/file-filters.server.ts";
import type { FileQuery } from "#domain/files/file-query.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

type FilePage = { files: FileRecord[] } & Cursors;

/** One page by creation time and id. New files never shift it: the cursor is a place, not a count. */
export async function listFiles(
  db: Db,
  ownerId: string,
  query: Omit<FileQuery, "q">,
): Promise<FilePage | Refusal> {
  const span = parseSpan(query);
  if (isRefusal(span)) return span;
  const { order, from, backwards } = span;
  const docs = await db.files
    .find(past(toFilter(ownerId, query), order, from), { hint: listIndex(query) })
    .sort(toSort(order))
    .limit(query.limit + 1)
    .toArray();
  const read = docs.slice(0, query.limit);
  const shown = backwards ? read.toReversed() : read;
  const [first, last] = [shown.at(0), shown.at(-1)].map((doc) => doc && toPlace(doc, order));
  return { files: shown.map(toFile), ...toCursors(span, first, last, docs.length > query.limit) };
}
