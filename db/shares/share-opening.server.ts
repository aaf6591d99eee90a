import type { Db } from "#db/client.ts";
import { countView, type Share } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { isCorrectPassword } from "#platform/secrets/password.ts";

/**
 * Opens protected shares. Wrong passwords are counted on the share and not per visitor, so that nothing about visitors is
 * stored and many addresses together guess no faster than one. Visitors who have opened it already are not affected.
 */
const WRONG_PER_MINUTE = 10;

/** Checks the password if there is one, then uses a view if views are limited. */
export async function openShare(db: Db, share: Share, password: string, now: Date): Promise<true | Refusal> {
  const result = await checkPassword(db, share, password, now);
  if (isRefusal(result) || share.views_left === null) return result;
  return (await countView(db, share, now)) || Refusal("share_not_found", { share_id: share.id });
}

/** Counts an attempt before the password is checked, and undoes that if it was right. */
async function checkPassword(db: Db, share: Share, typed: string, now: Date): Promise<true | Refusal> {
  if (share.password === null) return true;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  await db.shares.updateOne(
    { _id: share.id, "tries.minute": { $ne: minute } },
    { $set: { tries: { minute, count: 0 } } },
  );
  const thisMinute = { _id: share.id, "tries.minute": minute };
  const { modifiedCount } = await db.shares.updateOne(
    { ...thisMinute, "tries.count": { $lt: WRONG_PER_MINUTE } },
    { $inc: { "tries.count": 1 } },
  );
  if (modifiedCount === 0) {
    const retry_after = Math.ceil(((minute + 1) * MINUTE_MS - now.getTime()) / 1000);
    return Refusal("rate_limit_exceeded", { retry_after });
  }
  if (!(await isCorrectPassword(typed, share.password)))
    return Refusal("wrong_share_password", { share_id: share.id });
  await db.shares.updateOne(thisMinute, { $inc: { "tries.count": -1 }, $set: { opened_at: now } });
  return true;
}
