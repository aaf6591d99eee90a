import pg from "pg";
import { installQueue } from "#db/jobs/queue.server.ts";
import { silentLog } from "#platform/log.ts";

/** The database that others are copied from. */
export const RELEASED_QUEUE = "released_queue";

/** Creates a database with the queue in it, as after a release. PostgreSQL copies one much faster than a release makes it. */
export async function createReleasedQueue(server: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${RELEASED_QUEUE}`);
  await client.end();
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${RELEASED_QUEUE}` }).href;
  await installQueue({ databaseUrl, log: silentLog });
}
