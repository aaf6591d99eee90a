import pg from "pg";
import type { Log } from "#platform/log.ts";

/**
 * A connection for notifications of other processes, opened with the first listener and reopened when it breaks. Notifications
 * during an interruption are lost, so callers also poll the database.
 */
export type Listener = {
  on(channel: string, onPayload: (payload: string) => void): Promise<void>;
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
  let isClosed = false;

  async function connect(): Promise<pg.Client> {
    const newClient = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2_500,
      application_name: "codeshelf-listener",
    });
    newClient.on("notification", ({ channel, payload }) => channels.get(channel)?.(payload ?? ""));
    newClient.on("error", (error) => reconnect(error));
    newClient.on("end", () => reconnect(null));
    await newClient.connect();
    await lock?.(newClient);
    for (const channel of channels.keys()) await newClient.query(`listen ${channel}`);
    return newClient;
  }

  function reconnect(error: unknown) {
    client = null;
    if (isClosed || retry) return;
    if (error) log.warn("listener_lost", { error });
    retry = setTimeout(() => {
      retry = undefined;
      open().catch(reconnect);
    }, RECONNECT_MS);
  }

  const open = () => (client ??= connect());

  return {
    on: async (channel, onPayload) => {
      const isListening = channels.has(channel);
      channels.set(channel, onPayload);
      const needsConnection = client === null;
      const openClient = await open();
      if (!isListening && !needsConnection) await openClient.query(`listen ${channel}`);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await (await client?.catch(() => null))?.end();
    },
  };
}
