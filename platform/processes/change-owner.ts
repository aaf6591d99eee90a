/**
 * Changes the owner of a directory and of everything in it. Each file is opened without following links and is changed only while
 * it belongs to the first user, so no file of a third user changes its owner. The directory itself comes last: where it belongs
 * to the second user, everything in it does. An interrupted change is repeated.
 */

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "#platform/processes/accounts.ts";
import { readError } from "#platform/read-error.ts";

const FOLLOW_NOTHING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Errors of what has no owner to change: links, sockets and files that are gone. */
const NOT_HANDED = ["ELOOP", "ENXIO", "ENOENT"];

export async function changeOwner(path: string, from: number, to: Account): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  // Names below a directory come after its own.
  for (const entry of entries.reverse()) {
    if (entry.isFile() || entry.isDirectory()) await handOver(join(entry.parentPath, entry.name), from, to);
  }
  await handOver(path, from, to);
}

async function handOver(path: string, from: number, to: Account): Promise<void> {
  const handle = await openUnlinked(path);
  if (!handle) return;
  try {
    const found: Stats = await handle.stat();
    if (found.uid === from) await handle.chown(to.uid, to.gid);
  } finally {
    await handle.close();
  }
}

async function openUnlinked(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, FOLLOW_NOTHING);
  } catch (error) {
    if (NOT_HANDED.includes(readError(error).code ?? "")) return null;
    throw error;
  }
}
