import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { asFilter, untyped } from "#db/driver/driver-types.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { FILE_PARTS } from "#db/files/file-parts.server.ts";
import { removeOwnerFiles } from "#db/files/trash/file-removal.server.ts";
import { removeOwnerRepos } from "#db/repos/repos.server.ts";
import { keyRange } from "#db/search/segments.server.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { listKeys, mapKeys } from "#domain/typed-keys.ts";

/**
 * Deleting an account. One write marks the person as leaving and ends their credentials; then everything of theirs goes, and
 * their record last of all. If that is interrupted, the mark stays, and the next sign-in or the worker continues.
 */
type Step = (db: Db, userId: string) => Promise<number>;

const matching =
  (name: CollectionName, chooseDocuments: (userId: string) => object): Step =>
  async (db, userId) =>
    (await untyped(db[name]).deleteMany(asFilter(chooseDocuments(userId)))).deletedCount;
const ofUser = (name: CollectionName) => matching(name, (user_id) => ({ user_id }));
const ownRecord = (name: CollectionName) => matching(name, (_id) => ({ _id }));
const withFiles: Step = async () => 0;
const withRepos: Step = async () => 0;
const nobodys: Step = async () => 0;

const FILE_PART_REMOVALS = mapKeys(listKeys(FILE_PARTS).toReversed(), (name) =>
  FILE_PARTS[name].removeWithOwner === "by_owner" ? ofUser(name) : withFiles,
);

/**
 * How a person's part of each collection is removed, in this order: first what lets anyone in or reaches them. A collection
 * that is not named here does not compile.
 */
export const REMOVALS: Record<Exclude<CollectionName, "users">, Step> = {
  identities: ofUser("identities"),
  invitations: matching("invitations", (userId) => ({ $or: [{ user_id: userId }, { used_by: userId }] })),
  security_logs: ownRecord("security_logs"),
  // Removed as soon as there is an account.
  join_requests: nobodys,
  // Digests alone, which end by themselves within a day.
  used_logins: nobodys,
  tokens: ofUser("tokens"),
  // A worker that imports something finds its import gone and stops.
  library_imports: ownRecord("library_imports"),
  library_import_chunks: ofUser("library_import_chunks"),
  feeds: ofUser("feeds"),
  ...FILE_PART_REMOVALS,
  push_subscriptions: ofUser("push_subscriptions"),
  push_events: ofUser("push_events"),
  boards: ofUser("boards"),
  files: removeOwnerFiles,
  folder_changes: ownRecord("folder_changes"),
  folder_trees: ownRecord("folder_trees"),
  dav_locks: ownRecord("dav_locks"),
  dav_departures: ofUser("dav_departures"),
  dav_junk: ofUser("dav_junk"),
  repos: removeOwnerRepos,
  repo_files: withRepos,
  repo_folders: withRepos,
  repo_texts: withRepos,
  repo_renames: withRepos,
  repo_commits: withRepos,
  repo_analyses: withRepos,
  search_segments: matching("search_segments", keyRange),
  search_chunks: matching("search_chunks", keyRange),
  postings: matching("postings", keyRange),
  library_tallies: ownRecord("library_tallies"),
  library_usage: ownRecord("library_usage"),
  search_numbers: ownRecord("search_numbers"),
  agent_instructions: ownRecord("agent_instructions"),
  // Earlier versions wrote the account's own id.
  events: matching("events", (userId) => ({
    "resource.type": "user",
    "resource.id": { $in: [userId, toEventPerson(userId)] },
  })),
  quick_fix_uses: ofUser("quick_fix_uses"),
  event_counts: nobodys,
  request_timings: nobodys,
  alerts: nobodys,
  alert_cooldowns: nobodys,
  alert_explanations: nobodys,
  announcements: nobodys,
  active_announcement: nobodys,
  installation: nobodys,
  job_runs: nobodys,
  job_settings: nobodys,
  webhook_deliveries: nobodys,
  workers: nobodys,
};

const EPOCH = new Date(0);
const LEASE_MS = 10 * MINUTE_MS;
const leaving = (userId: string) => ({ _id: userId, leaving_at: { $gt: EPOCH } });

/** Ends every credential and marks the person as leaving: from here on the deletion is finished whatever happens. */
export async function markLeaving(db: Db, userId: string, now: Date): Promise<void> {
  await db.users.updateOne(
    { _id: userId },
    { $set: { leaving_at: now, sessions: [] }, $inc: { credential_epoch: 1 } },
  );
}

/**
 * Removes everything of a person who is leaving. False where another process does it. A lease, renewed before each step,
 * lets only one process work: a late second one would delete what the same person has made since.
 */
export async function removeLeaving(db: Db, userId: string, clock: () => Date): Promise<boolean> {
  let until = EPOCH;
  const renew = async () => {
    const now = clock();
    const next = new Date(Math.max(now.getTime() + LEASE_MS, until.getTime() + 1));
    const free = until === EPOCH ? { removing_until: { $not: { $gt: now } } } : { removing_until: until };
    const held = await db.users.updateOne(
      { ...leaving(userId), ...free },
      { $set: { removing_until: next } },
    );
    until = next;
    return held.matchedCount === 1;
  };
  const removeAll = async (): Promise<number | null> => {
    let removed = 0;
    for (const step of Object.values(REMOVALS)) {
      if (!(await renew())) return null;
      removed += await step(db, userId);
    }
    return removed;
  };
  if (!(await db.users.findOne(leaving(userId), { projection: { _id: 1 } }))) return true;
  // Repeats until a pass finds nothing, because a step may leave a rest and a running request may still write.
  for (let removed: number | null = 1; removed !== 0; ) {
    removed = await removeAll();
    if (removed === null) return false;
  }
  await db.users.deleteOne({ ...leaving(userId), removing_until: until });
  // Without its id: nothing of the person stays.
  db.emit("account_deleted", {});
  return true;
}

/** People whose deletion was interrupted. */
export async function listLeaving(db: Db): Promise<string[]> {
  const docs = await db.users
    .find({ leaving_at: { $gt: EPOCH } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ leaving_at: 1 })
    .toArray();
  return docs.map(({ _id }) => _id);
}
