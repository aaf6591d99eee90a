import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { asFilter, asUntypedCollection } from "#db/core/driver/driver-types.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { FILE_PARTS } from "#db/files/file-parts.server.ts";
import { removeOwnerFiles } from "#db/files/trash/file-removal.server.ts";
import { removeOwnerRepos } from "#db/repos/repos.server.ts";
import { keyRange } from "#db/segments/segments.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { listKeys, mapKeys } from "#domain/typed-keys.ts";

/**
 * Deletes accounts. One write marks the person as leaving and ends their credentials; then all their data is removed, and their
 * record last. After an interruption the mark remains, and the next sign-in or the worker continues.
 */
type Step = (db: Db, userId: string) => Promise<number>;

const remove =
  (name: CollectionName, chooseDocuments: (userId: string) => object): Step =>
  async (db, userId) =>
    (await asUntypedCollection(db[name]).deleteMany(asFilter(chooseDocuments(userId)))).deletedCount;
const removeByOwner = (name: CollectionName) => remove(name, (user_id) => ({ user_id }));
const removeById = (name: CollectionName) => remove(name, (_id) => ({ _id }));
const removedWithFiles: Step = async () => 0;
const removedWithRepos: Step = async () => 0;
const ownedByNobody: Step = async () => 0;

const FILE_PART_REMOVALS = mapKeys(listKeys(FILE_PARTS).toReversed(), (name) =>
  FILE_PARTS[name].removeWithOwner === "by_owner" ? removeByOwner(name) : removedWithFiles,
);

/**
 * The removal of a person's part of each collection, in this order: first everything that gives access or sends notifications.
 * A collection missing here does not compile.
 */
export const REMOVALS: Record<Exclude<CollectionName, "users">, Step> = {
  identities: removeByOwner("identities"),
  invitations: remove("invitations", (userId) => ({ $or: [{ user_id: userId }, { used_by: userId }] })),
  security_logs: removeById("security_logs"),
  // A request is removed when its account is created.
  join_requests: ownedByNobody,
  // Only digests, which expire within a day.
  used_logins: ownedByNobody,
  tokens: removeByOwner("tokens"),
  // A worker with a running import notices this and stops.
  library_imports: removeById("library_imports"),
  library_import_chunks: removeByOwner("library_import_chunks"),
  feeds: removeByOwner("feeds"),
  ...FILE_PART_REMOVALS,
  push_subscriptions: removeByOwner("push_subscriptions"),
  push_events: removeByOwner("push_events"),
  boards: removeByOwner("boards"),
  files: removeOwnerFiles,
  folder_changes: removeById("folder_changes"),
  folder_trees: removeById("folder_trees"),
  dav_locks: removeById("dav_locks"),
  dav_departures: removeByOwner("dav_departures"),
  dav_junk: removeByOwner("dav_junk"),
  repos: removeOwnerRepos,
  repo_files: removedWithRepos,
  repo_folders: removedWithRepos,
  repo_texts: removedWithRepos,
  repo_renames: removedWithRepos,
  repo_commits: removedWithRepos,
  repo_analyses: removedWithRepos,
  search_segments: remove("search_segments", keyRange),
  search_chunks: remove("search_chunks", keyRange),
  library_tallies: removeById("library_tallies"),
  library_usage: removeById("library_usage"),
  search_numbers: removeById("search_numbers"),
  agent_instructions: removeById("agent_instructions"),
  // Earlier versions wrote the account's own id.
  events: remove("events", (userId) => ({
    "resource.type": "user",
    "resource.id": { $in: [userId, toEventPerson(userId)] },
  })),
  quick_fix_uses: removeByOwner("quick_fix_uses"),
  event_counts: ownedByNobody,
  request_timings: ownedByNobody,
  alerts: ownedByNobody,
  alert_cooldowns: ownedByNobody,
  alert_explanations: ownedByNobody,
  announcements: ownedByNobody,
  active_announcement: ownedByNobody,
  installation: ownedByNobody,
  job_runs: ownedByNobody,
  job_settings: ownedByNobody,
  webhook_deliveries: ownedByNobody,
  workers: ownedByNobody,
};

const EPOCH = new Date(0);
const LEASE_MS = 10 * MINUTE_MS;
const isLeaving = (userId: string) => ({ _id: userId, leaving_at: { $gt: EPOCH } });

/** Ends every credential and marks the person as leaving. From here on, the deletion will be finished after any interruption. */
export async function startAccountRemoval(db: Db, userId: string, now: Date): Promise<void> {
  await db.users.updateOne(
    { _id: userId },
    { $set: { leaving_at: now, sessions: [] }, $inc: { credential_epoch: 1 } },
  );
}

/**
 * Removes all data of a leaving person. Returns false if another process is doing it. A lease, renewed before each step, lets
 * only one process work, because a late second one would delete what the same person has created since.
 */
export async function removeAccountData(db: Db, userId: string, clock: () => Date): Promise<boolean> {
  let leaseEnd = EPOCH;
  const renew = async () => {
    const now = clock();
    const next = new Date(Math.max(now.getTime() + LEASE_MS, leaseEnd.getTime() + 1));
    const lease =
      leaseEnd === EPOCH ? { removing_until: { $not: { $gt: now } } } : { removing_until: leaseEnd };
    const renewed = await db.users.updateOne(
      { ...isLeaving(userId), ...lease },
      { $set: { removing_until: next } },
    );
    leaseEnd = next;
    return renewed.matchedCount === 1;
  };
  const removeAll = async (): Promise<number | null> => {
    let removed = 0;
    for (const step of Object.values(REMOVALS)) {
      if (!(await renew())) return null;
      removed += await step(db, userId);
    }
    return removed;
  };
  if (!(await db.users.findOne(isLeaving(userId), { projection: { _id: 1 } }))) return true;
  // Repeats until a pass finds nothing, because a step may leave something and a running request may still write.
  for (let removed: number | null = 1; removed !== 0; ) {
    removed = await removeAll();
    if (removed === null) return false;
  }
  await db.users.deleteOne({ ...isLeaving(userId), removing_until: leaseEnd });
  // Without the id, so that nothing of the person remains.
  db.emit("account_deleted", {});
  return true;
}

export async function listLeavingUserIds(db: Db): Promise<string[]> {
  const docs = await db.users
    .find({ leaving_at: { $gt: EPOCH } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ leaving_at: 1 })
    .toArray();
  return docs.map(({ _id }) => _id);
}
