import pg from "pg";
import { databaseName } from "./database-name.ts";
import { RELEASED_QUEUE } from "./released-queue.ts";
import { serverAddress } from "./server-address.ts";

/** Creates an empty database for the calling test file and returns its address; it is removed with the run's server. */
export const createTestPostgres = (): Promise<string> => createDatabase("");

/** The same with the queue in it, as after a release. */
export const createReleasedPostgres = (): Promise<string> => createDatabase(`TEMPLATE ${RELEASED_QUEUE}`);

async function createDatabase(origin: string): Promise<string> {
  const server = await serverAddress("postgres");
  const name = databaseName();
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} ${origin}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
