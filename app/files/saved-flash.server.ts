import type { Flash } from "#app/web/session/flash.ts";
import type { SavedFile } from "#db/files/files.server.ts";

/** Returns the next page's message about a saved text. A text that existed already made no version. `undo` is what can be undone there. */
export function toSavedFlash(saved: SavedFile, undo: { created?: string[]; replaced?: string } = {}): Flash {
  const { file, version, unchanged, described } = saved;
  if (described) return { say: "files_changed", what: "described", count: 1 };
  if (unchanged) return { say: "no_changes" };
  return { say: "file_saved", name: file.file_name, version, ...undo };
}
