import type { Flash } from "#app/http/session/flash.ts";
import type { SavedFile } from "#db/files/files.server.ts";

/** What the next page says of a text that was saved: a text that was there already made no version. `created` can be undone there. */
export function toSavedFlash(saved: SavedFile, created?: string[]): Flash {
  const { file, version, unchanged, described } = saved;
  if (described) return { say: "files_changed", what: "described", count: 1 };
  if (unchanged) return { say: "no_changes" };
  return { say: "file_saved", name: file.file_name, version, created };
}
