import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";

/** Python's snapshot for tests, which later runs of the tests use again. */
export const SNAPSHOT_CACHE = join(PROJECT_ROOT, "node_modules", ".cache", "codeshelf-sandbox");

/** A worker of this data directory uses the existing snapshot: making it takes ten seconds of processor time. */
export function linkSnapshotCache(dataDir: string): void {
  mkdirSync(SNAPSHOT_CACHE, { recursive: true, mode: 0o700 });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  symlinkSync(SNAPSHOT_CACHE, join(dataDir, "sandbox"));
}
