import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { duplicateFields, findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { removeRepoContents } from "#db/repos/repo-contents.server.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  checkRepoToken,
  checkRepoUrl,
  chooseRepoName,
  isLocalRemote,
  REPOS_MAX,
  type RepoState,
  repoKey,
} from "#domain/repos/repo.ts";
import type { RepoRequest } from "#domain/repos/repo-schema.ts";
import { itemAt } from "#domain/required.ts";
import { isOutboundUrl } from "#platform/outbound/outbound.ts";
import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";
import { decryptSecret, encryptSecret } from "#platform/secrets/encrypted-secret.ts";

export type RepoRecord = Pick<
  RepoDoc,
  | "user_id"
  | "repo_name"
  | "url"
  | "branch"
  | "head"
  | "files"
  | "bytes"
  | "skipped"
  | "created_at"
  | "last_sync_time"
  | "error"
  | "next_sync_at"
  | "sync_run_id"
  | "import_run_id"
  | "analysis_run_id"
> & { id: string; state: RepoState; has_token: boolean };

export type RepoRule = { allowLocal: boolean; dataKeys: ReadDataKeys };

/** Creates the record of a mirror. Its files come with the first sync, which the caller requests. */
export async function createRepo(
  db: Db,
  ownerId: string,
  request: RepoRequest,
  { allowLocal, dataKeys }: RepoRule,
  now: Date,
): Promise<RepoRecord | Refusal> {
  const url = checkRemote(request.url, allowLocal);
  if (isRefusal(url)) return url;
  const repo_name = chooseRepoName(request.name, url);
  if (isRefusal(repo_name)) return repo_name;
  const token = checkRepoToken(request.token);
  if (isRefusal(token)) return token;
  const draft = {
    user_id: ownerId,
    repo_name,
    named: repo_name,
    url,
    url_key: repoKey(url),
    sealed_token: token === null ? null : encryptSecret(dataKeys(), token),
    branch: null,
    head: null,
    files: 0,
    bytes: 0,
    skipped: 0,
    created_at: now,
    last_sync_time: null,
    error: null,
    failures: 0,
    next_sync_at: now,
    wanted_at: now,
    sync_run_id: null,
    import_run_id: null,
    analysis_run_id: null,
  };
  const inserted = await insertRepo(db, ownerId, draft);
  return isRefusal(inserted) ? inserted : toRepo(inserted);
}

export function checkRemote(text: string, allowLocal: boolean): string | Refusal {
  const url = checkRepoUrl(text, { allowLocal });
  if (isRefusal(url) || isLocalRemote(url)) return url;
  return isOutboundUrl(url, { allowLoopback: false }) ? url : Refusal("repo_url_not_public");
}

async function insertRepo(
  db: Db,
  ownerId: string,
  draft: Omit<RepoDoc, "_id" | "slot">,
): Promise<RepoDoc | Refusal> {
  const { repo_name } = draft;
  try {
    return await writeWithFreeSlot(
      async () => {
        const slot = await findFreeSlot(db.repos, { user_id: ownerId }, "slot", REPOS_MAX);
        if (slot === null) return Refusal("repo_limit", { max: REPOS_MAX });
        const doc: RepoDoc = { _id: new ObjectId(), slot, ...draft };
        await db.repos.insertOne(doc);
        return doc;
      },
      (field) => field === "slot",
    );
  } catch (error) {
    if (isDuplicateKey(error) && duplicateFields(error).includes("named"))
      return Refusal("repo_name_taken", { repo_name });
    throw error;
  }
}

const toMirroredFilter = (ownerId: string) => ({ user_id: ownerId, named: { $gt: "" } });

/** Sums the text bytes of all mirrors of a person, including texts that a running sync is about to store. */
export async function sumMirroredBytes(db: Db, ownerId: string): Promise<number> {
  const docs = await db.repos
    .find(toMirroredFilter(ownerId))
    .project<{ text_bytes?: number }>({ text_bytes: 1 })
    .toArray();
  return docs.reduce((sum, { text_bytes = 0 }) => sum + text_bytes, 0);
}

export async function listRepos(db: Db, ownerId: string, now: Date): Promise<RepoRecord[]> {
  const docs = await db.repos.find(toMirroredFilter(ownerId)).sort({ named: 1 }).toArray();
  return toRecords(db, docs, now);
}

export async function findRepo(
  db: Db,
  ownerId: string,
  repoName: string,
  now: Date,
): Promise<RepoRecord | null> {
  const doc = await db.repos.findOne({ user_id: ownerId, named: repoName });
  return doc && itemAt(await toRecords(db, [doc], now), 0);
}

