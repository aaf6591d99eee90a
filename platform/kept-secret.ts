import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newToken } from "#platform/ids.ts";

/**
 * A secret of this installation, made on first use and kept in the data directory for its owner alone. Two processes that
 * start together agree on one value: it is written whole under another name and linked into place, and the first link wins.
 */
export function keptSecret(dataDir: string, name: string, make: () => string = newToken): string {
  const directory = join(dataDir, "secrets");
  const path = join(directory, name);
  const kept = readIfPresent(path);
  if (kept !== null) return kept;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${newToken(6)}`;
  writeFileSync(draft, make(), { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, "utf8");
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
