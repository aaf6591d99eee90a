import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { readError } from "#platform/read-error.ts";

/** Returns a free port of 127.0.0.1; the preferred one if possible. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(preferred, "127.0.0.1");
    await once(server, "listening");
    // It listens on a port, not on a path.
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (preferred === 0 || readError(error).code !== "EADDRINUSE") throw error;
    return await freePort();
  } finally {
    server.close();
  }
}