/** Converts stored mirrors to records. Reads the workers only if a sync is running. */
async function toRecords(db: Db, docs: readonly RepoDoc[], now: Date): Promise<RepoRecord[]> {
  const isHeld = ({ lease }: RepoDoc) => lease !== undefined && lease.until > now;
  const isHeldBy = (names: Set<string>, doc: RepoDoc) =>
    isHeld(doc) && doc.lease !== undefined && names.has(doc.lease.worker_id);
  const living = docs.some(isHeld) ? await listLivingWorkers(db, now) : [];
  const names = new Set(living.map(({ worker_id }) => worker_id));
  return docs.map((doc) => toRepo(doc, isHeldBy(names, doc)));
}

/** Finds a mirror whose files can be read. One that was never synced is refused differently from a missing one. */
export async function findReadableRepo(
  db: Db,
  ownerId: string,
  repoName: string,
  now: Date,
): Promise<RepoRecord | Refusal> {
  const repo = await findRepo(db, ownerId, repoName, now);
  if (!repo) return Refusal("repo_not_found", { repo_name: repoName });
  return repo.last_sync_time ? repo : Refusal("repo_not_synced", { repo_name: repoName });
}

/** Returns the access token of a mirror; null if it has none or it can no longer be decrypted. */
export async function findRepoToken(
  db: Db,
  { id, user_id }: RepoRecord,
  dataKeys: ReadDataKeys,
): Promise<string | null> {
  const doc = await db.repos.findOne({ _id: new ObjectId(id), user_id }, { projection: { sealed_token: 1 } });
  return doc?.sealed_token ? decryptSecret(dataKeys(), doc.sealed_token) : null;
}

/** Finds a mirror by its id alone. Only for jobs, whose ids come from people who may read the mirror. */
export async function findRepoDoc(db: Db, repoId: string): Promise<RepoDoc | null> {
  if (!isOpaqueId(repoId)) return null;
  return db.repos.findOne({ _id: new ObjectId(repoId), named: { $gt: "" } });
}

export function listReposByUrl(db: Db, urlKey: string): Promise<RepoDoc[]> {
  return db.repos
    .find({ url_key: urlKey, named: { $gt: "" } })
    .sort({ _id: 1 })
    .toArray();
}

/** Mirrors with more files are removed by the worker, so that nobody waits. */
const REMOVED_AT_ONCE = 100;

/**
 * Removes a mirror. The first write hides it; then its files are removed. If there are many, the removal is interrupted or a sync
 * is running, the worker finishes it. Notes stay as detached notes.
 */
export async function removeRepo(
  db: Db,
  ownerId: string,
  repoName: string,
  now: Date,
): Promise<RepoRecord | Refusal> {
  const doc = await db.repos.findOneAndUpdate(
    { user_id: ownerId, named: repoName },
    { $set: { removed_at: now, sealed_token: null }, $unset: { named: "", slot: "" } },
    { returnDocument: "after" },
  );
  if (!doc) return Refusal("repo_not_found", { repo_name: repoName });
  if (doc.files <= REMOVED_AT_ONCE) await finishRepoRemoval(db, doc, now);
  return toRepo(doc);
}

/** Removes the files of a removed mirror and then its record. It does nothing while a sync may still write. */
export async function finishRepoRemoval(
  db: Db,
  { _id, user_id, lease }: RepoDoc,
  now: Date,
): Promise<boolean> {
  if (lease && lease.until > now) return false;
  await removeRepoContents(db, _id);
  const result = await db.repos.deleteOne({ _id, user_id, removed_at: { $gt: new Date(0) } });
  return result.deletedCount === 1;
}

export function listRemovedRepos(db: Db): Promise<RepoDoc[]> {
  return db.repos
    .find({ removed_at: { $gt: new Date(0) } })
    .sort({ removed_at: 1 })
    .toArray();
}

export async function removeOwnerRepos(db: Db, ownerId: string): Promise<number> {
  const docs = await db.repos.find({ user_id: ownerId }).toArray();
  for (const { _id } of docs) {
    await removeRepoContents(db, _id);
    await db.repos.deleteOne({ _id, user_id: ownerId });
  }
  return docs.length;
}

export function toRepo(doc: RepoDoc, isSyncing = false): RepoRecord {
  const { _id, user_id, repo_name, url, branch, head, files, bytes, skipped, sealed_token } = doc;
  const { created_at, last_sync_time, error, next_sync_at } = doc;
  const { sync_run_id, import_run_id, analysis_run_id } = doc;
  return {
    id: _id.toHexString(),
    user_id,
    repo_name,
    url,
    state: isSyncing ? "syncing" : toRestingState(doc),
    has_token: sealed_token !== null,
    branch,
    head,
    files,
    bytes,
    skipped,
    created_at,
    last_sync_time,
    error,
    next_sync_at,
    sync_run_id,
    import_run_id,
    analysis_run_id,
  };
}

function toRestingState({ error, last_sync_time }: RepoDoc): RepoState {
  if (error) return "failed";
  return last_sync_time ? "ready" : "waiting";
}
