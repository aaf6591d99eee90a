import { answerZip } from "#app/files/archive.server.ts";
import type { ZipEntry } from "#app/web/answers/zip.ts";
import type { Db } from "#db/client.ts";
import { readBody } from "#db/files/file-records.server.ts";
import type { FileWithin } from "#db/files/folders/folder-files.server.ts";
import { archivePaths, safeName } from "#domain/files/archive.ts";
import { itemAt } from "#domain/required.ts";

/** Streams a folder as a zip with its tree. Only one text is in memory at a time. */
export function answerFolderArchive(
  db: Db,
  ownerId: string,
  name: string,
  files: readonly FileWithin[],
  now: Date,
): Response {
  return answerZip(listEntries(db, ownerId, files), now, safeName(name));
}

async function* listEntries(db: Db, ownerId: string, files: readonly FileWithin[]): AsyncGenerator<ZipEntry> {
  const paths = archivePaths(files.map(({ path }) => path));
  for (const [i, { file }] of files.entries()) {
    const content = Buffer.from(await readBody(db, ownerId, file));
    yield { name: itemAt(paths, i), content, modifiedAt: file.updated_at };
  }
}
