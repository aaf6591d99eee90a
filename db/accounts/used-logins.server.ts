import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

/** Two logins of a person within the same second have the same signature, and both arrive within this time even on a busy machine. */
const SAME_SECOND_MS = 10 * SECOND_MS;

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");

/**
 * Uses up a proof of a login. If two claim it at once, one gets true; later ones get false until the proof has expired. With
 * `postedHereAt`, a proof posted by programs of this machine is valid again for ten seconds, because it may be another login
 * with the same signature.
 */
export async function claimLoginProof(
  db: Db,
  proof: string,
  expires_at: Date,
  postedHereAt?: Date,
): Promise<boolean> {
  const _id = digest(proof);
  const proofDoc = { _id, expires_at, posted_here_at: postedHereAt };
  if (await skipDuplicate(db.used_logins.insertOne(proofDoc))) return true;
  if (!postedHereAt) return false;
  const used = await db.used_logins.findOne({ _id });
  if (!used?.posted_here_at) return false;
  return postedHereAt.getTime() - used.posted_here_at.getTime() < SAME_SECOND_MS;
}
