import { join } from "node:path";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

/** Where tests keep what Python begins with: it outlives the run of the tests. */
export const SNAPSHOT_CACHE = join(PROJECT_ROOT, "node_modules", ".cache", "codeshelf-sandbox");
