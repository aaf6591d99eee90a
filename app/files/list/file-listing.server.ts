import { z } from "zod";
import { fileShape, toWireFile } from "#app/files/file-wire.server.ts";
import { folderShape, toWireFolder } from "#app/files/folders/folder-wire.server.ts";
import { count, line, ok } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import type { Cursors } from "#db/files/listing/file-filters.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { countHits, searchFiles } from "#db/search/file-search.server.ts";
import { type FileQuery, ROOT_FOLDER } from "#domain/files/file-query.ts";
import { findTrail, listChildren } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { MatchingLine } from "#domain/search/matching-line.ts";

type ListedFile = ReturnType<typeof toWireFile> & { match?: MatchingLine | null };
export type Listing = { files: ListedFile[] } & Cursors;

const matchShape = z
  .object({ number: line, parts: z.array(z.object({ text: z.string(), hit: z.boolean() })) })
  .meta({ id: "MatchingLine", description: "The line that has the words, in pieces." });

export const listingShape = z.object({
  ok,
  files: z.array(fileShape.extend({ match: matchShape.nullable().optional() }).meta({ id: "ListedFile" })),
  next_cursor: z.string().nullable(),
  prev_cursor: z.string().nullable(),
  total: count,
  total_exact: z.boolean().optional(),
  folders: z.array(folderShape).optional().meta({ description: "With folder: the folders right in it." }),
  trail: z
    .array(folderShape)
    .optional()
    .meta({ description: "With folder: the folders on the way to it, itself the last." }),
});

export async function listFoldersAround(db: Db, ownerId: string, { folder }: FileQuery) {
  if (folder === undefined) return {};
  const tree = await readFolders(db, ownerId);
  const folder_id = folder === ROOT_FOLDER ? null : folder;
  const trail = folder_id === null ? [] : findTrail(tree, folder_id);
  if (!trail) return Refusal("folder_not_found", { folder_id });
  return {
    folders: listChildren(tree, folder_id).map((child) => toWireFolder(child, tree)),
    trail: trail.map((step) => toWireFolder(step, tree)),
  };
}

/** One page of files as clients see them; a search adds the line that matches. */
export async function listFilePage(db: Db, ownerId: string, query: FileQuery): Promise<Listing | Refusal> {
  if (query.q === undefined) {
    const page = await listFiles(db, ownerId, query);
    return isRefusal(page) ? page : { ...page, files: page.files.map(toWireFile) };
  }
  const page = await searchFiles(db, ownerId, { ...query, q: query.q });
  if (isRefusal(page)) return page;
  const { hits, ...cursors } = page;
  return { files: hits.map(({ file, line }) => ({ ...toWireFile(file), match: line })), ...cursors };
}

export async function countQueryFiles(
  db: Db,
  ownerId: string,
  query: FileQuery,
): Promise<{ total: number; total_exact?: boolean }> {
  if (query.q === undefined) return { total: await countFiles(db, ownerId, query) };
  const { total, exact } = await countHits(db, ownerId, { ...query, q: query.q });
  return { total, total_exact: exact };
}
