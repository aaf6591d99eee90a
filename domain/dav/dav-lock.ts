import { toPathKey } from "#domain/dav/dav-path.ts";
import { DavProblem } from "#domain/dav/dav-problem.ts";

/**
 * The locks of one person, among the WebDAV clients of that person. A lock on a folder covers which members it has; with depth
 * infinity it covers all that is in it, too. All locks of a person are one value, so that each rule sees all of them.
 */
export type DavLock = {
  /** `opaquelocktoken:` and a UUID. */
  token: string;
  names: readonly string[];
  isFolder: boolean;
  scope: "exclusive" | "shared";
  depth: "0" | "infinity";
  /** What the client says of itself: an element `owner`, or nothing. */
  owner: string;
  seconds: number;
  expires_at: Date;
};

export const LOCKS_MAX = 256;
export const LOCK_OWNER_MAX_BYTES = 2_048;

type Target = { names: readonly string[]; isFolder: boolean };

const findKey = ({ names, isFolder }: Target) => toPathKey(names, isFolder);

/** The locks that a change to what is at a path has to be allowed by. */
export function listCovering(locks: readonly DavLock[], target: Target): DavLock[] {
  return createLockFinder(locks)(target);
}

/** The same for many paths: what is asked of all locks is asked once. */
export function createLockFinder(locks: readonly DavLock[]): (target: Target) => DavLock[] {
  const byKey = Map.groupBy(locks, findKey);
  const deep = locks.filter(({ isFolder, depth }) => isFolder && depth === "infinity");
  const starts = deep.map((lock) => ({ lock, key: findKey(lock) }));
  return (target) => {
    if (locks.length === 0) return [];
    const key = findKey(target);
    const around = starts.filter((start) => start.key !== key && key.startsWith(start.key));
    return [...(byKey.get(key) ?? []), ...around.map(({ lock }) => lock)];
  };
}

/** The locks on what is in a folder, and not on the folder itself. */
function listWithin(locks: readonly DavLock[], { names }: { names: readonly string[] }): DavLock[] {
  const key = toPathKey(names, true);
  return locks.filter((lock) => findKey(lock) !== key && findKey(lock).startsWith(key));
}

/** Of several shared locks the token of one is enough. */
function isAllowed(locks: readonly DavLock[], tokens: readonly string[]): boolean {
  return locks.length === 0 || locks.some(({ token }) => tokens.includes(token));
}

export type Change = Target & {
  /** The resource comes or goes, so the folder it is in changes. */
  changesParent?: boolean;
  /** All that is in it changes with it. */
  changesMembers?: boolean;
};

/** Why a request with these tokens may not make a change; what is locked within a folder is for `listLockedMembers` to say. */
export function checkLocks(
  locks: readonly DavLock[],
  change: Change,
  tokens: readonly string[],
): DavProblem | null {
  const parent = { names: change.names.slice(0, -1), isFolder: true };
  const direct = [
    listCovering(locks, change),
    change.changesParent && change.names.length > 0 ? listCovering(locks, parent) : [],
  ];
  const missing = direct.find((covering) => !isAllowed(covering, tokens))?.[0];
  return missing ? createLockedProblem([missing.names]) : null;
}

/** The members of a folder whose locks the request does not hold. */
export function listLockedMembers(
  locks: readonly DavLock[],
  { names }: { names: readonly string[] },
  tokens: readonly string[],
): (readonly string[])[] {
  const byKey = Map.groupBy(listWithin(locks, { names }), findKey);
  return [...byKey.values()].filter((same) => !isAllowed(same, tokens)).map((same) => same[0]?.names ?? []);
}

export const createLockedProblem = (paths: readonly (readonly string[])[]) =>
  DavProblem(423, "It is locked. Send the token of its lock in an If header.", {
    condition: "lock-token-submitted",
    paths,
  });

/** The locks with one more, or why it cannot be had. */
export function addLock(locks: readonly DavLock[], lock: DavLock): DavLock[] | DavProblem {
  const reached = lock.depth === "infinity" && lock.isFolder ? listWithin(locks, lock) : [];
  const clashing = [...listCovering(locks, lock), ...reached].filter(
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

/** The locks with one of them running anew; null where no such lock covers the path. */
export function refreshLock(
  locks: readonly DavLock[],
  target: Target,
  tokens: readonly string[],
  { seconds, expires_at }: Pick<DavLock, "seconds" | "expires_at">,
): { locks: DavLock[]; refreshed: DavLock } | null {
  const found = listCovering(locks, target).find(({ token }) => tokens.includes(token));
  if (!found) return null;
  const refreshed = { ...found, seconds, expires_at };
  return { locks: locks.map((lock) => (lock === found ? refreshed : lock)), refreshed };
}

/** The locks without those on a path and on all that is in it: they go with what they were on. */
export function dropLocks(locks: readonly DavLock[], target: Target): DavLock[] {
  const key = findKey(target);
  return locks.filter((lock) => {
    const lockKey = findKey(lock);
    return lockKey !== key && !(target.isFolder && lockKey.startsWith(key));
  });
}
