import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { DavLocksDoc } from "#db/dav/documents.ts";
import { addLock, type DavLock, listCoveringLocks, refreshLock, removeLocks } from "#domain/dav/dav-lock.ts";
import { DavProblem, isProblem } from "#domain/dav/dav-problem.ts";

type Target = { names: readonly string[]; isFolder: boolean };
type LocksAtRevision = { locks: DavLock[]; revision: number };

export async function listLocks(db: Db, ownerId: string, now: Date): Promise<DavLock[]> {
  return (await findLocksAtRevision(db, ownerId, now)).locks;
}

async function findLocksAtRevision(db: Db, ownerId: string, now: Date): Promise<LocksAtRevision> {
  const doc = await db.dav_locks.findOne({ _id: ownerId });
  const locks = (doc?.locks ?? []).filter(({ expires_at }) => expires_at > now);
  return { locks, revision: doc?.revision ?? 0 };
}

/** Each failed attempt means that another change succeeded, so only this many simultaneous changes can exhaust it. */
const CHANGE_ATTEMPTS = 100;

/**
 * Changes a person's locks with a single write, only if they have not changed since the decision. So of two clients that want
 * the same lock at once, one gets it and the other is refused.
 */
async function changeLocks(
  db: Db,
  ownerId: string,
  now: Date,
  decide: (locks: DavLock[]) => DavLock[] | DavProblem,
): Promise<DavProblem | null> {
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const { locks, revision } = await findLocksAtRevision(db, ownerId, now);
    const newLocks = decide(locks);
    if (isProblem(newLocks)) return newLocks;
    if (newLocks === locks) return null;
    if (await writeLocks(db, ownerId, revision, newLocks, now)) return null;
  }
  return DavProblem(503, "Locks are being changed a lot right now.", { retryAfter: 1 });
}

async function writeLocks(
  db: Db,
  ownerId: string,
  revision: number,
  locks: DavLock[],
  now: Date,
): Promise<boolean> {
  const expires_at = new Date(Math.max(now.getTime(), ...locks.map((lock) => lock.expires_at.getTime())));
  const fields: Omit<DavLocksDoc, "_id" | "revision"> = { locks, expires_at };
  const written = await skipDuplicate(
    db.dav_locks.updateOne(
      { _id: ownerId, revision },
      { $set: fields, $inc: { revision: 1 } },
      { upsert: revision === 0 },
    ),
  );
  // Without a result, another lock created the document.
  return written !== null && written.matchedCount + written.upsertedCount > 0;
}

export async function createLock(
  db: Db,
  ownerId: string,
  lock: DavLock,
  now: Date,
): Promise<DavLock | DavProblem> {
  const problem = await changeLocks(db, ownerId, now, (locks) =>
    // A repeated write finds its own lock.
    locks.some(({ token }) => token === lock.token) ? locks : addLock(locks, lock),
  );
  return problem ?? lock;
}

/** Restarts the time of a lock that covers the path. */
export async function extendLock(
  db: Db,
  ownerId: string,
  target: Target,
  tokens: readonly string[],
  time: Pick<DavLock, "seconds" | "expires_at">,
  now: Date,
): Promise<DavLock | DavProblem> {
  let refreshed: DavLock | null = null;
  const problem = await changeLocks(db, ownerId, now, (locks) => {
    const change = refreshLock(locks, target, tokens, time);
    refreshed = change?.refreshed ?? null;
    return change?.locks ?? createNoLockProblem();
  });
  return problem ?? refreshed ?? createNoLockProblem();
}

const createNoLockProblem = () =>
  DavProblem(412, "No lock here has this token.", { condition: "lock-token-matches-request-uri" });

export async function removeLock(
  db: Db,
  ownerId: string,
  target: Target,
  token: string,
  now: Date,
): Promise<DavProblem | null> {
  return changeLocks(db, ownerId, now, (locks) => {
    const released = listCoveringLocks(locks, target).find((lock) => lock.token === token);
    if (released) return locks.filter((lock) => lock !== released);
    return DavProblem(409, "No lock here has this token.", { condition: "lock-token-matches-request-uri" });
  });
}

/** Removes the locks on a deleted or moved resource and everything in it. */
export async function removeLocksWithin(
  db: Db,
  ownerId: string,
  target: Target,
  now: Date,
): Promise<DavProblem | null> {
  return changeLocks(db, ownerId, now, (locks) => {
    const remaining = removeLocks(locks, target);
    return remaining.length === locks.length ? locks : remaining;
  });
}
