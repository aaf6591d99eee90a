import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectMongo } from "#db/client.ts";
import { openTestDatabase } from "#tests/support/databases/engine.ts";

const { uri, name } = await openTestDatabase();

/** A connection to the store and its sockets: one watches the server, and one sends queries. */
async function connect() {
  const sockets: Socket[] = [];
  const collect = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", collect);
  const connection = await connectMongo(uri, { appName: "closed-sockets", databaseName: name });
  onTestFinished(async () => {
    unsubscribe("net.client.socket", collect);
    await connection.close();
  });
  await connection.ping();
  return { connection, sockets: sockets.slice() };
}

it.each([
  ["the one that watches first", (sockets: Socket[]) => sockets],
  ["the one that watches last", (sockets: Socket[]) => sockets.toReversed()],
])(
  "a command sent while the sockets are closing, %s, fails, and those after it are answered",
  async (_, order) => {
    const { connection, sockets } = await connect();
    expect(sockets.length).toBeGreaterThanOrEqual(2);

    for (const socket of order(sockets)) socket.destroy();

    await expect(connection.ping()).rejects.toThrow(/closed/);
    await vi.waitFor(() => connection.ping(), { timeout: 5_000 });
  },
);
