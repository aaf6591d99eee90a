import pg from "pg";

/**
 * The lock among worker processes: a PostgreSQL advisory lock that exists exactly as long as its connection. So nothing has to
 * expire, and a dead process leaves no lock. A worker without the lock continues and retries regularly, so that another one
 * soon has it after its holder is gone.
 */
const LOCK_KEY = 7_305_771;
const RETRY_EVERY_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_500;

export type WorkerLock = { held: boolean; acquiredAt: Date; release(): Promise<void> };

type Options = {
  /** Called when this worker gets the lock after it started without it or lost it. */
  onTaken?: () => void;
  retryEveryMs?: number;
};

/** Fails only if the database cannot be reached at the start. */
export async function takeWorkerLock(
  databaseUrl: string,
  { onTaken, retryEveryMs = RETRY_EVERY_MS }: Options = {},
): Promise<WorkerLock> {
  let client: pg.Client | null = null;
  let pendingAttempt: Promise<void> = Promise.resolve();
  const lock: WorkerLock = {
    held: false,
    acquiredAt: new Date(),
    release: async () => {
      clearInterval(timer);
      await pendingAttempt;
      lock.held = false;
      await client?.end();
    },
  };

  async function connect(): Promise<pg.Client> {
    if (client) return client;
    const newClient = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    newClient.on("error", () => {
      if (client !== newClient) return;
      client = null;
      lock.held = false;
    });
    await newClient.connect();
    client = newClient;
    return newClient;
  }

  async function tryLock(): Promise<void> {
    const connection = await connect();
    const { rows } = await connection.query("select pg_try_advisory_lock($1) as held", [LOCK_KEY]);
    lock.held = connection === client && rows[0].held === true;
    lock.acquiredAt = new Date();
  }

  async function retryLock(): Promise<void> {
    // An unreachable database is tried again at the next interval.
    await tryLock().catch(() => {});
    if (lock.held) onTaken?.();
  }

  await tryLock();
  const timer = setInterval(() => {
    if (!lock.held) pendingAttempt = pendingAttempt.then(() => (lock.held ? undefined : retryLock()));
  }, retryEveryMs).unref();
  return lock;
}
