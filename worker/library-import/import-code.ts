import { findFileByName } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { ensureFolders, findFolderIdAt, readFolders } from "#db/files/folders/folders.server.ts";
import { hasText } from "#db/files/unchanged-text.server.ts";
import { checkLibraryRoom } from "#db/files/usage/library-usage.server.ts";
import { toFolderPath } from "#domain/files/folders/folder-tree.ts";
import {
  chooseFolder,
  LEFT_OUT_NAMED_MAX,
  type LeftOutReason,
  showPath,
  toLeftOutReason,
  toTargetPath,
} from "#domain/library-zip/code-zip.ts";
import { createReport, type ImportReport } from "#domain/library-zip/library-import.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import type { CodeFile, CodeHead } from "#worker/library-import/code-archive.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";
import { type ImportOrder, stopOnRefusal } from "#worker/library-import/walk.ts";

/** Existing folders by path; undefined for a folder that a dry run would create. */
type FolderIds = Map<string, string | null | undefined | Refusal>;
type CodeWalk = ImportOrder & { report: ImportReport; parents: string[]; ids: FolderIds; bytes: number };

/**
 * Imports the texts of a zip of code like an upload of their folder: a new path becomes a file, a different text at an existing
 * path becomes its next version, and an equal text changes nothing. So a second attempt continues the first.
 */
export async function importCode(
  reader: LibraryReader,
  order: ImportOrder,
  { paths, left, left_out, junk }: CodeHead,
): Promise<ImportReport> {
  const tree = await readFolders(order.db, order.ownerId);
  const targetPath = toFolderPath(tree, order.folderId);
  const targetFolders = targetPath === "" ? [] : targetPath.split("/");
  const { name, added } = chooseFolder(order.zipName, paths);
  const parents = [...targetFolders, ...added];
  const report: ImportReport = {
    ...createReport(null),
    code: { folder: [...targetFolders, name].join("/"), left_out: [...left_out], junk },
  };
  report.kinds.files.left = left;
  const walk: CodeWalk = { ...order, report, parents, ids: new Map(), bytes: 0 };
  for await (const files of reader.readCode())
    for (const file of files) {
      await order.step("files", report, { files: paths.length });
      const why = await importCodeFile(walk, file);
      if (why !== null) recordLeftOut(report, file.path, why);
    }
  if (order.dry) stopOnRefusal(await checkLibraryRoom(order.db, order.ownerId, walk.bytes, order.now));
  return report;
}

function recordLeftOut({ kinds, code }: ImportReport, path: string, why: LeftOutReason): void {
  kinds.files.left += 1;
  if (code && code.left_out.length < LEFT_OUT_NAMED_MAX) code.left_out.push({ path: showPath(path), why });
}

async function importCodeFile(walk: CodeWalk, file: CodeFile): Promise<LeftOutReason | null> {
  if ("why" in file) return file.why;
  const { db, ownerId, dry, now, report } = walk;
  const { body } = file;
  const target = toTargetPath(walk.parents, file.path);
  if (typeof target === "string") return target;
  const { file_name } = target;
  const folder_id = await ensureFolder(walk, target.folders);
  if (isRefusal(folder_id)) return toReason(folder_id);
  const current = folder_id === undefined ? null : await findFileByName(db, ownerId, file_name, folder_id);
  const { files, versions } = report.kinds;
  if (current && (await hasText(db, ownerId, current, body))) {
    files.here += 1;
    versions.here += 1;
    return null;
  }
  walk.bytes += utf8Bytes(body);
  if (!dry) {
    const savedFile = await saveFile(db, ownerId, { file_name, folder_id, body, byJob: true }, now);
    if (isRefusal(savedFile)) return toReason(savedFile);
  }
  files[current ? "here" : "added"] += 1;
  versions.added += 1;
  return null;
}

/** A refusal that is not about the file ends the import. */
const toReason = (refusal: Refusal): LeftOutReason =>
  toLeftOutReason(refusal.refused) ?? stopOnRefusal<never>(refusal);

async function ensureFolder({ db, ownerId, dry, now, ids }: CodeWalk, names: string[]) {
  const path = names.join("/");
  if (ids.has(path)) return ids.get(path);
  const folderId = await (dry ? findFolderIdAt(db, ownerId, names) : ensureFolders(db, ownerId, names, now));
  ids.set(path, folderId);
  return folderId;
}
