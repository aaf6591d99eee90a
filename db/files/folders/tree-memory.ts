import { LRUCache } from "lru-cache";
import type { Db } from "#db/client.ts";
import type { FolderTree } from "#domain/files/folders/folder-tree.ts";

/** A tree after one of its changes; `state` is null before the first. */
export type HeldTree = {
  tree: FolderTree;
  revision: number;
  state: string | null;
  /** The number of folders in changes that the stored tree may lack; null before the first change. */
  unmerged: number | null;
};

/** The limit of folders in all cached trees together. */
const FOLDERS_MAX = 50_000;

/**
 * Caches the trees read or written last. A cached tree is not read again while its state is current, because thousands of
 * folders take milliseconds to read and creating a folder needs all of them.
 */
export class TreeMemory {
  readonly #trees = new LRUCache<string, HeldTree>({ maxSize: FOLDERS_MAX });

  get(ownerId: string): HeldTree | undefined {
    return this.#trees.get(ownerId);
  }

  set(ownerId: string, remembered: HeldTree): void {
    this.#trees.set(ownerId, remembered, { size: remembered.tree.size + 1 });
  }
}

const memories = new WeakMap<Db, TreeMemory>();

export function getTreeMemory(db: Db): TreeMemory {
  const memory = memories.get(db) ?? new TreeMemory();
  memories.set(db, memory);
  return memory;
}
