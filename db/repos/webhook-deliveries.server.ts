import type { Db } from "#db/client.ts";
import { insertOnce } from "#db/core/faults.server.ts";

/** False if this delivery was already claimed. */
export async function claimDelivery(db: Db, deliveryId: string, received_at: Date): Promise<boolean> {
  return insertOnce(() => db.webhook_deliveries.insertOne({ _id: deliveryId, received_at }));
}

/** Allows a delivery that could not be processed to be sent again. */
export async function releaseDelivery(db: Db, deliveryId: string): Promise<void> {
  await db.webhook_deliveries.deleteOne({ _id: deliveryId });
}
