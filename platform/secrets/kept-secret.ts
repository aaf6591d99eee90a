import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateToken } from "#platform/ids.ts";
import { readError } from "#platform/read-error.ts";

/**
 * Returns a secret of this installation, generated on first use and stored in the data directory for its owner only. Processes that start
 * together agree on one value: it is completely written under another name and linked into place, and the first link wins.
 */
export function keptSecret(dataDir: string, name: string, make: () => string = generateToken): string {
  const path = toPath(dataDir, name);
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
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

/** Returns null if there is no such secret. */
export function readSecret(dataDir: string, name: string): string | null {
  return readIfPresent(toPath(dataDir, name));
}

/** Concurrent readers get either the complete old value or the complete new one. */
export function replaceSecret(dataDir: string, name: string, value: string): void {
  const path = toPath(dataDir, name);
  renameSync(writeDraft(path, value), path);
}

const toPath = (dataDir: string, name: string) => join(dataDir, "secrets", name);

function writeDraft(path: string, value: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${generateToken(6)}`;
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
