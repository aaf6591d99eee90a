import { findFileByName } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { showsText } from "#db/files/unchanged-text.server.ts";
import { findLackOfRoom } from "#db/files/usage/library-usage.server.ts";
import { findFolderAt, makeFolders, readFolders } from "#db/folders/folders.server.ts";
import {
  chooseFolder,
  LEFT_OUT_NAMED_MAX,
  type LeftOutReason,
  placeFile,
  showPath,
  toLeftOutReason,
} from "#domain/files/code-zip.ts";
import { createReport, type ImportReport } from "#domain/files/library-import.ts";
import { toFolderPath } from "#domain/folders/folder-tree.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import type { CodeFile, CodeHead } from "#worker/library-import/code-archive.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";
import { type ImportOrder, orStop } from "#worker/library-import/walk.ts";

/** The folders here by their paths; undefined for one that is not here, while the import only looks. */
type Places = Map<string, string | null | undefined | Refusal>;
type CodeWalk = ImportOrder & { report: ImportReport; below: string[]; places: Places; bytes: number };

/**
 * Brings the texts of a zip of code, as uploading their folder would: a new path becomes a file, another text at a path that is
 * here its next version, and the same text nothing. So a second attempt finds what the first one added.
 */
export async function importCode(
  reader: LibraryReader,
  order: ImportOrder,
  { paths, left, left_out, junk }: CodeHead,
): Promise<ImportReport> {
  const tree = await readFolders(order.db, order.ownerId);
  const chosen = toFolderPath(tree, order.folderId);
  const around = chosen === "" ? [] : chosen.split("/");
  const { name, added } = chooseFolder(order.zipName, paths);
  const below = [...around, ...added];
  const report: ImportReport = {
    ...createReport(null),
    code: { folder: [...around, name].join("/"), left_out: [...left_out], junk },
  };
  report.kinds.files.left = left;
  const walk: CodeWalk = { ...order, report, below, places: new Map(), bytes: 0 };
  for await (const files of reader.readCode())
    for (const file of files) {
      await order.step("files", report, { files: paths.length });
      const why = await bringFile(walk, file);
      if (why !== null) leaveOut(report, file.path, why);
    }
  if (order.dry) orStop(await findLackOfRoom(order.db, order.ownerId, walk.bytes, order.now));
  return report;
}

function leaveOut({ kinds, code }: ImportReport, path: string, why: LeftOutReason): void {
  kinds.files.left += 1;
  if (code && code.left_out.length < LEFT_OUT_NAMED_MAX) code.left_out.push({ path: showPath(path), why });
}

/** Why the file stays out, or null. */
async function bringFile(walk: CodeWalk, file: CodeFile): Promise<LeftOutReason | null> {
  if ("why" in file) return file.why;
  const { db, ownerId, dry, now, report } = walk;
  const { body } = file;
  const place = placeFile(walk.below, file.path);
  if (typeof place === "string") return place;
  const { file_name } = place;
  const folder_id = await findPlace(walk, place.folders);
  if (isRefusal(folder_id)) return toReason(folder_id);
  const there = folder_id === undefined ? null : await findFileByName(db, ownerId, file_name, folder_id);
  const { files, versions } = report.kinds;
  if (there && (await showsText(db, ownerId, there, body))) {
    files.here += 1;
    versions.here += 1;
    return null;
  }
  walk.bytes += utf8Bytes(body);
  if (!dry) {
    const saved = await saveFile(db, ownerId, { file_name, folder_id, body, byJob: true }, now);
    if (isRefusal(saved)) return toReason(saved);
  }
  files[there ? "here" : "added"] += 1;
  versions.added += 1;
  return null;
}

/** A refusal that is not about the file ends the import. */
const toReason = (refusal: Refusal): LeftOutReason =>
  toLeftOutReason(refusal.refused) ?? orStop<never>(refusal);

async function findPlace({ db, ownerId, dry, now, places }: CodeWalk, names: string[]) {
  const path = names.join("/");
  if (places.has(path)) return places.get(path);
  const found = await (dry ? findFolderAt(db, ownerId, names) : makeFolders(db, ownerId, names, now));
  places.set(path, found);
  return found;
}
