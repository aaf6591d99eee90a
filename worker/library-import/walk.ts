import type { Db } from "#db/client.ts";
import type { NoteQuota } from "#db/notes/note-places.server.ts";
import type { RecordKind } from "#domain/library-zip/export-format.ts";
import type { ImportReport, RecordCounts } from "#domain/library-zip/library-import.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { ImportStopped } from "#worker/library-import/damaged.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";

export type ImportOrder = {
  db: Db;
  ownerId: string;
  quota: NoteQuota;
  now: Date;
  /** A dry run reads and checks everything and writes nothing. */
  dry: boolean;
  /** The zip's name and the chosen folder, only for a zip of code. */
  zipName: string;
  folderId: string | null;
  /** Called before each record with the results so far and the numbers that the zip declares. It throws to end the import. */
  step(kind: RecordKind, report: ImportReport, counts: RecordCounts): Promise<void>;
};

/** A folder of this library, null for the root, with the names of its path. */
export type FolderHere = { id: string | null; names: string[] };

/** The state of an import from the first record to the last. */
export type ImportWalk = {
  db: Db;
  ownerId: string;
  quota: NoteQuota;
  now: Date;
  /** A dry run reads and checks everything and writes nothing. */
  dry: boolean;
  reader: LibraryReader;
  report: ImportReport;
  /** Called before each record. It throws to end the import. */
  step(kind: RecordKind): Promise<void>;
  /** Ids in this library by ids in the zip. */
  files: Map<string, string>;
  boards: Map<string, string>;
  /** Folders of this library by their paths in the zip. */
  folders: Map<string, FolderHere>;
  notes: Map<string, { id: string; file_id: string | null }>;
  /** The bytes of all new texts, in a dry run. */
  bytes: number;
};

/** Ends the import if the library is full. What was imported stays, and importing the zip again adds the rest. */
export function stopOnRefusal<T>(result: T | Refusal): T {
  if (!isRefusal(result)) return result;
  if (result.refused === "library_full") throw new ImportStopped("library_full");
  throw new Error(`A record was refused: ${result.refused}`);
}

export const isOver = (expires_at: Date | null, now: Date) => expires_at !== null && expires_at <= now;
