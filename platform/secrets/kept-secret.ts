import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newToken } from "#platform/ids.ts";
import { readError } from "#platform/read-error.ts";

/**
 * A secret of this installation, made on first use and kept in the data directory for its owner alone. Two processes that
 * start together agree on one value: it is written whole under another name and linked into place, and the first link wins.
 */
export function keptSecret(dataDir: string, name: string, make: () => string = newToken): string {
  const path = pathTo(dataDir, name);
  const kept = readIfPresent(path);
  if (kept !== null) return kept;
  const draft = writeDraft(path, make());
  try {
    linkSync(draft, path);
  } catch (error) {
    if (readError(error).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, "utf8");
}

/** Null where none is kept under this name. */
export function readKeptSecret(dataDir: string, name: string): string | null {
  return readIfPresent(pathTo(dataDir, name));
}

/** Whoever reads meanwhile gets the old one or the new one, whole. */
export function replaceKeptSecret(dataDir: string, name: string, value: string): void {
  const path = pathTo(dataDir, name);
  renameSync(writeDraft(path, value), path);
}

const pathTo = (dataDir: string, name: string) => join(dataDir, "secrets", name);

function writeDraft(path: string, value: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${newToken(6)}`;
  writeFileSync(draft, value, { mode: 0o600, flag: "wx" });
  return draft;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (readError(error).code === "ENOENT") return null;
    throw error;
  }
}
