import { findFolderAt, makeFolders } from "#db/folders/folders.server.ts";
import { findTakenNames, importFile, toNameInFolder } from "#db/library-zip/import-files.server.ts";
import { findImportTargets } from "#db/library-zip/import-ids.server.ts";
import type { Imported } from "#domain/files/export-format.ts";
import type { Outcome } from "#domain/files/library-import.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { type ImportWalk, isOver, orStop } from "#worker/library-import/walk.ts";

/** Brings the files of a zip with all their versions. */
export async function bringFiles(walk: ImportWalk): Promise<void> {
  const paths = new Set<string>();
  for await (const records of walk.reader.readRecords("files")) await storeFiles(walk, records, paths);
}

type Files = Imported<"files">[];
type PlacedRecord = Imported<"files"> & { folder_id: string | null };

/** The folder here at the path that one has in the zip; the root where it cannot be made. While it only looks, none is made. */
export async function bringFolder(
  { db, ownerId, dry, now, folders }: ImportWalk,
  path: string,
): Promise<string | null> {
  if (path === "") return null;
  const known = folders.get(path);
  if (known !== undefined) return known;
  const names = path.split("/");
  const found = dry ? await findFolderAt(db, ownerId, names) : await makeFolders(db, ownerId, names, now);
  const folder_id = found === undefined || isRefusal(found) ? null : found;
  folders.set(path, folder_id);
  return folder_id;
}

/** Imports one portion of files, none of which is stored yet. */
async function storeFiles(walk: ImportWalk, records: Files, paths: Set<string>): Promise<void> {
  const { db, ownerId, report, files } = walk;
  const ids = records.map(({ id }) => id);
  const importTargets = await findImportTargets(db.files, ownerId, ids);
  const placed: PlacedRecord[] = [];
  for (const record of records) placed.push({ ...record, folder_id: await bringFolder(walk, record.folder) });
  const taken = await findTakenNames(db, ownerId, placed);
  for (const record of placed) {
    await walk.step("files");
    const { id, state, isDeleted } = required(importTargets.get(record.id), "import target of a file");
    const outcome = await bringFile(walk, id, state, record);
    report.kinds.files[outcome] += 1;
    report.kinds.versions[outcome] += record.versions.length;
    if (outcome !== "left") files.set(record.id, id);
    if (outcome === "here" && isDeleted && !record.deleted_at) report.trashed = (report.trashed ?? 0) + 1;
    if (outcome !== "added" || record.deleted_at) continue;
    const path = toComposedName(`${record.folder}/${record.file_name}`);
    if (taken.has(toNameInFolder(record)) || paths.has(path)) report.renamed += 1;
    paths.add(path);
  }
}

async function bringFile(
  walk: ImportWalk,
  id: string,
  state: "new" | "here" | "unfinished",
  record: PlacedRecord,
): Promise<Outcome> {
  const { db, ownerId, reader, now, dry } = walk;
  if (isOver(record.expires_at, now)) return "left";
  if (state === "here") return "here";
  if (!dry) return orStop(await importFile(db, ownerId, id, record, reader.readText, now)) ? "added" : "here";
  for (const { path } of record.versions) walk.bytes += utf8Bytes(await reader.readText(path));
  return "added";
}
