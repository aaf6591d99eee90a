/**
 * Imports files of a mirror into the library. Files are recognised by their origin: importing again saves new versions of changed
 * files and leaves the others, so an interrupted import is simply run again.
 */

import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readBody, toFile } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { ensureFolders } from "#db/files/folders/folders.server.ts";
import { isNameTaken } from "#db/files/free-name.server.ts";
import { chooseListIndex, toFilter } from "#db/files/listing/file-filters.server.ts";
import { checkLibraryRoom } from "#db/files/usage/library-usage.server.ts";
import { findTexts, type RepoFile } from "#db/repos/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import type { FilePath } from "#domain/files/folders/file-path.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { buildSourceUrl, checkTreePath } from "#domain/repos/repo.ts";
import { IMPORT_BYTES_MAX, IMPORT_FILES_MAX, toLibraryPath } from "#domain/repos/repo-import.ts";

type PlannedFile = {
  path: string;
  /** Its name in the library, or the name it will get unless another file has it. */
  file_name: string;
  /** The folders it will be in; null if it is already in the library, in any folder. */
  folders: string[] | null;
  size: number;
  language: string;
  blob: string;
  /** The file in the library from an earlier import. */
  known: { id: string; version: number } | null;
};
/** `skipped` counts files that are not text or too large. */
export type ImportPlan = { path: string; files: PlannedFile[]; bytes: number; skipped: number };

type Origin = Pick<RepoRecord, "id" | "user_id" | "repo_name" | "url" | "branch">;

/** Plans the import of a directory or a file. Nothing is written. */
export async function planImport(
  db: Db,
  repo: Origin,
  path: string,
  now: Date,
): Promise<ImportPlan | Refusal> {
  const treePath = checkTreePath(path);
  if (isRefusal(treePath)) return treePath;
  const matches = await listFilesAt(db, repo, treePath);
  if (matches.length === 0 && treePath !== "") return Refusal("repo_path_not_found", { path });
  const texts = matches.filter(({ kind }) => kind === "text");
  const bytes = texts.reduce((sum, { size }) => sum + size, 0);
  if (texts.length === 0) return Refusal("repo_import_empty", { path });
  if (texts.length > IMPORT_FILES_MAX || bytes > IMPORT_BYTES_MAX)
    return Refusal("repo_import_too_large", {
      files: texts.length,
      bytes,
      max_files: IMPORT_FILES_MAX,
      max_bytes: IMPORT_BYTES_MAX,
    });
  const imported = await findImportedFiles(db, repo);
  const files = texts.map(({ kind: _, ...file }): PlannedFile => {
    const existing = imported.get(buildSourceUrl(repo.url, repo.branch, file.path));
    if (!existing) return { ...file, ...toLibraryPath(repo.repo_name, file.path), known: null };
    const { id, version, file_name } = existing;
    return { ...file, file_name, folders: null, known: { id, version } };
  });
  // Changed files that are already in the library are checked against the quota when they are saved.
  const added = files.reduce((sum, { known, size }) => sum + (known ? 0 : size), 0);
  const lackOfRoom = await checkLibraryRoom(db, repo.user_id, added, now);
  return lackOfRoom ?? { path: treePath, files, bytes, skipped: matches.length - texts.length };
}

async function listFilesAt(db: Db, repo: Origin, treePath: string): Promise<RepoFile[]> {
  const filter = { repo_id: new ObjectId(repo.id), user_id: repo.user_id };
  const pathRange = treePath === "" ? {} : { path: { $gt: `${treePath}/`, $lt: `${treePath}0` } };
  const fields = { _id: 0, path: 1, size: 1, language: 1, blob: 1, kind: 1 } as const;
  const file = await db.repo_files.findOne<RepoFile>({ ...filter, path: treePath }, { projection: fields });
  if (file) return [file];
  return db.repo_files
    .find({ ...filter, ...pathRange })
    .project<RepoFile>(fields)
    .sort({ path: 1 })
    .toArray();
}

/** Maps origins to the files of the library (not in the trash) from this repository. */
async function findImportedFiles(db: Db, { user_id, repo_name }: Origin) {
  const docs = await db.files
    .find(toFilter(user_id, { repo: repo_name }), { hint: chooseListIndex({ repo: repo_name }) })
    .project<{ _id: ObjectId; source_url: string | null; file_name: string; version: number }>({
      source_url: 1,
      file_name: 1,
      version: 1,
    })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return new Map(
    docs.map(({ _id, source_url, ...file }) => [source_url ?? "", { id: _id.toHexString(), ...file }]),
  );
}

export type Imported = { created: number; updated: number; unchanged: number; failed: number };
type Outcome = keyof Imported;

/** Executes a plan, a file at a time, and reports its progress after each. */
export async function importFiles(
  db: Db,
  repo: Origin,
  plan: ImportPlan,
  { now, signal, onFile }: { now: () => Date; signal: AbortSignal; onFile(done: number): Promise<void> },
): Promise<Imported> {
  const totals: Imported = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const [i, file] of plan.files.entries()) {
    signal.throwIfAborted();
    const text = (await findTexts(db, repo, [file])).get(file.blob);
    // A sync may have replaced it in between; the next import brings the new text.
    const outcome: Outcome = text === undefined ? "failed" : await importFile(db, repo, file, text, now());
    totals[outcome] += 1;
    await onFile(i + 1);
  }
  return totals;
}

async function importFile(
  db: Db,
  repo: Origin,
  file: PlannedFile,
  body: string,
  now: Date,
): Promise<Outcome> {
  const origin = { repo: repo.repo_name, source_url: buildSourceUrl(repo.url, repo.branch, file.path) };
  const libraryPath = toLibraryPath(repo.repo_name, file.path);
  if (!file.known) return createImportedFile(db, repo.user_id, { ...libraryPath, body, origin }, now);
  const doc = await db.files.findOne({
    _id: new ObjectId(file.known.id),
    user_id: repo.user_id,
    deleted_at: null,
  });
  if (!doc) return createImportedFile(db, repo.user_id, { ...libraryPath, body, origin }, now);
  const existing = toFile(doc);
  if ((await readBody(db, repo.user_id, existing)) === body) return "unchanged";
  const { id, version, file_name } = existing;
  const draft = { ...pickDetails(existing), file_name, body, onto: { id, version }, byJob: true as const };
  const saved = await saveFile(db, repo.user_id, draft, now);
  return isRefusal(saved) ? "failed" : "updated";
}

const NAMES_TRIED = 100;
type Draft = FilePath & { body: string; origin: { repo: string; source_url: string } };

async function createImportedFile(db: Db, ownerId: string, draft: Draft, now: Date): Promise<Outcome> {
  const { body, origin } = draft;
  const folder_id = await ensureFolders(db, ownerId, draft.folders, now);
  if (isRefusal(folder_id)) return "failed";
  for (let number = 1; number <= NAMES_TRIED; number += 1) {
    const file_name = number === 1 ? draft.file_name : numberedName(draft.file_name, number);
    const copy = { file_name, folder_id, body, origin, onto: "nothing", byJob: true } as const;
    const saved = await saveFile(db, ownerId, copy, now);
    if (!isRefusal(saved)) return "created";
    if (!isNameTaken(saved)) return "failed";
  }
  return "failed";
}
