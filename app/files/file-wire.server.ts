import { z } from "zod";
import { createFileEtag } from "#app/files/file-etag.ts";
import { count, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { fileFields, toFileFields } from "#domain/files/file-schema.ts";
import { NO_FOLDERS, toItemPath } from "#domain/files/folders/folder-tree.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

export function toWireFile({ user_id: _, ...file }: FileRecord) {
  return writeTimestamps(file);
}

export const fileShape = z
  .object({
    id: opaqueId,
    folder_id: opaqueId.nullable(),
    ...fileFields.shape,
    size_bytes: count,
    lines: count,
    created_at: timestamp,
    updated_at: timestamp,
    last_opened_at: timestamp.nullable(),
    deleted_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: "File" });

/** A single file as clients see it, with its path and ETag. The tree of folders is read only for a file in a folder. */
export async function toWireFileWithPath(db: Db, file: FileRecord) {
  const tree = file.folder_id === null ? NO_FOLDERS : await readFolders(db, file.user_id);
  const { id, folder_id, size_bytes, lines, created_at, updated_at } = file;
  return {
    ...toFileFields(file),
    ...writeTimestamps({ id, folder_id, size_bytes, lines, created_at, updated_at }),
    path: toItemPath(tree, folder_id, file.file_name),
    etag: createFileEtag(file),
  };
}

export const fileRecordShape = z
  .object({
    id: opaqueId,
    ...fileFields.shape,
    path: z.string(),
    folder_id: opaqueId.nullable(),
    size_bytes: count,
    lines: count,
    created_at: timestamp,
    updated_at: timestamp,
    etag: z.string().meta({ description: "The tag of its text, for If-Match and If-None-Match." }),
  })
  .meta({ id: "FileRecord" });

export const savedShape = z.object({
  ok,
  file_id: opaqueId,
  file_name: z.string(),
  version: z.int().min(1),
  url: z.string(),
});

export function toWireSavedFile({ file, version }: SavedFile) {
  return { file_id: file.id, file_name: file.file_name, version, url: `/file/${file.id}` };
}
