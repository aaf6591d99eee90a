import type { Collections } from "#db/collections.ts";
import { readInPages } from "#db/pages.ts";
import type { RepoDoc } from "#db/repos/documents.ts";
import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";
import { decryptSecret, encryptSecret, isEncryptedByCurrentKey } from "#platform/secrets/encrypted-secret.ts";

/** `unreadable` are encrypted under a key that is not known here; they are left as they are. */
type Reencrypted = { reencrypted: number; current: number; unreadable: number };

const READ_AT_ONCE = 500;

/**
 * Encrypts every token of a mirror with the current key. Each is replaced only while it is what was read, so this can run at any
 * time, be interrupted and run again; a token that a person changes meanwhile has the new key already.
 */
export async function reencryptTokens(
  { repos }: Pick<Collections, "repos">,
  dataKeys: ReadDataKeys,
): Promise<Reencrypted> {
  const done: Reencrypted = { reencrypted: 0, current: 0, unreadable: 0 };
  const docs = readInPages<RepoDoc, Pick<RepoDoc, "_id" | "user_id" | "sealed_token">>(repos, {
    filter: {},
    order: { _id: 1 },
    projection: { user_id: 1, sealed_token: 1 },
    pageSize: READ_AT_ONCE,
  });
  for await (const { _id, user_id, sealed_token } of docs) {
    if (!sealed_token) continue;
    const keys = dataKeys();
    if (isEncryptedByCurrentKey(keys, sealed_token)) {
      done.current += 1;
      continue;
    }
    const token = decryptSecret(keys, sealed_token);
    if (token === null) {
      done.unreadable += 1;
      continue;
    }
    const change = { $set: { sealed_token: encryptSecret(keys, token) } };
    const { modifiedCount } = await repos.updateOne({ _id, user_id, sealed_token }, change);
    done.reencrypted += modifiedCount;
  }
  return done;
}
