import type { FileRecord, SavedFile } from "#db/files.server.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/timestamp.ts";

/** A file as clients see it. */
export function fileOnWire({ user_id: _, ...file }: FileRecord) {
  return {
    ...file,
    created_at: toTimestamp(file.created_at),
    updated_at: toTimestamp(file.updated_at),
    last_opened_at: toTimestampOrNull(file.last_opened_at),
    deleted_at: toTimestampOrNull(file.deleted_at),
    expires_at: toTimestampOrNull(file.expires_at),
  };
}

export type WireFile = ReturnType<typeof fileOnWire>;

export function savedOnWire({ file, version }: SavedFile) {
  return { file_id: file.id, file_name: file.file_name, version, url: `/file/${file.id}` };
}
