import type { StoredPasskey } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { passkeyKey } from "#domain/accounts/passkey.ts";

/** What a credential's signature is checked against; null where there is none. Which account it opens, its account says. */
export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | null> {
  const record = await db.identities.findOne({ _id: passkeyKey(credentialId) });
  return record?.passkey ?? null;
}

/**
 * Notes a use. False where the count of the passkey did not go up since: then two devices hold its key, and one of them copied it.
 * An authenticator that does not count says zero each time.
 */
export async function setPasskeyUsed(
  db: Db,
  credentialId: string,
  counter: number,
  now: Date,
): Promise<boolean> {
  const used = await db.identities.updateOne(
    { _id: passkeyKey(credentialId), "passkey.counter": counter === 0 ? 0 : { $lt: counter } },
    { $set: { "passkey.counter": counter, last_used_at: now } },
  );
  return used.matchedCount === 1;
}
