/** PostgreSQL databases for tests. */
import pg from "pg";
import { databaseName } from "./database-name.ts";
import { serverAddress } from "./server-address.ts";

/** The address of a new, empty database of the calling test file alone; it goes with the run's server. */
export async function createTestPostgres(): Promise<string> {
  const server = await serverAddress("postgres");
  const name = databaseName();
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
