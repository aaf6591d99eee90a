import type { StoredPasskey } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { passkeyKey } from "#domain/accounts/passkey.ts";

/** Returns the data to verify a credential's signature, or null. The account itself decides if the credential opens it. */
export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | null> {
  const record = await db.identities.findOne({ _id: passkeyKey(credentialId) });
  return record?.passkey ?? null;
}

/**
 * Records a use. Returns false if the passkey's counter did not increase, because then two devices have its key and one copied
 * it. An authenticator that does not count always sends zero.
 */
export async function recordPasskeyUse(
  db: Db,
  credentialId: string,
  counter: number,
  now: Date,
): Promise<boolean> {
  const result = await db.identities.updateOne(
    { _id: passkeyKey(credentialId), "passkey.counter": counter === 0 ? 0 : { $lt: counter } },
    { $set: { "passkey.counter": counter, last_used_at: now } },
  );
  return result.matchedCount === 1;
}
