import { listLeaving, removeLeaving } from "#db/accounts/account.server.ts";
import type { JobHandler } from "#worker/job.ts";

/** Finishes the deletions of accounts that were cut off. */
export const accountRemoval: JobHandler<"account_removal"> = async ({ services: { db, clock } }) => {
  let removed = 0;
  for (const userId of await listLeaving(db)) if (await removeLeaving(db, userId, clock)) removed += 1;
  return { removed };
};
