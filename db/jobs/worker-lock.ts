import pg from "pg";

/**
 * The one lock among worker processes: a PostgreSQL advisory lock that lives exactly as long as its connection. Losing the
 * connection loses the lock, so nothing has to expire and nothing stays locked behind a dead process. A worker that does not
 * hold it goes on without and tries again now and then, so that somebody has it soon after its holder is gone.
 */
const LOCK_KEY = 7_305_771;
const RETRY_EVERY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_500;

export type WorkerLock = { held: boolean; acquiredAt: Date; release(): Promise<void> };

type Options = {
  /** The lock came to this worker after it had started without, or had lost it. */
  onTaken?: () => void;
  retryEveryMs?: number;
};

/** Fails only where the database cannot be reached at the start. */
export async function takeWorkerLock(
  databaseUrl: string,
  { onTaken, retryEveryMs = RETRY_EVERY_MS }: Options = {},
): Promise<WorkerLock> {
  let client: pg.Client | null = null;
  let trying: Promise<void> = Promise.resolve();
  const lock: WorkerLock = {
    held: false,
    acquiredAt: new Date(),
    release: async () => {
      clearInterval(timer);
      await trying;
      lock.held = false;
      await client?.end();
    },
  };

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    const made = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    made.on("error", () => {
      if (client !== made) return;
      client = null;
      lock.held = false;
    });
    await made.connect();
    client = made;
    return made;
  }

  async function attempt(): Promise<void> {
    const on = await connected();
    const { rows } = await on.query("select pg_try_advisory_lock($1) as held", [LOCK_KEY]);
    lock.held = on === client && rows[0].held === true;
    lock.acquiredAt = new Date();
  }

  async function attemptAgain(): Promise<void> {
    // A database that is away is tried again the next time.
    await attempt().catch(() => {});
    if (lock.held) onTaken?.();
  }

  await attempt();
  const timer = setInterval(() => {
    if (!lock.held) trying = trying.then(() => (lock.held ? undefined : attemptAgain()));
  }, retryEveryMs).unref();
  return lock;
}
