import pg from "pg";

/**
 * The one lock among worker processes: a PostgreSQL advisory lock that lives exactly as long as its connection. Losing the
 * connection loses the lock, so nothing has to expire and nothing stays locked behind a dead process.
 */
const LOCK_KEY = 7_305_771;

export type WorkerLock = { held: boolean; acquiredAt: Date; release(): Promise<void> };

export async function takeWorkerLock(databaseUrl: string): Promise<WorkerLock> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_500 });
  // A connection that breaks later means the lock is gone; the process goes on without it.
  const lock = { held: false, acquiredAt: new Date(), release: () => client.end() };
  client.on("error", () => {
    lock.held = false;
  });
  await client.connect();
  const { rows } = await client.query("select pg_try_advisory_lock($1) as held", [LOCK_KEY]);
  lock.held = rows[0].held === true;
  return lock;
}
