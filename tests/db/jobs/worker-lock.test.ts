import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { takeWorkerLock } from "#db/jobs/worker-lock.ts";
import { createTestPostgres } from "#tests/support/databases/postgres.ts";

const databaseUrl = await createTestPostgres();

async function take() {
  const onTaken = vi.fn();
  const lock = await takeWorkerLock(databaseUrl, { onTaken, retryEveryMs: 20 });
  onTestFinished(() => lock.release());
  return { lock, onTaken };
}

/** As if the network or the database failed: only the holder learns of it. */
async function breakConnections() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
  );
  await client.end();
}

it("of two workers one holds the lock, and the other takes it when the first is gone", async () => {
  const first = await take();
  const second = await take();
  expect([first.lock.held, second.lock.held]).toEqual([true, false]);
  const before = second.lock.acquiredAt;

  await first.lock.release();

  await expect.poll(() => second.onTaken).toHaveBeenCalledOnce();
  expect(second.lock.held).toBe(true);
  expect(second.lock.acquiredAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(first.onTaken).not.toHaveBeenCalled();
});

it("a worker whose connection breaks has lost the lock until somebody takes it anew", async () => {
  const { lock, onTaken } = await take();
  expect(lock.held).toBe(true);

  await breakConnections();

  await expect.poll(() => onTaken).toHaveBeenCalled();
  expect(lock.held).toBe(true);
  const other = await take();
  expect(other.lock.held).toBe(false);
});
