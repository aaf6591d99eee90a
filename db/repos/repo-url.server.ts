import type { Db } from "#db/client.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import { toNotHeldFilter } from "#db/repos/repo-sync.server.ts";
import { checkRemote, type RepoRecord, type RepoRule, toRepo } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkRepoToken, repoKey } from "#domain/repos/repo.ts";
import type { RepoRequest } from "#domain/repos/repo-schema.ts";
import { encryptSecret } from "#platform/secrets/encrypted-secret.ts";

/**
 * Changes the address of a mirror; the caller requests the sync, and the files stay until then. Refused during a sync, which
 * would write the contents of the old address. Without a new token the old one stays, but never for another host.
 */
export async function setRepoUrl(
  db: Db,
  ownerId: string,
  repoName: string,
  address: Omit<RepoRequest, "name">,
  { allowLocal, dataKeys }: RepoRule,
  now: Date,
): Promise<RepoRecord | Refusal> {
  const url = checkRemote(address.url, allowLocal);
  if (isRefusal(url)) return url;
  const token = checkRepoToken(address.token);
  if (isRefusal(token)) return token;
  const existing = await db.repos.findOne({ user_id: ownerId, named: repoName });
  if (!existing) return Refusal("repo_not_found", { repo_name: repoName });
  const sealed_token = token === null ? keepToken(existing, url) : encryptSecret(dataKeys(), token);
  const changes = { url, url_key: repoKey(url), sealed_token };
  const living = (await listLivingWorkers(db, now)).map(({ worker_id }) => worker_id);
  const updated = await db.repos.findOneAndUpdate(
    {
      _id: existing._id,
      user_id: ownerId,
      named: repoName,
      url: existing.url,
      ...toNotHeldFilter(living, now),
    },
    { $set: { ...changes, error: null, failures: 0, next_sync_at: now, wanted_at: now } },
    { returnDocument: "after" },
  );
  return updated ? toRepo(updated) : Refusal("repo_syncing", { repo_name: repoName });
}

const keepToken = ({ url: oldUrl, sealed_token }: RepoDoc, url: string) =>
  new URL(oldUrl).origin === new URL(url).origin ? sealed_token : null;
