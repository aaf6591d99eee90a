import { findLackOfRoom } from "#db/files/usage/library-usage.server.ts";
import { importSettings } from "#db/library-zip/import-settings.server.ts";
import { createReport, type ImportReport } from "#domain/library-zip/library-import.ts";
import { bringFiles, bringFolder } from "#worker/library-import/bring-files.ts";
import { bringBoards, bringNotes, bringReminders } from "#worker/library-import/bring-notes.ts";
import { importCode } from "#worker/library-import/import-code.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";
import { type ImportOrder, type ImportWalk, orStop } from "#worker/library-import/walk.ts";

/** Imports a zip from its first record to its last. An export with anything unexpected throws `Damaged`. */
export async function importLibrary(reader: LibraryReader, order: ImportOrder): Promise<ImportReport> {
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
  for (const path of settings.folders) await bringFolder(walk, path);
  await bringFiles(walk);
  await bringBoards(walk);
  await bringNotes(walk);
  await bringReminders(walk);
  if (order.dry) orStop(await findLackOfRoom(order.db, order.ownerId, walk.bytes, order.now));
  else await importSettings(order.db, order.ownerId, settings);
  return report;
}
