import type { Db } from "#db/client.ts";
import { countView, type Share } from "#db/shares/shares.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { isPassword } from "#platform/secrets/password.ts";

/**
 * Opening what is not open to everyone. Wrong passwords are counted on the share, not on whoever tries them, so that nothing is kept
 * about visitors and many addresses together guess no faster than one. Whoever is in already is not disturbed by it.
 */
const WRONG_PER_MINUTE = 10;

/** Takes the password where there is one, then uses up a view where they are limited. */
export async function openShare(db: Db, share: Share, password: string, now: Date): Promise<true | Refusal> {
  const right = await checkPassword(db, share, password, now);
  if (isRefusal(right) || share.views_left === null) return right;
  return (await countView(db, share, now)) || Refusal("share_not_found", { share_id: share.id });
}

/** A try is taken before the password is looked at, and given back where it was right. */
async function checkPassword(db: Db, share: Share, given: string, now: Date): Promise<true | Refusal> {
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
  if (!(await isPassword(given, share.password)))
    return Refusal("wrong_share_password", { share_id: share.id });
  await db.shares.updateOne(thisMinute, { $inc: { "tries.count": -1 }, $set: { opened_at: now } });
  return true;
}
