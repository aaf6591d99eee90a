import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Two logins of one person within the same second are signed alike, and both arrive within this time on a busy server, too. */
const SAME_SECOND_MS = 10 * SECOND_MS;

const digestProof = (proof: string) => createHash("sha256").update(proof).digest("base64url");

/**
 * Uses up a proof of a login. Of two at once one gets true; whoever comes later gets false until the proof has ended by itself. One
 * that is posted in a body is good again for moments: it may be another login that was signed alike.
 */
export async function claimLoginProof(
  db: Db,
  proof: string,
  expires_at: Date,
  posted_at?: Date,
): Promise<boolean> {
  const _id = digestProof(proof);
  try {
    await db.used_logins.insertOne({ _id, expires_at, posted_at });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  if (!posted_at) return false;
  const used = await db.used_logins.findOne({ _id });
  const firstPostedAt = used?.posted_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  return posted_at.getTime() - firstPostedAt < SAME_SECOND_MS;
}
