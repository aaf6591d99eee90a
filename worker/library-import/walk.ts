import type { Db } from "#db/client.ts";
import type { NoteQuota } from "#db/note-places.server.ts";
import type { RecordKind } from "#domain/export-format.ts";
import type { ImportReport } from "#domain/library-import.ts";
import type { LibraryReader } from "#worker/library-import/open-reader.ts";

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
  notes: Map<string, { id: string; file_id: string | null }>;
};

export const isOver = (expires_at: Date | null, now: Date) => expires_at !== null && expires_at <= now;
