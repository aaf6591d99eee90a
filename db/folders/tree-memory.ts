import { LRUCache } from "lru-cache";
import type { Db } from "#db/client.ts";
import type { FolderTree } from "#domain/folders/folder-tree.ts";

/** A tree after one of its changes, whose state has a name of its own; null before the first. */
export type HeldTree = {
  tree: FolderTree;
  revision: number;
  state: string | null;
  /** How many folders the changes hold that the whole tree may not have; null where no change was written yet. */
  unmerged: number | null;
};

/** All trees that are held have so many folders together. */
const FOLDERS_HELD = 50_000;

/**
 * The trees that were read or written last. A tree is not read again while its state is the last: thousands of folders take
 * milliseconds to read, and making a folder needs all of them.
 */
export class TreeMemory {
  readonly #trees = new LRUCache<string, HeldTree>({ maxSize: FOLDERS_HELD });

  get(ownerId: string): HeldTree | undefined {
    return this.#trees.get(ownerId);
  }

  set(ownerId: string, remembered: HeldTree): void {
    this.#trees.set(ownerId, remembered, { size: remembered.tree.size + 1 });
  }
}

const memories = new WeakMap<Db, TreeMemory>();

export function memoryOf(db: Db): TreeMemory {
  const memory = memories.get(db) ?? new TreeMemory();
  memories.set(db, memory);
  return memory;
}
