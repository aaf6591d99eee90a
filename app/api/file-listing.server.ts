import { fileOnWire } from "#app/api/file-wire.server.ts";
import type { Db } from "#db/client.ts";
import type { Cursors } from "#db/file-filters.server.ts";
import { countHits, searchFiles } from "#db/file-search.server.ts";
import { countFiles, listFiles } from "#db/files.server.ts";
import type { FileQuery } from "#domain/file-query.ts";
import type { MatchingLine } from "#domain/matching-line.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export type ListedFile = ReturnType<typeof fileOnWire> & { match?: MatchingLine | null };
export type Listing = { files: ListedFile[] } & Cursors;

/** One page of files as clients see them; where words were looked for, each with the line that has them. */
export async function listingOf(db: Db, ownerId: string, query: FileQuery): Promise<Listing | Refusal> {
  if (query.q === undefined) {
    const page = await listFiles(db, ownerId, query);
    return isRefusal(page) ? page : { ...page, files: page.files.map(fileOnWire) };
  }
  const page = await searchFiles(db, ownerId, { ...query, q: query.q });
  if (isRefusal(page)) return page;
  const { hits, ...cursors } = page;
  return { files: hits.map(({ file, line }) => ({ ...fileOnWire(file), match: line })), ...cursors };
}

/** How many files there are on all pages together. */
export async function totalOf(
  db: Db,
  ownerId: string,
  query: FileQuery,
): Promise<{ total: number; total_exact?: boolean }> {
  if (query.q === undefined) return { total: await countFiles(db, ownerId, query) };
  const { total, exact } = await countHits(db, ownerId, { ...query, q: query.q });
  return { total, total_exact: exact };
}
