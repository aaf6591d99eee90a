import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";

/** Uses up a proof of a login. Of two at once one gets true; whoever comes later gets false until the proof has ended by itself. */
export async function claimLoginProof(db: Db, proof: string, expires_at: Date): Promise<boolean> {
  const _id = createHash("sha256").update(proof).digest("base64url");
  try {
    await db.used_logins.insertOne({ _id, expires_at });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
