import type { Binary } from "mongodb";
import type {
  Damage,
  ImportFailure,
  ImportProgress,
  ImportReport,
  ImportState,
} from "#domain/files/library-import.ts";

/**
 * The newest import of each person: one record, so that a person has one at a time. Every step is a conditional write that says
 * which import it means and in which state.
 */
export type LibraryImportDoc = {
  /** The owner. */
  _id: string;
  import_id: string;
  state: ImportState;
  size_bytes: number;
  /** What it was called where it came from, and the folder that its files go to where it is a zip of code. */
  zip_name?: string;
  folder_id?: string | null;
  /** Until when a zip that is being received, or that waits for its owner's word, stands in the way of others. */
  held_until: Date;
  queued_at: Date | null;
  run_id: string | null;
  /** Who is at work on it; null while it waits. */
  worker_id: string | null;
  /** When its worker last said how far it is. */
  progressed_at: Date | null;
  /** How often a worker began this part of the work. */
  attempts: number;
  cancel_requested_at?: Date;
  progress: ImportProgress | null;
  /** What the check said an import would do. */
  plan: ImportReport | null;
  /** What was done, also by an import that did not come to its end. */
  report: ImportReport | null;
  damage: Damage | null;
  failure: ImportFailure | null;
  ended_at: Date | null;
  expires_at: Date;
};

/**
 * Zips on their way from the web process that receives them to the worker that reads them: pieces in the document store, which
 * both see wherever they run. Each piece names its owner and goes by itself after a day.
 */
export type LibraryImportChunkDoc = {
  /** The import's id and the piece's number. */
  _id: string;
  user_id: string;
  import_id: string;
  bytes: Binary;
  expires_at: Date;
};
