/**
 * A copy of the database file, for backups. SQLite copies some pages at a time and brings along what is written meanwhile, so
 * the copy is the state of one moment and nobody waits longer than for one step. The copy belongs to whoever asked for it.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toStorageFailure } from "./storage-failure.ts";

export interface Snapshot {
  file: string;
  bytes: number;
}

const SNAPSHOT_FILE = "snapshot.sqlite";
/** Half a megabyte: what holds up a write is copied in a millisecond or two. */
const PAGES_AT_ONCE = 64;
const MAX_BEGINNINGS = 1_000;

export function removeSnapshot(directory: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    rmSync(join(directory, `${SNAPSHOT_FILE}${suffix}`), { force: true });
}

export async function writeSnapshot(db: DatabaseSync, directory: string): Promise<Snapshot> {
  const file = join(directory, SNAPSHOT_FILE);
  for (let beginning = 1; ; beginning += 1) {
    removeSnapshot(directory);
    try {
      await backup(db, file, { rate: PAGES_AT_ONCE });
      return { file, bytes: statSync(file).size };
    } catch (error) {
      removeSnapshot(directory);
      if (!wasBusyAtFirst(error) || beginning === MAX_BEGINNINGS) throw toStorageFailure(error);
      await nextTurn();
    }
  }
}

/** If the first step meets an open transaction, Node fails with an error without a code. Later steps wait. */
function wasBusyAtFirst(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 0;
}
