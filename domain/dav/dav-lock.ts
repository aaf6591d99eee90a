import { toPathKey } from "#domain/dav/dav-path.ts";
import { DavProblem } from "#domain/dav/dav-problem.ts";

/**
 * The WebDAV locks of a person, who may use several clients. A lock on a folder protects its list of members; with depth
 * infinity also everything inside. All locks of a person are stored as a single value, so each rule sees all of them.
 */
export type DavLock = {
  /** `opaquelocktoken:` and a UUID. */
  token: string;
  names: readonly string[];
  isFolder: boolean;
  scope: "exclusive" | "shared";
  depth: "0" | "infinity";
  /** An `owner` element from the client, or "". */
  owner: string;
  seconds: number;
  expires_at: Date;
};

export const LOCKS_MAX = 256;
export const LOCK_OWNER_MAX_BYTES = 2_048;

type Target = { names: readonly string[]; isFolder: boolean };

const findKey = ({ names, isFolder }: Target) => toPathKey(names, isFolder);

export function listCoveringLocks(locks: readonly DavLock[], target: Target): DavLock[] {
  return createLockFinder(locks)(target);
}

/** Like `listCoveringLocks` for many paths, with the work on the list of locks done once. */
export function createLockFinder(locks: readonly DavLock[]): (target: Target) => DavLock[] {
  const byKey = Map.groupBy(locks, findKey);
  const deepLocks = locks.filter(({ isFolder, depth }) => isFolder && depth === "infinity");
  const deepLockKeys = deepLocks.map((lock) => ({ lock, key: findKey(lock) }));
  return (target) => {
    if (locks.length === 0) return [];
    const key = findKey(target);
    const enclosing = deepLockKeys.filter((start) => start.key !== key && key.startsWith(start.key));
    return [...(byKey.get(key) ?? []), ...enclosing.map(({ lock }) => lock)];
  };
}

/** Lists the locks below a folder, without those on the folder itself. */
function listLocksWithin(locks: readonly DavLock[], { names }: { names: readonly string[] }): DavLock[] {
  const key = toPathKey(names, true);
  return locks.filter((lock) => findKey(lock) !== key && findKey(lock).startsWith(key));
}

/** One token of several shared locks is enough. */
function isAllowed(locks: readonly DavLock[], tokens: readonly string[]): boolean {
  return locks.length === 0 || locks.some(({ token }) => tokens.includes(token));
}

export type Change = Target & {
  /** The resource is created or removed, so its folder changes too. */
  changesParent?: boolean;
  /** Everything in the folder changes too. */
  changesMembers?: boolean;
};

/** Refuses a change that covering locks forbid. `listLockedMembers` checks the locks below a folder. */
export function checkLocks(
  locks: readonly DavLock[],
  change: Change,
  tokens: readonly string[],
): DavProblem | null {
  const parent = { names: change.names.slice(0, -1), isFolder: true };
  const coveringLists = [
    listCoveringLocks(locks, change),
    change.changesParent && change.names.length > 0 ? listCoveringLocks(locks, parent) : [],
  ];
  const unmetLock = coveringLists.find((covering) => !isAllowed(covering, tokens))?.[0];
  return unmetLock ? createLockedProblem([unmetLock.names]) : null;
}

/** Lists the members of a folder whose locks are not covered by the tokens. */
export function listLockedMembers(
  locks: readonly DavLock[],
  { names }: { names: readonly string[] },
  tokens: readonly string[],
): (readonly string[])[] {
  const byKey = Map.groupBy(listLocksWithin(locks, { names }), findKey);
  return [...byKey.values()]
    .filter((locksOfPath) => !isAllowed(locksOfPath, tokens))
    .map((locksOfPath) => locksOfPath[0]?.names ?? []);
}

export const createLockedProblem = (paths: readonly (readonly string[])[]) =>
  DavProblem(423, "It is locked. Send the token of its lock in an If header.", {
    condition: "lock-token-submitted",
    paths,
  });

export function addLock(locks: readonly DavLock[], lock: DavLock): DavLock[] | DavProblem {
  const locksBelow = lock.depth === "infinity" && lock.isFolder ? listLocksWithin(locks, lock) : [];
  const clashing = [...listCoveringLocks(locks, lock), ...locksBelow].filter(
    ({ scope }) => scope === "exclusive" || lock.scope === "exclusive",
  );
  if (clashing.length > 0)
    return DavProblem(423, "Another lock is in the way.", {
      condition: "no-conflicting-lock",
      paths: clashing.map(({ names }) => names),
    });
  if (locks.length >= LOCKS_MAX) return DavProblem(507, `There are ${LOCKS_MAX} locks, the maximum.`);
  return [...locks, lock];
}

/** Extends a lock; null if no lock with these tokens covers the path. */
export function refreshLock(
  locks: readonly DavLock[],
  target: Target,
  tokens: readonly string[],
  { seconds, expires_at }: Pick<DavLock, "seconds" | "expires_at">,
): { locks: DavLock[]; refreshed: DavLock } | null {
  const existingLock = listCoveringLocks(locks, target).find(({ token }) => tokens.includes(token));
  if (!existingLock) return null;
  const refreshed = { ...existingLock, seconds, expires_at };
  return { locks: locks.map((lock) => (lock === existingLock ? refreshed : lock)), refreshed };
}

/** Removes the locks on a path and everything in it, after the resource is gone. */
export function removeLocks(locks: readonly DavLock[], target: Target): DavLock[] {
  const key = findKey(target);
  return locks.filter((lock) => {
    const lockKey = findKey(lock);
    return lockKey !== key && !(target.isFolder && lockKey.startsWith(key));
  });
}
