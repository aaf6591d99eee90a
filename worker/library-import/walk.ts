import type { Db } from "#db/client.ts";
import type { NoteQuota } from "#db/notes/note-places.server.ts";
import type { RecordKind } from "#domain/files/export-format.ts";
import type { ImportReport, RecordCounts } from "#domain/files/library-import.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { ImportStopped } from "#worker/library-import/damaged.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";

/** What an import is asked to do. */
export type ImportOrder = {
  db: Db;
  ownerId: string;
  quota: NoteQuota;
  now: Date;
  /** Only looks: everything is read and checked, and nothing is written. */
  dry: boolean;
  /** What the zip was called, and the folder that was chosen for it; of use to a zip of code alone. */
  zipName: string;
  folderId: string | null;
  /** Before each record, with what was found so far and how many records the zip says it has. It throws to end the import. */
  step(kind: RecordKind, report: ImportReport, counts: RecordCounts): Promise<void>;
};

/** A folder here by its id, null for the root, and the names that lead to it. */
export type FolderHere = { id: string | null; names: string[] };

/** One way through a zip, from its first record to its last, and what was found of it so far. */
export type ImportWalk = {
  db: Db;
  ownerId: string;
  quota: NoteQuota;
  now: Date;
  /** Only looks: everything is read and checked, and nothing is written. */
  dry: boolean;
  reader: LibraryReader;
  report: ImportReport;
  /** Before each record. It throws where the import shall not go on. */
  step(kind: RecordKind): Promise<void>;
  /** Where what the zip has lies here, by its id in the zip. */
  files: Map<string, string>;
  boards: Map<string, string>;
  /** The folders here by their paths in the zip. */
  folders: Map<string, FolderHere>;
  notes: Map<string, { id: string; file_id: string | null }>;
  /** The bytes of all texts that are new here, while it only looks. */
  bytes: number;
};

/** Ends the import where the library has no room. What came before stands, and importing the zip again adds the rest. */
export function orStop<T>(brought: T | Refusal): T {
  if (!isRefusal(brought)) return brought;
  if (brought.refused === "library_full") throw new ImportStopped("library_full");
  throw new Error(`A record was refused: ${brought.refused}`);
}

export const isOver = (expires_at: Date | null, now: Date) => expires_at !== null && expires_at <= now;
