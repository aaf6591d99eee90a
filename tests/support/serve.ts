/** Servers of tests, each on a free port of this machine. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { afterwards } from "#tests/support/test-runs/afterwards.ts";

export async function listenHere(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves until all tests of the file are done. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  afterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  return listenHere(server);
}
