import { join } from "node:path";
import type { NoteQuota } from "#db/notes/note-places.server.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import type { Env } from "#platform/env/env.ts";
import type { ReaderLimits } from "#worker/library-import/open-reader.ts";

/** The settings of imports: where a zip is stored while it is read, and the limits of an import. */
export type ImportConfig = ReaderLimits & {
  directory: string;
  quota: NoteQuota;
  deadlineMs: number;
  reportEveryMs: number;
};

export const IMPORT_LIMITS = {
  memoryMb: 256,
  portionMs: 90 * SECOND_MS,
  // Shorter than the time after which a run counts as stuck.
  deadlineMs: 18 * MINUTE_MS,
  reportEveryMs: SECOND_MS / 2,
};

export function readImportConfig({ dataDir, maxNotesPerUser }: Env): ImportConfig {
  return { directory: join(dataDir, "imports"), quota: { maxPerUser: maxNotesPerUser }, ...IMPORT_LIMITS };
}
