import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { checkLibraryRoom } from "#db/files/usage/library-usage.server.ts";
import { importSettings } from "#db/library-zip/import-settings.server.ts";
import { openArchiveFile } from "#db/library-zip/library-import-archives.server.ts";
import { type HeldImport, recordImportProgress } from "#db/library-zip/library-import-work.server.ts";
import type { RecordKind } from "#domain/library-zip/export-format.ts";
import {
  createReport,
  type ImportReport,
  measureProgress,
  type RecordCounts,
} from "#domain/library-zip/library-import.ts";
import { generateToken } from "#platform/ids.ts";
import type { Work } from "#worker/job.ts";
import { ensureFolderId, importFiles } from "#worker/library-import/bring-files.ts";
import { importBoards, importNotes, importReminders } from "#worker/library-import/bring-notes.ts";
import { ImportStopped } from "#worker/library-import/damaged.ts";
import { importCode } from "#worker/library-import/import-code.ts";
import { createReader, type LibraryReader } from "#worker/library-import/open-reader.ts";
import { type ImportOrder, type ImportWalk, stopOnRefusal } from "#worker/library-import/walk.ts";

/**
 * Reads the zip of an import that this worker has claimed, and checks or imports it according to its state. `onReport` gets the
 * progress, for an import that ends early.
 */
export async function runImport(
  work: Work<"library_import">,
  imported: HeldImport,
  onReport: (report: ImportReport) => void,
): Promise<ImportReport> {
  const { db, clock, imports, log } = work.services;
  const { signal } = work;
  await mkdir(imports.directory, { recursive: true, mode: 0o700 });
  const path = join(imports.directory, `${generateToken(12)}.zip`);
  const file = await openArchiveFile(db, imported, imported.size_bytes, path);
  if (!file) throw new ImportStopped("zip_gone");
  const reader = createReader(file.fd, imports, log);
  const stopReading = () => void reader.close();
  signal.addEventListener("abort", stopReading);
  try {
    signal.throwIfAborted();
    return await importLibrary(reader, {
      db,
      ownerId: imported.user_id,
      quota: imports.quota,
      now: clock(),
      dry: imported.state === "checking",
      zipName: imported.zip_name ?? "",
      folderId: imported.folder_id ?? null,
      step: createProgressStep(work, imported, onReport),
    });
  } catch (error) {
    // A closed thread reports the same as a broken one.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stopReading);
    await reader.close();
    await file.close();
  }
}

/** Reports the progress twice a second, and ends the import if it was cancelled, lost or takes too long. */
function createProgressStep(
  { services: { db, clock, imports }, signal, report: reportRun }: Work<"library_import">,
  imported: HeldImport,
  onReport: (report: ImportReport) => void,
) {
  const startedMs = performance.now();
  let [processed, nextMs] = [0, 0];
  const read: RecordCounts = {};
  return async (kind: RecordKind, report: ImportReport, counts: RecordCounts): Promise<void> => {
    signal.throwIfAborted();
    processed += 1;
    const readOfKind = (read[kind] ?? 0) + 1;
    read[kind] = readOfKind;
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + imports.reportEveryMs;
    if (nowMs - startedMs > imports.deadlineMs) throw new ImportStopped("too_long");
    onReport(report);
    const progress = measureProgress(kind, { plan: imported.plan, report, counts, read: readOfKind });
    const state = await recordImportProgress(db, imported, progress, clock());
    if (state !== "held") throw new ImportStopped(state);
    const declared = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const total = declared < processed ? null : declared;
    await reportRun({ processed_items: processed, ...(total === null ? {} : { total_items: total }) });
  };
}

/** Imports a zip from its first record to its last. An export with anything unexpected throws `Damaged`. */
async function importLibrary(reader: LibraryReader, order: ImportOrder): Promise<ImportReport> {
  const head = await reader.readHead();
  if ("paths" in head) return importCode(reader, order, head);
  const { made_at, counts, settings } = head;
  const report = createReport(made_at);
  const walk: ImportWalk = {
    ...order,
    reader,
    report,
    step: (kind) => order.step(kind, report, counts),
    files: new Map(),
    boards: new Map(),
    folders: new Map(),
    notes: new Map(),
    bytes: 0,
  };
  for (const path of settings.folders) await ensureFolderId(walk, path);
  await importFiles(walk);
  await importBoards(walk);
  await importNotes(walk);
  await importReminders(walk);
  if (order.dry) stopOnRefusal(await checkLibraryRoom(order.db, order.ownerId, walk.bytes, order.now));
  else await importSettings(order.db, order.ownerId, settings);
  return report;
}
