/**
 * Users that exist only as numbers. A process that runs as root uses a number without an account for each kind of work, so that
 * none owns another's files or processes. The numbers are in ranges that distributions leave unused.
 */
import { readFileSync } from "node:fs";

export type Account = { uid: number; gid: number };
type UidRange = { from: number; count: number };

export const POSTGRES_ACCOUNT: Account = { uid: 60_590, gid: 60_590 };
export const GIT_ACCOUNT: Account = { uid: 60_591, gid: 60_591 };

/** The second range is for containers with only the first 65,536 numbers. The last number, nobody, is for containers with fewer. */
const PROGRAM_RANGES: readonly UidRange[] = [
  { from: 1_900_000_000, count: 65_536 },
  { from: 60_600, count: 580 },
  { from: 65_534, count: 1 },
];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** True if this process, as root, can become the user. A container may map only some numbers. */
export function isMappedAccount({ uid }: Account, uidMap = readUidMap()): boolean {
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

/** Gives each program the next number of the range; workers start at random numbers. Returns null if no number can be used. */
export function createProgramAccounts(random = Math.random): (() => Account) | null {
  const range = PROGRAM_RANGES.find(({ from, count }) => isMappedAccount({ uid: from + count - 1, gid: 0 }));
  if (!isRoot() || !range) return null;
  let next = Math.floor(random() * range.count);
  return () => {
    const uid = range.from + next;
    next = (next + 1) % range.count;
    return { uid, gid: uid };
  };
}
