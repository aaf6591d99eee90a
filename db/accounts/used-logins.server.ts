import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Two logins of one person within the same second are signed alike, and both arrive within this time on a busy machine, too. */
const SAME_SECOND_MS = 10 * SECOND_MS;

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/**
 * Uses up a proof of a login. Of two at once one gets true; whoever comes later gets false until the proof has ended by itself. One
 * that programs of this machine post is good again for ten seconds where the caller says so (`postedHereAt`): it may be another login
 * that was signed alike.
 */
export async function claimLoginProof(
  db: Db,
  proof: string,
  expires_at: Date,
  postedHereAt?: Date,
): Promise<boolean> {
  const _id = digest(proof);
  try {
    await db.used_logins.insertOne({ _id, expires_at, posted_here_at: postedHereAt });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  if (!postedHereAt) return false;
  const used = await db.used_logins.findOne({ _id });
  if (!used?.posted_here_at) return false;
  return postedHereAt.getTime() - used.posted_here_at.getTime() < SAME_SECOND_MS;
}
