import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Two logins of one person within the same second are signed alike, and both arrive within this time on a busy server, too. */
const SAME_SECOND_MS = 10 * SECOND_MS;

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/** When a proof was posted in a body, and from which network. */
type Posted = { at: Date; network: string };

/**
 * Uses up a proof of a login. Of two at once one gets true; whoever comes later gets false until the proof has ended by itself. One
 * that is posted in a body is good again for moments from the same network: it may be another login that was signed alike.
 */
export async function claimLoginProof(
  db: Db,
  proof: string,
  expires_at: Date,
  posted?: Posted,
): Promise<boolean> {
  const _id = digest(proof);
  // With the proof in it, which nobody else knows, the digest tells nothing of the network.
  const posted_from = posted && digest(`${proof} ${posted.network}`);
  try {
    await db.used_logins.insertOne({ _id, expires_at, posted_at: posted?.at, posted_from });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  if (!posted) return false;
  const used = await db.used_logins.findOne({ _id });
  if (!used?.posted_at || used.posted_from !== posted_from) return false;
  return posted.at.getTime() - used.posted_at.getTime() < SAME_SECOND_MS;
}
