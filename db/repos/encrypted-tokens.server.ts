import type { Collections } from "#db/collections.ts";
import { readInPages } from "#db/core/pages.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";
import { decryptSecret, encryptSecret, isEncryptedByCurrentKey } from "#platform/secrets/encrypted-secret.ts";

/** `unreadable` counts tokens with an unknown key; they are not changed. */
type Reencrypted = { reencrypted: number; current: number; unreadable: number };

const PAGE_SIZE = 500;

/**
 * Encrypts the tokens of all mirrors with the current key. Each is replaced only if it has not changed since it was read, so
 * this can run, be interrupted and be repeated at any time; a token that changes in between already has the new key.
 */
export async function reencryptTokens(
  { repos }: Pick<Collections, "repos">,
  dataKeys: ReadDataKeys,
): Promise<Reencrypted> {
  const counts: Reencrypted = { reencrypted: 0, current: 0, unreadable: 0 };
  const docs = readInPages<RepoDoc, Pick<RepoDoc, "_id" | "user_id" | "sealed_token">>(repos, {
    filter: {},
    order: { _id: 1 },
    projection: { user_id: 1, sealed_token: 1 },
    pageSize: PAGE_SIZE,
  });
  for await (const { _id, user_id, sealed_token } of docs) {
    if (!sealed_token) continue;
    const keys = dataKeys();
    if (isEncryptedByCurrentKey(keys, sealed_token)) {
      counts.current += 1;
      continue;
    }
    const token = decryptSecret(keys, sealed_token);
    if (token === null) {
      counts.unreadable += 1;
      continue;
    }
    const change = { $set: { sealed_token: encryptSecret(keys, token) } };
    const { modifiedCount } = await repos.updateOne({ _id, user_id, sealed_token }, change);
    counts.reencrypted += modifiedCount;
  }
  return counts;
}
