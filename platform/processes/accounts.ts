/**
 * Users that exist by their number alone. Where a process is root it gives each kind of work a number that no account of the
 * machine has: none of them owns a file or a process of another. The numbers lie in ranges that distributions leave unused.
 */
import { readFileSync } from "node:fs";

export type Account = { uid: number; gid: number };
type UidRange = { from: number; count: number };

export const POSTGRES_ACCOUNT: Account = { uid: 60_590, gid: 60_590 };
export const GIT_ACCOUNT: Account = { uid: 60_591, gid: 60_591 };

/** The second range is for containers that have only the first 65,536 numbers. The last, nobody, is for those that have fewer. */
const PROGRAM_RANGES: readonly UidRange[] = [
  { from: 1_900_000_000, count: 65_536 },
  { from: 60_600, count: 580 },
  { from: 65_534, count: 1 },
];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Whether this process, being root, can become the user: a container may know a part of all numbers only. */
export function isMapped({ uid }: Account, uidMap = readUidMap()): boolean {
  return uidMap.some(({ from, count }) => uid >= from && uid < from + count);
}

function readUidMap(): UidRange[] {
  try {
    const lines = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n");
    return lines
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([from = 0, , count = 0]) => ({ from, count }));
  } catch {
    return [];
  }
}

/** Gives each program the next number of the range. Every worker starts elsewhere in it. Null where no number can be used. */
export function createProgramAccounts(random = Math.random): (() => Account) | null {
  const range = PROGRAM_RANGES.find(({ from, count }) => isMapped({ uid: from + count - 1, gid: 0 }));
  if (!isRoot() || !range) return null;
  let next = Math.floor(random() * range.count);
  return () => {
    const uid = range.from + next;
    next = (next + 1) % range.count;
    return { uid, gid: uid };
  };
}
