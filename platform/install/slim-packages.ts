/**
 * `npm run heroku-cleanup`, which Heroku runs after it has removed the development packages and which other production images may run.
 * Removes from node_modules the files that no process reads: types, sources, source maps, and native code for other platforms.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const UNREAD = /\.(map|[cm]?tsx?|flow|md|markdown|scss|tgz)$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
const PREBUILDS = "prebuilds";
/** Remix may use it for types, so npm treats it as a production package. */
const UNREAD_PACKAGE = "/node_modules/typescript/";
const OF_PLATFORM = `${process.platform}-${process.arch}`;

export function listUnneededFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ name, parentPath }) => {
      if (`${parentPath}/`.includes(UNREAD_PACKAGE)) return true;
      const parts = parentPath.split("/");
      const platform = parts[parts.lastIndexOf(PREBUILDS) + 1];
      if (parts.includes(PREBUILDS) && platform !== OF_PLATFORM) return true;
      return UNREAD.test(name) && !LICENCE.test(name);
    })
    .map(({ name, parentPath }) => join(parentPath, name));
}

export function measureFile(path: string): number {
  return statSync(path).blocks * 512;
}

if (import.meta.main) {
  const unread = listUnneededFiles(join(import.meta.dirname, "..", "..", "node_modules"));
  const bytes = unread.reduce((sum, path) => sum + measureFile(path), 0);
  for (const path of unread) rmSync(path);
  console.log(`Removed ${unread.length} files (${Math.round(bytes / 1e6)} MB) that no process reads.`);
}
