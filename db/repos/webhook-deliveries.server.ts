import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";

/** False where this delivery was taken before. */
export async function claimDelivery(db: Db, deliveryId: string, received_at: Date): Promise<boolean> {
  try {
    await db.webhook_deliveries.insertOne({ _id: deliveryId, received_at });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** One that could not be acted on may come again. */
export async function releaseDelivery(db: Db, deliveryId: string): Promise<void> {
  await db.webhook_deliveries.deleteOne({ _id: deliveryId });
}
