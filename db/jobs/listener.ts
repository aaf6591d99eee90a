import pg from "pg";
import type { Log } from "#platform/log.ts";

/**
 * One connection that hears what other processes notify, opened with the first listener and opened again when it breaks. What
 * is said while it is broken is not heard: whoever waits asks the database now and then as well.
 */
export type Listener = {
  on(channel: string, hear: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

const RECONNECT_MS = 1_000;

type ListenerOptions = {
  databaseUrl: string;
  log: Log;
  /** Takes a lock that lasts as long as the connection. */
  lock?: (client: pg.Client) => Promise<unknown>;
};

export function createListener({ databaseUrl, log, lock }: ListenerOptions): Listener {
  const channels = new Map<string, (payload: string) => void>();
  let client: Promise<pg.Client> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2_500,
      application_name: "codeshelf-listener",
    });
    made.on("notification", ({ channel, payload }) => channels.get(channel)?.(payload ?? ""));
    made.on("error", (error) => lost(error));
    made.on("end", () => lost(null));
    await made.connect();
    await lock?.(made);
    for (const channel of channels.keys()) await made.query(`listen ${channel}`);
    return made;
  }

  function lost(error: unknown) {
    client = null;
    if (closed || retry) return;
    if (error) log.warn("listener_lost", { error });
    retry = setTimeout(() => {
      retry = undefined;
      open().catch(lost);
    }, RECONNECT_MS);
  }

  const open = () => (client ??= connect());

  return {
    on: async (channel, hear) => {
      const known = channels.has(channel);
      channels.set(channel, hear);
      const connected = client === null;
      const live = await open();
      if (!known && !connected) await live.query(`listen ${channel}`);
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await (await client?.catch(() => null))?.end();
    },
  };
}
