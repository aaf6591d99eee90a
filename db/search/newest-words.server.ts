import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findBodyStarts } from "#db/files/file-versions.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { findDefinitions } from "#domain/search/definitions.ts";

/** So many files are read, and so many characters of each, whatever the library holds. */
const FILES_READ = 40;
const CHARACTERS_READ = 2_000;
const DEFINITIONS_PER_FILE = 50;

/** Of the files that were made last: the names of what their beginnings define, then those beginnings themselves. */
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
