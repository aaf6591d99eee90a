import type { Db } from "#db/client.ts";
import { makeEventsDueNow } from "#db/reminders/push/push-events.server.ts";
import { makePushesDueNow } from "#db/reminders/reminder-pushes.server.ts";
import { Refusal } from "#domain/refusal.ts";

/**
 * A locked account cannot sign in and nothing acts for it, but its data stays. The lock is in the person's record, which each of their
 * requests reads, so every process sees it with the next request. Credentials stay too, so unlocking restores everything.
 */
export async function lockAccount(db: Db, userId: string, now: Date): Promise<true | Refusal> {
  const before = await db.users.findOneAndUpdate(
    { _id: userId },
    { $min: { locked_at: now } },
    { projection: { locked_at: 1 } },
  );
  if (!before) return Refusal("user_not_found", { user_id: userId });
  if (!before.locked_at) db.emit("account_locked", { resource: { type: "user", id: userId } });
  return true;
}

/** Also sends the notifications that were held back. */
export async function unlockAccount(db: Db, userId: string, now: Date): Promise<true | Refusal> {
  const before = await db.users.findOneAndUpdate(
    { _id: userId },
    { $unset: { locked_at: "" } },
    { projection: { locked_at: 1 } },
  );
  if (!before) return Refusal("user_not_found", { user_id: userId });
  if (before.locked_at) db.emit("account_unlocked", { resource: { type: "user", id: userId } });
  await makePushesDueNow(db, userId, now);
  await makeEventsDueNow(db, userId, now);
  return true;
}
