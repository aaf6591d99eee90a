import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findBodyStarts } from "#db/files/file-versions.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { findDefinitions } from "#domain/search/definitions.ts";

/** The number of files to read, and of characters of each, for any size of the library. */
const FILES_READ = 40;
const CHARACTERS_READ = 2_000;
const DEFINITIONS_PER_FILE = 50;

/** Lists words of the newest files: the names that the beginnings of their texts define, then these beginnings. */
export async function listNewestWords(db: Db, ownerId: string): Promise<string[]> {
  const docs = await db.files
    .find(living(ownerId), { hint: "by_creation" })
    .sort({ created_at: -1, _id: -1 })
    .limit(FILES_READ)
    .project<Pick<FileDoc, "_id" | "version" | "language">>({ version: 1, language: 1 })
    .toArray();
  const files = docs.map(({ _id, ...file }) => ({ ...file, id: _id.toHexString() }));
  const starts = await findBodyStarts(db, ownerId, files, CHARACTERS_READ);
  const definitions = files.flatMap(({ language }, i) =>
    findDefinitions(starts[i] ?? "", language, DEFINITIONS_PER_FILE).map(({ name }) => name),
  );
  return [...definitions, ...starts.flatMap((start) => start ?? [])];
}
