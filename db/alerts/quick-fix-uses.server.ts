import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";

type QuickFixUse = { alert_uid: string; action_id: string };

export async function recordQuickFixUse(db: Db, userId: string, use: QuickFixUse, now: Date): Promise<void> {
  const { alert_uid, action_id } = use;
  await db.quick_fix_uses.insertOne({
    _id: new ObjectId(),
    alert_uid,
    action_id,
    user_id: userId,
    used_at: now,
  });
}

/** Counts the uses of each quick fix by `alert_uid action_id`. */
export async function countQuickFixUses(db: Db, alertUids: readonly string[]): Promise<Map<string, number>> {
  const uses = await db.quick_fix_uses
    .aggregate<{ _id: QuickFixUse; count: number }>([
      { $match: { alert_uid: { $in: [...alertUids] } } },
      { $group: { _id: { alert_uid: "$alert_uid", action_id: "$action_id" }, count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(uses.map(({ _id, count }) => [useKey(_id), count]));
}

export const useKey = ({ alert_uid, action_id }: QuickFixUse) => `${alert_uid} ${action_id}`;
