import { listLeavingUserIds, removeAccountData } from "#db/operations/account-removal.server.ts";
import type { JobHandler } from "#worker/job.ts";

export const accountRemoval: JobHandler<"account_removal"> = async ({
  services: { db, clock },
  report,
  writeLog,
}) => {
  const leaving = await listLeavingUserIds(db);
  const total_items = leaving.length;
  writeLog(`Found ${total_items} accounts whose deletion was cut off`);
  let removed = 0;
  for (const [i, userId] of leaving.entries()) {
    if (await removeAccountData(db, userId, clock)) removed += 1;
    await report({ processed_items: i + 1, total_items });
  }
  if (total_items > 0) writeLog(`Deleted ${removed}`);
  return { removed };
};
