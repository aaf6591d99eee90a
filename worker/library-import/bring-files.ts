import { makeFolders, readFolders } from "#db/folders/folders.server.ts";
import {
  findFreeFolderName,
  findTakenNames,
  importFile,
  toNameInFolder,
} from "#db/library-zip/import-files.server.ts";
import { findImportTargets } from "#db/library-zip/import-ids.server.ts";
import type { Imported } from "#domain/files/export-format.ts";
import type { Outcome } from "#domain/files/library-import.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { followPath } from "#domain/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { type FolderHere, type ImportWalk, isOver, orStop } from "#worker/library-import/walk.ts";

/** Brings the files of a zip with all their versions. */
export async function bringFiles(walk: ImportWalk): Promise<void> {
  const paths = new Set<string>();
  for await (const records of walk.reader.readRecords("files")) await storeFiles(walk, records, paths);
}

type Files = Imported<"files">[];
type PlacedRecord = Imported<"files"> & { folder_id: string | null };

/** The folder here for one of the zip; the root where it cannot be made. While it only looks, none is made. */
export async function bringFolder(walk: ImportWalk, path: string): Promise<string | null> {
  return (await findFolderHere(walk, path)).id;
}

const ROOT: FolderHere = { id: null, names: [] };

async function findFolderHere(walk: ImportWalk, path: string): Promise<FolderHere> {
  const known = path === "" ? ROOT : walk.folders.get(path);
  if (known !== undefined) return known;
  const end = path.lastIndexOf("/");
  const parent = await findFolderHere(walk, path.slice(0, Math.max(end, 0)));
  const here = await placeFolder(walk, parent, path.slice(end + 1));
  walk.folders.set(path, here);
  return here;
}

/** A folder whose name a file has gets a number, as a file does whose name is taken. */
async function placeFolder(
  { db, ownerId, dry, now, report }: ImportWalk,
  parent: FolderHere,
  name: string,
): Promise<FolderHere> {
  const tree = await readFolders(db, ownerId);
  const free = await findFreeFolderName(db, ownerId, tree, parent.id, name);
  const names = [...parent.names, free];
  const followed = followPath(tree, names);
  if (followed.length === names.length) return { id: followed.at(-1)?.id ?? null, names };
  if (free !== name) report.renamed += 1;
  // No folder has a slash in its id: this one is not here yet, and nothing is in it.
  if (dry) return { id: `/${names.join("/")}`, names };
  const made = await makeFolders(db, ownerId, names, now);
  return { id: isRefusal(made) ? null : made, names };
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
