import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";

/** False if this delivery was already claimed. */
export async function claimDelivery(db: Db, deliveryId: string, received_at: Date): Promise<boolean> {
  return (await skipDuplicate(db.webhook_deliveries.insertOne({ _id: deliveryId, received_at }))) !== null;
}

/** Allows a delivery that could not be processed to be sent again. */
export async function releaseDelivery(db: Db, deliveryId: string): Promise<void> {
  await db.webhook_deliveries.deleteOne({ _id: deliveryId });
}
