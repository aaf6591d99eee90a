/**
 * Changes the owner of a directory and everything in it. Each file is opened without following links and changed only while it belongs
 * to the first user, so no other user's file changes its owner. The directory itself is last: if it belongs to the second user,
 * everything in it does. An interrupted change is repeated.
 */

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "#platform/processes/accounts.ts";
import { readError } from "#platform/read-error.ts";

const NO_FOLLOW_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Errors for entries without an owner to change: links, sockets and deleted files. */
const SKIPPED_ERRORS = ["ELOOP", "ENXIO", "ENOENT"];

export async function changeOwner(path: string, from: number, to: Account): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  // Entries of a directory come after the directory.
  for (const entry of entries.reverse()) {
    if (entry.isFile() || entry.isDirectory()) await chownFile(join(entry.parentPath, entry.name), from, to);
  }
  await chownFile(path, from, to);
}

async function chownFile(path: string, from: number, to: Account): Promise<void> {
  const handle = await openWithoutLinks(path);
  if (!handle) return;
  try {
    const stats: Stats = await handle.stat();
    if (stats.uid === from) await handle.chown(to.uid, to.gid);
  } finally {
    await handle.close();
  }
}

async function openWithoutLinks(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, NO_FOLLOW_FLAGS);
  } catch (error) {
    if (SKIPPED_ERRORS.includes(readError(error).code ?? "")) return null;
    throw error;
  }
}
