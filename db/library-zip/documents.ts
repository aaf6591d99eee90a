import type { Binary } from "mongodb";
import type {
  Damage,
  ImportFailure,
  ImportProgress,
  ImportReport,
  ImportState,
} from "#domain/library-zip/library-import.ts";

/**
 * The newest import of each person: a single record, so that a person has only one at a time. Every step is a conditional write
 * that names the import and its state.
 */
export type LibraryImportDoc = {
  _id: string;
  import_id: string;
  state: ImportState;
  size_bytes: number;
  /** The name of the zip at its origin, and for a zip of code the folder of its files. */
  zip_name?: string;
  folder_id?: string | null;
  /** Until then, a zip that is being received or waits for its owner's decision blocks other imports. */
  held_until: Date;
  queued_at: Date | null;
  run_id: string | null;
  /** The worker of the import; null while it waits. */
  worker_id: string | null;
  /** When its worker last reported progress. */
  progressed_at: Date | null;
  /** How often a worker began this part of the work. */
  attempts: number;
  cancel_requested_at?: Date;
  progress: ImportProgress | null;
  /** The changes that an import would make, according to the check. */
  plan: ImportReport | null;
  /** The changes made, also by an incomplete import. */
  report: ImportReport | null;
  damage: Damage | null;
  failure: ImportFailure | null;
  ended_at: Date | null;
  expires_at: Date;
};

/**
 * Zips on their way from the web process that receives them to the worker that reads them: pieces in the document store, which
 * both reach on any machine. Each piece names its owner and expires after a day.
 */
export type LibraryImportChunkDoc = {
  /** The import's id and the piece's number. */
  _id: string;
  user_id: string;
  import_id: string;
  bytes: Binary;
  expires_at: Date;
};
