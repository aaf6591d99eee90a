import { createHash, randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { IGNORED_REASON, type Ignored } from "./ignore-rules.ts";
import { joinPath } from "./library.ts";
import { explainUnsafePath, isJunk, OWN_FILE, TEMPORARY } from "./names.ts";
import { failure, hasCode } from "./output.ts";

export const TOO_LARGE = "larger than 2 MiB";

/** Why bytes are not kept in the library; null where they are text of a size it takes. */
export function findUnfitReason(bytes: Uint8Array) {
  if (bytes.length > BODY_MAX_BYTES) return TOO_LARGE;
  if (bytes.includes(0)) return "binary";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return null;
  } catch {
    return "not UTF-8 text";
  }
}

export type LocalFile = { path: string; file: string; size: number; stamp: string };
export type Skipped = { path: string; reason: string; isRefused?: boolean };

/** Changes with each write to the file. */
export const toStamp = ({ size, mtimeMs, ctimeMs, ino }: Stats) => `${size}.${mtimeMs}.${ctimeMs}.${ino}`;

/** The files below a folder with their paths from it; junk, what is ignored and what is no file aside. */
export async function listLocalFiles(
  root: string,
  ignored: Ignored | null,
  inside: string = "",
): Promise<{ files: LocalFile[]; skipped: Skipped[] }> {
  const collected: { files: LocalFile[]; skipped: Skipped[] } = { files: [], skipped: [] };
  await ignored?.read(root, inside);
  const entries = await readdir(join(root, inside), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = joinPath(inside, entry.name);
    if (isJunk(entry.isDirectory() ? `${path}/x` : path)) {
      if (!OWN_FILE.has(entry.name) && !TEMPORARY.test(entry.name))
        collected.skipped.push({ path, reason: "left behind by a tool" });
    } else if (entry.name.includes("\ufffd") && !(await statOrNull(join(root, path)))) {
      collected.skipped.push({ path, reason: "its name is not UTF-8", isRefused: true });
    } else if (ignored?.has(path, entry.isDirectory())) {
      collected.skipped.push({ path, reason: IGNORED_REASON });
    } else if (entry.isDirectory()) {
      const below = await listLocalFiles(root, ignored, path);
      collected.files.push(...below.files);
      collected.skipped.push(...below.skipped);
    } else if (entry.isFile()) {
      const stats = await statOrNull(join(root, path));
      if (stats)
        collected.files.push({ path, file: join(root, path), size: stats.size, stamp: toStamp(stats) });
    } else {
      collected.skipped.push({ path, reason: entry.isSymbolicLink() ? "a symbolic link" : "not a file" });
    }
  }
  return collected;
}

/** The thing itself where it is a link; null where there is nothing. */
export async function statOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/** Files that are being written; an interruption removes them. */
export const temporaryFiles: Set<string> = new Set();

/**
 * Replaces a file in one step, so that readers see the old or the new text. `isReady` is asked last, before the replacement.
 */
export async function writeAtomically(
  file: string,
  content: Uint8Array | string,
  { mode, isReady }: { mode?: number; isReady?: () => Promise<boolean> } = {},
) {
  const temporary = join(dirname(file), `.codeshelf-${randomBytes(6).toString("hex")}.tmp`);
  temporaryFiles.add(temporary);
  try {
    const handle = await open(temporary, "wx", mode ?? 0o666);
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReady && !(await isReady())) return false;
    await rename(temporary, file);
    return true;
  } finally {
    await rm(temporary, { force: true });
    temporaryFiles.delete(temporary);
  }
}

/** Makes the folders of a path below a root, and goes through no link. */
async function makeParents(root: string, path: string) {
  await mkdir(root, { recursive: true });
  let folder = root;
  for (const name of path.split("/").slice(0, -1)) {
    folder = join(folder, name);
    const stats = await statOrNull(folder);
    if (!stats) await mkdir(folder).catch(ignoreExisting);
    else if (stats.isSymbolicLink()) throw failure("unsafe_path", "the path goes through a symbolic link");
    else if (!stats.isDirectory()) throw failure("in_the_way", "a file is where a folder has to be");
  }
}

function ignoreExisting(error: unknown) {
  if (!hasCode(error, "EEXIST")) throw error;
}

/** Makes the folders for a path of the library below a root. The result never leaves the root. */
export async function prepareTarget(root: string, path: string) {
  const danger = explainUnsafePath(path);
  if (danger) throw failure("unsafe_path", danger);
  await makeParents(root, path);
  const target = join(root, ...path.split("/"));
  const stats = await statOrNull(target);
  if (stats?.isSymbolicLink()) throw failure("unsafe_path", "a symbolic link is in its place");
  if (stats && !stats.isFile()) throw failure("in_the_way", "a folder is in its place");
  return { target, stats: stats };
}

/** A file that is replaced stays executable where it was. */
export const keepMode = (stats: Stats | null) => (stats ? stats.mode & 0o777 : undefined);
export const hashBytes = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
