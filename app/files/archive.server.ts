import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { toZipStream, type ZipEntry } from "#app/web/answers/zip.ts";
import type { Db } from "#db/client.ts";
import { type FileRecord, readBody } from "#db/files/file-records.server.ts";
import { readSharedText, type Share } from "#db/shares/shares.server.ts";
import { archiveNames, archivePaths, MANIFEST_NAME, safeName } from "#domain/files/archive.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import { itemAt } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

/** Streams a zip of the selected files with only one text in memory. */
export function answerArchive(db: Db, ownerId: string, files: FileRecord[], now: Date): Response {
  return answerZip(listZipEntries(db, ownerId, files, now), now);
}

export function answerZip(entries: AsyncIterable<ZipEntry>, now: Date, title = "codeshelf"): Response {
  const body = toZipStream(entries);
  const name = `${title}-${now.toISOString().slice(0, 10)}.zip`;
  return new Response(body, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": toContentDisposition(name),
      "Cache-Control": "private, no-store",
    },
  });
}

async function* listZipEntries(
  db: Db,
  ownerId: string,
  files: FileRecord[],
  now: Date,
): AsyncGenerator<ZipEntry> {
  const names = archiveNames(files.map(({ file_name }) => file_name));
  for (const [i, file] of files.entries()) {
    const content = Buffer.from(await readBody(db, ownerId, file));
    yield { name: itemAt(names, i), content, modifiedAt: file.updated_at };
  }
  const manifest = {
    created_at: toTimestamp(now),
    count: files.length,
    files: files.map((file, i) => ({
      path: names[i],
      id: file.id,
      file_name: file.file_name,
      language: file.language,
      ...pickDetails(file),
      version: file.version,
      size_bytes: file.size_bytes,
      created_at: toTimestamp(file.created_at),
      updated_at: toTimestamp(file.updated_at),
    })),
  };
  yield {
    name: MANIFEST_NAME,
    content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    modifiedAt: now,
  };
}

/** Streams a zip of a link's files for strangers, without anything private to the owner. */
export function answerSharedArchive(db: Db, link: Share, now: Date): Response {
  return answerZip(listSharedEntries(db, link), now, link.folder && safeName(link.folder.name));
}

async function* listSharedEntries(db: Db, link: Share): AsyncGenerator<ZipEntry> {
  const names = link.folder
    ? archivePaths(link.files.map(({ file_name, path = file_name }) => path))
    : archiveNames(link.files.map(({ file_name }) => file_name));
  for (const [i, file] of link.files.entries()) {
    const content = Buffer.from(await readSharedText(db, link, file));
    yield { name: itemAt(names, i), content, modifiedAt: link.created_at };
  }
}
