import type { Db } from "#db/client.ts";
import type { DavLocksDoc } from "#db/dav/documents.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { addLock, type DavLock, dropLocks, listCovering, refreshLock } from "#domain/dav/dav-lock.ts";
import { DavProblem, isProblem } from "#domain/dav/dav-problem.ts";

type Target = { names: readonly string[]; isFolder: boolean };
type ReadLocks = { locks: DavLock[]; revision: number };

/** The locks of a person that hold at this moment. */
export async function readLocks(db: Db, ownerId: string, now: Date): Promise<DavLock[]> {
  return (await readDocument(db, ownerId, now)).locks;
}

async function readDocument(db: Db, ownerId: string, now: Date): Promise<ReadLocks> {
  const doc = await db.dav_locks.findOne({ _id: ownerId });
  const locks = (doc?.locks ?? []).filter(({ expires_at }) => expires_at > now);
  return { locks, revision: doc?.revision ?? 0 };
}

/** Each attempt that fails lets another change through, so that only so many changes at once can use them up. */
const CHANGE_ATTEMPTS = 100;

/**
 * Changes a person's locks by one write, onto the very locks that the change was decided on. So of two clients that want the same
 * lock at once one gets it, and the other is refused.
 */
async function changeLocks(
  db: Db,
  ownerId: string,
  now: Date,
  decide: (locks: DavLock[]) => DavLock[] | DavProblem,
): Promise<DavProblem | null> {
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const { locks, revision } = await readDocument(db, ownerId, now);
    const changed = decide(locks);
    if (isProblem(changed)) return changed;
    if (changed === locks) return null;
    if (await writeLocks(db, ownerId, revision, changed, now)) return null;
  }
  return DavProblem(503, "Locks are being changed a lot right now.", { retryAfter: 1 });
}

/** False where the locks have another revision by now. */
async function writeLocks(
  db: Db,
  ownerId: string,
  revision: number,
  locks: DavLock[],
  now: Date,
): Promise<boolean> {
  const expires_at = new Date(Math.max(now.getTime(), ...locks.map((lock) => lock.expires_at.getTime())));
  const fields: Omit<DavLocksDoc, "_id" | "revision"> = { locks, expires_at };
  try {
    const { matchedCount, upsertedCount } = await db.dav_locks.updateOne(
      { _id: ownerId, revision },
      { $set: fields, $inc: { revision: 1 } },
      { upsert: revision === 0 },
    );
    return matchedCount + upsertedCount > 0;
  } catch (error) {
    // Another lock made the document.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

export async function createLock(
  db: Db,
  ownerId: string,
  lock: DavLock,
  now: Date,
): Promise<DavLock | DavProblem> {
  const problem = await changeLocks(db, ownerId, now, (locks) =>
    // A repeated write finds its own lock there.
    locks.some(({ token }) => token === lock.token) ? locks : addLock(locks, lock),
  );
  return problem ?? lock;
}

/** Lets a lock that covers the path run anew. */
export async function updateLock(
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
    return change?.locks ?? noSuchLock();
  });
  return problem ?? refreshed ?? noSuchLock();
}

const noSuchLock = () =>
  DavProblem(412, "No lock here has this token.", { condition: "lock-token-matches-request-uri" });

/** Gives a lock back, named by its token and by an address that it covers. */
export async function removeLock(
  db: Db,
  ownerId: string,
  target: Target,
  token: string,
  now: Date,
): Promise<DavProblem | null> {
  return changeLocks(db, ownerId, now, (locks) => {
    const found = listCovering(locks, target).find((lock) => lock.token === token);
    if (found) return locks.filter((lock) => lock !== found);
    return DavProblem(409, "No lock here has this token.", { condition: "lock-token-matches-request-uri" });
  });
}

/** Ends the locks on what was deleted or moved away, and on all that was in it. */
export async function removeLocksAt(
  db: Db,
  ownerId: string,
  target: Target,
  now: Date,
): Promise<DavProblem | null> {
  return changeLocks(db, ownerId, now, (locks) => {
    const left = dropLocks(locks, target);
    return left.length === locks.length ? locks : left;
  });
}
