import { afterAll, expect, it } from "vitest";
import { openWorkingQueue } from "#db/jobs/queue.server.ts";
import { silentLog } from "#platform/log.ts";
import { createReleasedPostgres } from "#tests/support/databases/postgres.ts";

const databaseUrl = await createReleasedPostgres();
const queue = await openWorkingQueue({ databaseUrl, log: silentLog });
afterAll(() => queue.close());

it("a person whose runs take long leaves room for the runs of others", async () => {
  const begun: string[] = [];
  const end = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  for (const [owner, run_id] of [
    ["1", "slow-1"],
    ["1", "slow-2"],
    ["1", "slow-3"],
    ["2", "quick-1"],
    ["3", "quick-2"],
  ])
    await queue.send("repo_sync", { trigger: "manual", run_id, owner, payload: {} });

  const take = async ({ run_id = "" }: { run_id?: string }) => {
    begun.push(run_id);
    if (run_id === "quick-2") others.resolve();
    if (run_id.startsWith("slow")) await end.promise;
  };
  await queue.work("repo_sync", take, 2);
  await others.promise;

  // The queue promises no order of runs that may start.
  expect(begun.toSorted()).toEqual(["quick-1", "quick-2", expect.stringMatching(/^slow-/)]);
  end.resolve();
  await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(5);
});
