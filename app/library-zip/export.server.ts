import {
  toExportedBoard,
  toExportedFile,
  toExportedNote,
  toExportedReminder,
} from "#app/library-zip/records.server.ts";
import type { ZipEntry } from "#app/web/answers/zip.ts";
import { findInstructions } from "#db/accounts/agent-instructions.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import type { Db } from "#db/client.ts";
import type { ExportedPart } from "#db/files/file-parts.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import {
  type ExportedFile,
  exportBody,
  exportFiles,
  exportNotes,
  exportReminders,
  listFileNames,
} from "#db/library-zip/export.server.ts";
import { listBoards } from "#db/notes/boards/boards.server.ts";
import { archivePaths, MANIFEST_NAME, safeName } from "#domain/files/archive.ts";
import { type FolderTree, toFolderPath, toItemPath } from "#domain/files/folders/folder-tree.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type Exported,
  type ExportedSettings,
  RECORD_KINDS,
  type RecordKind,
  recordsPath,
} from "#domain/library-zip/export-format.ts";
import { isLocale } from "#domain/locale.ts";
import { itemAt } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const RECORDS_AT_ONCE = 500;
/** Records are written in portions of this size, each about 10 ms in one step of the event loop. */
const RECORDS_BYTES = 1024 * 1024;

/** Yields everything of a person as the entries of a zip, with one portion in memory at a time. The manifest with the counts comes last. */
export async function* exportEntries(db: Db, user: User, now: Date): AsyncGenerator<ZipEntry> {
  const counts: Record<RecordKind, number> = { files: 0, boards: 0, notes: 0, reminders: 0 };
  const toJsonEntry = (name: string, value: unknown): ZipEntry => ({
    name,
    content: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
    modifiedAt: now,
  });
  async function* chunkRecords<Kind extends RecordKind>(kind: Kind, items: AsyncIterable<Item<Kind>>) {
    let chunk: Exported<Kind>[] = [];
    let bytes = 0;
    let number = 0;
    for await (const item of items) {
      if ("content" in item) {
        yield item;
        continue;
      }
      chunk.push(item.record);
      bytes += JSON.stringify(item.record).length;
      counts[kind] += 1;
      if (chunk.length < RECORDS_AT_ONCE && bytes < RECORDS_BYTES) continue;
      number += 1;
      yield toJsonEntry(recordsPath(kind, number), chunk);
      [chunk, bytes] = [[], 0];
    }
    if (chunk.length > 0) yield toJsonEntry(recordsPath(kind, number + 1), chunk);
  }
  for (const kind of RECORD_KINDS) yield* chunkRecords(kind, EXPORTERS[kind](db, user.id, now));
  yield toJsonEntry("settings.json", await exportSettings(db, user));
  yield toJsonEntry(MANIFEST_NAME, {
    format: EXPORT_FORMAT,
    format_version: EXPORT_VERSION,
    created_at: toTimestamp(now),
    counts,
  });
}

type Item<Kind extends RecordKind> = { record: Exported<Kind> } | ZipEntry;

const EXPORTERS: {
  [Kind in RecordKind | ExportedPart]: (db: Db, ownerId: string, now: Date) => AsyncIterable<Item<Kind>>;
} = {
  files: exportLibraryFiles,
  boards: exportBoards,
  notes: (db, ownerId) => toRecords(exportNotes(db, ownerId), toExportedNote),
  reminders: (db, ownerId) => toRecords(exportReminders(db, ownerId), toExportedReminder),
};

async function* exportLibraryFiles(db: Db, ownerId: string): AsyncGenerator<Item<"files">> {
  const tree = await readFolders(db, ownerId);
  const fileNames = await listFileNames(db, ownerId);
  const paths = archivePaths(
    fileNames.map(({ file_name, folder_id }) => toItemPath(tree, folder_id ?? null, file_name)),
  );
  const pathsById = new Map(fileNames.map(({ _id }, i) => [_id.toHexString(), itemAt(paths, i)]));
  const ids = fileNames.map(({ _id }) => _id);
  for await (const exportedFile of exportFiles(db, ownerId, ids))
    yield* exportTexts(db, ownerId, exportedFile, { tree, pathsById });
}

type FilePaths = { tree: FolderTree; pathsById: Map<string, string> };

/** Yields the texts of one file, then its record. Skips a file whose texts were deleted since then. */
async function* exportTexts(
  db: Db,
  ownerId: string,
  { file, versions }: ExportedFile,
  { tree, pathsById }: FilePaths,
): AsyncGenerator<Item<"files">> {
  const id = file._id.toHexString();
  const exportedVersions = [];
  for (const version of versions) {
    const body = await exportBody(db, ownerId, version);
    if (body === null) continue;
    const isShown = version.version === file.version && file.deleted_at === null;
    const path = isShown
      ? `files/${pathsById.get(id)}`
      : `versions/${id}/${version.version}-${safeName(version.file_name)}`;
    yield { name: path, content: Buffer.from(body), modifiedAt: version.created_at };
    exportedVersions.push({ version, path });
  }
  if (exportedVersions.at(-1)?.version.version === file.version)
    yield { record: toExportedFile(file, toFolderPath(tree, file.folder_id ?? null), exportedVersions) };
}

async function* exportBoards(db: Db, ownerId: string, now: Date): AsyncGenerator<Item<"boards">> {
  for (const board of await listBoards(db, ownerId, now)) yield { record: toExportedBoard(board) };
}

async function* toRecords<Doc, Out>(
  docs: AsyncIterable<Doc>,
  toRecord: (doc: Doc) => Out,
): AsyncGenerator<{ record: Out }> {
  for await (const doc of docs) yield { record: toRecord(doc) };
}

async function listFolderPaths(db: Db, ownerId: string): Promise<string[]> {
  const tree = await readFolders(db, ownerId);
  return [...tree.keys()].map((id) => toFolderPath(tree, id)).filter((path) => path !== "");
}

async function exportSettings(db: Db, user: User): Promise<ExportedSettings & { account: object }> {
  const { text, updated_at } = await findInstructions(db, user.id);
  const { id, first_name, last_name, username, created_at } = user;
  return {
    locale: isLocale(user.locale) ? user.locale : null,
    timezone: user.timezone,
    keyboard_shortcuts: user.keyboard_shortcuts ?? null,
    keep_run_results: user.keep_run_results ?? null,
    has_seen_welcome_modal: user.has_seen_welcome_modal,
    dismissed_announcements: user.dismissed_announcements ?? [],
    agent_instructions: updated_at && { text, updated_at: toTimestamp(updated_at) },
    folders: await listFolderPaths(db, id),
    account: { id, first_name, last_name, username, created_at: toTimestamp(created_at) },
  };
}
