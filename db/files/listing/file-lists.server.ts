import type { Db } from "#db/client.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import {
  type Cursors,
  chooseListIndex,
  parseSpan,
  toCursors,
  toFilter,
  toListPosition,
  toPastFilter,
  toSort,
} from "#db/files/listing/file-filters.server.ts";
import type { FileQuery } from "#domain/files/file-query.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

type FilePage = { files: FileRecord[] } & Cursors;

/** Lists a page of files. New files never shift pages, because a cursor is a position and not a count. */
export async function listFiles(
  db: Db,
  ownerId: string,
  query: Omit<FileQuery, "q">,
): Promise<FilePage | Refusal> {
  const span = parseSpan(query);
  if (isRefusal(span)) return span;
  const { order, from, backwards } = span;
  const docs = await db.files
    .find(toPastFilter(toFilter(ownerId, query), order, from), { hint: chooseListIndex(query) })
    .sort(toSort(order))
    .limit(query.limit + 1)
    .toArray();
  const rows = docs.slice(0, query.limit);
  const visible = backwards ? rows.toReversed() : rows;
  const [first, last] = [visible.at(0), visible.at(-1)].map((doc) => doc && toListPosition(doc, order));
  return { files: visible.map(toFile), ...toCursors(span, first, last, docs.length > query.limit) };
}
