import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";

const digestProof = (proof: string) => createHash("sha256").update(proof).digest("base64url");

/** Uses up a proof of a login. Of two at once one gets true; whoever comes later gets false until the proof has ended by itself. */
export async function claimLoginProof(db: Db, proof: string, expires_at: Date): Promise<boolean> {
  try {
    await db.used_logins.insertOne({ _id: digestProof(proof), expires_at });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

export async function isLoginProofUsed(db: Db, proof: string): Promise<boolean> {
  return (await db.used_logins.findOne({ _id: digestProof(proof) })) !== null;
}
