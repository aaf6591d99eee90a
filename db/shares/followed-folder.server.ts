import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { type FileWithin, listFilesWithin } from "#db/files/folders/folder-files.server.ts";
import type { SharedFileDoc } from "#db/shares/documents.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export async function listSharedFolderFiles(
  db: Db,
  ownerId: string,
  { id, with_secrets }: { id: string; with_secrets?: boolean },
  limit: number,
): Promise<SharedFileDoc[] | Refusal> {
  const within = await listFilesWithin(db, ownerId, id, limit);
  return isRefusal(within) ? within : toSharedFiles(within, with_secrets);
}

export function toSharedFiles(within: readonly FileWithin[], with_secrets = false): SharedFileDoc[] {
  const visible = with_secrets ? within : within.filter(({ path }) => !isSecretFile(path));
  return visible.map(({ file, path }, i) => ({
    file_id: new ObjectId(file.id),
    place: i + 1,
    version: file.version,
    file_name: file.file_name,
    path,
    language: file.language,
    size_bytes: file.size_bytes,
    lines: file.lines,
  }));
}
