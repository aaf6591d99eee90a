import { ensureFolders, readFolders } from "#db/files/folders/folders.server.ts";
import {
  findFreeFolderName,
  findTakenNames,
  importFile,
  toNameInFolder,
} from "#db/library-zip/import-files.server.ts";
import { findImportTargets } from "#db/library-zip/import-ids.server.ts";
import { followPath } from "#domain/files/folders/folder-tree.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import type { Imported } from "#domain/library-zip/export-format.ts";
import type { Outcome } from "#domain/library-zip/library-import.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { type FolderHere, type ImportWalk, isOver, stopOnRefusal } from "#worker/library-import/walk.ts";

export async function importFiles(walk: ImportWalk): Promise<void> {
  const paths = new Set<string>();
  for await (const records of walk.reader.readRecords("files")) await storeFiles(walk, records, paths);
}

type Files = Imported<"files">[];
type PlacedRecord = Imported<"files"> & { folder_id: string | null };

/** Returns the folder for a path in the zip; the root if it cannot be created. A dry run creates none. */
export async function ensureFolderId(walk: ImportWalk, path: string): Promise<string | null> {
  return (await ensureFolder(walk, path)).id;
}

const ROOT: FolderHere = { id: null, names: [] };

async function ensureFolder(walk: ImportWalk, path: string): Promise<FolderHere> {
  const existingFolder = path === "" ? ROOT : walk.folders.get(path);
  if (existingFolder !== undefined) return existingFolder;
  const slash = path.lastIndexOf("/");
  const parent = await ensureFolder(walk, path.slice(0, Math.max(slash, 0)));
  const folder = await createFolder(walk, parent, path.slice(slash + 1));
  walk.folders.set(path, folder);
  return folder;
}

/** A folder whose name is taken by a file gets a number, as files do. */
async function createFolder(
  { db, ownerId, dry, now, report }: ImportWalk,
  parent: FolderHere,
  name: string,
): Promise<FolderHere> {
  const tree = await readFolders(db, ownerId);
  const freeName = await findFreeFolderName(db, ownerId, tree, parent.id, name);
  const names = [...parent.names, freeName];
  const trail = followPath(tree, names);
  if (trail.length === names.length) return { id: trail.at(-1)?.id ?? null, names };
  if (freeName !== name) report.renamed += 1;
  // No folder's id contains a slash: this folder does not exist yet, and nothing is in it.
  if (dry) return { id: `/${names.join("/")}`, names };
  const folderId = await ensureFolders(db, ownerId, names, now);
  return { id: isRefusal(folderId) ? null : folderId, names };
}

async function storeFiles(walk: ImportWalk, records: Files, paths: Set<string>): Promise<void> {
  const { db, ownerId, report, files } = walk;
  const ids = records.map(({ id }) => id);
  const importTargets = await findImportTargets(db.files, ownerId, ids);
  const placed: PlacedRecord[] = [];
  for (const record of records)
    placed.push({ ...record, folder_id: await ensureFolderId(walk, record.folder) });
  const takenNames = await findTakenNames(db, ownerId, placed);
  for (const record of placed) {
    await walk.step("files");
    const { id, state, isDeleted } = required(importTargets.get(record.id), "import target of a file");
    const outcome = await importFileRecord(walk, id, state, record);
    report.kinds.files[outcome] += 1;
    report.kinds.versions[outcome] += record.versions.length;
    if (outcome !== "left") files.set(record.id, id);
    if (outcome === "here" && isDeleted && !record.deleted_at) report.trashed = (report.trashed ?? 0) + 1;
    if (outcome !== "added" || record.deleted_at) continue;
    const path = toComposedName(`${record.folder}/${record.file_name}`);
    if (takenNames.has(toNameInFolder(record)) || paths.has(path)) report.renamed += 1;
    paths.add(path);
  }
}

async function importFileRecord(
  walk: ImportWalk,
  id: string,
  state: "new" | "here" | "unfinished",
  record: PlacedRecord,
): Promise<Outcome> {
  const { db, ownerId, reader, now, dry } = walk;
  if (isOver(record.expires_at, now)) return "left";
  if (state === "here") return "here";
  if (!dry)
    return stopOnRefusal(await importFile(db, ownerId, id, record, reader.readText, now)) ? "added" : "here";
  for (const { path } of record.versions) walk.bytes += utf8Bytes(await reader.readText(path));
  return "added";
}
