import { findTakenNames, importFile } from "#db/library-zip/import-files.server.ts";
import { findImportTargets } from "#db/library-zip/import-ids.server.ts";
import type { Imported } from "#domain/files/export-format.ts";
import type { Outcome } from "#domain/files/library-import.ts";
import { required } from "#domain/required.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { type ImportWalk, isOver, orStop } from "#worker/library-import/walk.ts";

/** Brings the files of a zip with all their versions. */
export async function bringFiles(walk: ImportWalk): Promise<void> {
  const names = new Set<string>();
  for await (const records of walk.reader.readRecords("files")) await storeFiles(walk, records, names);
}

type Files = Imported<"files">[];

/** Imports one portion of files, none of which is stored yet. */
async function storeFiles(walk: ImportWalk, records: Files, names: Set<string>): Promise<void> {
  const { db, ownerId, report, files } = walk;
  const ids = records.map(({ id }) => id);
  const importTargets = await findImportTargets(db.files, ownerId, ids);
  const taken = await findTakenNames(
    db,
    ownerId,
    records.map(({ file_name }) => file_name),
  );
  for (const record of records) {
    await walk.step("files");
    const { id, state } = required(importTargets.get(record.id), "import target of a file");
    const outcome = await bringFile(walk, id, state, record);
    report.kinds.files[outcome] += 1;
    report.kinds.versions[outcome] += record.versions.length;
    if (outcome !== "left") files.set(record.id, id);
    if (outcome !== "added" || record.deleted_at) continue;
    if (taken.has(record.file_name) || names.has(record.file_name)) report.renamed += 1;
    names.add(record.file_name);
  }
}

async function bringFile(
  walk: ImportWalk,
  id: string,
  state: "new" | "here" | "unfinished",
  record: Imported<"files">,
): Promise<Outcome> {
  const { db, ownerId, reader, now, dry } = walk;
  if (isOver(record.expires_at, now)) return "left";
  if (state === "here") return "here";
  if (!dry) return orStop(await importFile(db, ownerId, id, record, reader.readText, now)) ? "added" : "here";
  for (const { path } of record.versions) walk.bytes += utf8Bytes(await reader.readText(path));
  return "added";
}
