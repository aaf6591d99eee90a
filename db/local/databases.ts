/**
 * The two databases of the product: at the configured addresses, or embedded under the data directory. Embedded ones are
 * restarted if they end; their address may then change, so it is looked up each time.
 */
import { join } from "node:path";
import { startPostgres } from "#db/local/postgres/postgres.ts";
import type { Keeper, KeepOptions } from "#db/local/processes/keep-running.ts";
import type { Environment, LineLog, LocalServer } from "#db/local/processes/server-process.ts";
import { startEngine } from "./engine.ts";

type DatabaseAddresses = {
  MONGODB_URI: string;
  DATABASE_URL: string;
  /** "1" if the embedded engine stores the documents, so that no real installation is at risk. */
  CODESHELF_EMBEDDED?: "1";
};

type DatabaseOptions = {
  env: Environment;
  dataDirectory: string;
  openLog: (name: string) => LineLog;
  keep: <T extends LocalServer>(
    options: Pick<KeepOptions<T>, "name" | "start" | "onRestart">,
  ) => Promise<Keeper<T>>;
  onNewAddress: () => void;
};

export async function startDatabases(options: DatabaseOptions): Promise<() => DatabaseAddresses> {
  const { env, dataDirectory, openLog } = options;
  const [mongodb, postgresql] = await Promise.all([
    keepDatabaseRunning(options, "engine", env.MONGODB_URI, async () => {
      const engine = await startEngine({ directory: join(dataDirectory, "engine"), log: openLog("engine") });
      return { ...engine, address: engine.uri };
    }),
    keepDatabaseRunning(options, "postgres", env.DATABASE_URL, async () => {
      const postgres = await startPostgres({
        directory: join(dataDirectory, "postgres"),
        log: openLog("postgres"),
      });
      return { ...postgres, address: postgres.url };
    }),
  ]);
  return () => ({
    MONGODB_URI: mongodb(),
    DATABASE_URL: postgresql(),
    ...(env.MONGODB_URI ? {} : { CODESHELF_EMBEDDED: "1" as const }),
  });
}

async function keepDatabaseRunning(
  { keep, onNewAddress }: DatabaseOptions,
  name: string,
  configured: string | undefined,
  start: () => Promise<LocalServer & { address: string }>,
): Promise<() => string> {
  if (configured) return () => configured;
  let currentAddress: string | undefined;
  const keeper = await keep({
    name,
    start,
    onRestart(running) {
      if (running.address !== currentAddress) onNewAddress();
      currentAddress = running.address;
    },
  });
  currentAddress = keeper.current().address;
  return () => keeper.current().address;
}
