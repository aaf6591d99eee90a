import { removeFailingDevices } from "#db/reminders/push/push-subscriptions.server.ts";
import type { JobHandler } from "#worker/job.ts";

export const handleSubscriptionsCleanup: JobHandler<"push_subscriptions_cleanup"> = async ({
  services: { db, clock },
  writeLog,
}) => {
  const removed = await removeFailingDevices(db, clock());
  writeLog(`Removed ${removed} devices that could not be reached for a month`);
  return { removed };
};
