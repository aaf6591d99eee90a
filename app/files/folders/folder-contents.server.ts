import { z } from "zod";
import { createFileEtag } from "#app/files/file-etag.ts";
import { folderShape, toWireFolder } from "#app/files/folders/folder-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, cursorParam, flagParam, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { listFolderContents } from "#db/files/folders/folder-contents.server.ts";
import { type FolderTree, toItemPath } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const CONTENTS_PAGE_SIZE = 1_000;

const contentsFile = z
  .object({
    id: opaqueId,
    path: z.string(),
    version: z.int().min(1),
    size_bytes: count,
    updated_at: timestamp,
    etag: z.string(),
  })
  .meta({ id: "FileAtPath" });

/** A file with its full path and the ETag of its text, so that clients can compare folders without reading texts. */
const toContentsFile = (file: FileRecord, tree: FolderTree): z.input<typeof contentsFile> => ({
  id: file.id,
  path: toItemPath(tree, file.folder_id, file.file_name),
  version: file.version,
  size_bytes: file.size_bytes,
  updated_at: toTimestamp(file.updated_at),
  etag: createFileEtag(file),
});

export const folderContentsEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/tree",
    gate: "user",
    summary: "List the folders and files at a path, and with deep=1 all below it",
    query: z.object({
      path: z.string().default("").describe("Path of a folder, such as `src/lib`; empty for the root."),
      deep: flagParam.describe("`1` lists everything below the path, too."),
      cursor: cursorParam,
    }),
    refuses: ["folder_not_found", "invalid_folder_name", "invalid_cursor"],
    returns: {
      200: z.object({
        ok,
        folder_id: opaqueId.nullable(),
        folders: z.array(folderShape).meta({ description: "On the first page alone." }),
        files: z.array(contentsFile),
        next_cursor: z.string().nullable(),
      }),
    },
    answer: async ({ services: { db }, signedIn: { user }, query: { path, deep, cursor } }) => {
      const page = {
        path: path.replace(/^\/|\/$/g, ""),
        deep: deep === "1",
        cursor,
        limit: CONTENTS_PAGE_SIZE,
      };
      const result = await listFolderContents(db, user.id, page);
      if (isRefusal(result)) return result;
      const { tree, folder_id, folders, files, next_cursor } = result;
      return {
        ...{ ok: true, folder_id, next_cursor },
        folders: folders.map((folder) => toWireFolder(folder, tree)),
        files: files.map((file) => toContentsFile(file, tree)),
      };
    },
  }),
]);
