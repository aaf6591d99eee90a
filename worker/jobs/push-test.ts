import { sendTest } from "#db/push/push-test.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Sends a test notification on behalf of a person who asked for one. Without a person in its payload it does nothing. */
export const pushTest: JobHandler<"push_test"> = async ({
  services: { db, clock, push },
  payload: { user_id },
  report,
  writeLog,
}) => {
  if (user_id === undefined) return { outcome: "nothing" };
  if (!push.send) throw new Error("The worker has no private VAPID key");
  const tested = await sendTest(db, push.send, user_id, clock());
  await report({ processed_items: tested.sent, total_items: tested.sent + tested.errors.length });
  writeLog(`Sent to ${tested.sent} devices; ${tested.errors.length} could not be reached`);
  for (const { error } of tested.errors) writeLog(error);
  return tested;
};
