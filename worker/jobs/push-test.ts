import { sendTestPush } from "#db/reminders/push/push-test.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Sends a requested test notification. Without a person in its payload it does nothing. */
export const pushTest: JobHandler<"push_test"> = async ({
  services: { db, clock, push },
  payload: { user_id },
  report,
  writeLog,
}) => {
  if (user_id === undefined) return { outcome: "nothing" };
  if (!push.send) throw new Error("The worker has no private VAPID key");
  const result = await sendTestPush(db, push.send, user_id, clock());
  await report({ processed_items: result.sent, total_items: result.sent + result.errors.length });
  writeLog(`Sent to ${result.sent} devices; ${result.errors.length} could not be reached`);
  for (const { error } of result.errors) writeLog(error);
  return result;
};
