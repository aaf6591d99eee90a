import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

/** Where tests keep what Python begins with: it outlives the run of the tests. */
export const SNAPSHOT_CACHE = join(PROJECT_ROOT, "node_modules", ".cache", "codeshelf-sandbox");

/** A worker of this data directory begins Python with what is kept already: making it takes ten seconds of a processor. */
export function linkSnapshotCache(dataDir: string): void {
  mkdirSync(SNAPSHOT_CACHE, { recursive: true, mode: 0o700 });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  symlinkSync(SNAPSHOT_CACHE, join(dataDir, "sandbox"));
}
