import { once } from "node:events";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { cutSlowClients, PACE, type Pace, type Phase } from "#app/web/door/slow-clients.ts";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { hasKey } from "#domain/typed-keys.ts";

// Longer than a load balancer keeps idle connections, so that it never writes into one that we have just closed.
const KEEP_ALIVE_MS = 65_000;

const HEADERS_MS = 20_000;

type Options = { pace?: Pace; onCut?: (phase: Phase) => void };

/** Serves the app. An unreadable request gets a refusal in the usual form. */
export async function listen(
  app: Express,
  port: number,
  host: string,
  { pace = PACE, onCut = () => {} }: Options = {},
): Promise<Server> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: Math.min(HEADERS_MS, pace.graceMs),
      connectionsCheckingInterval: pace.everyMs,
      // One deadline for all bodies would cut off large ones; slow-clients.ts checks their pace instead.
      requestTimeout: 0,
    },
    app,
  );
  cutSlowClients(server, pace, onCut);
  // Node passes the socket, although its type is wider.
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    answerUnreadable(error, socket as Socket),
  );
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

const UNREADABLE = {
  HPE_HEADER_OVERFLOW: Refusal("headers_too_large"),
  ERR_HTTP_REQUEST_TIMEOUT: Refusal("request_timeout"),
};

function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const refusal = hasKey(UNREADABLE, code) ? UNREADABLE[code] : Refusal("unreadable_request");
  const status = refusalStatus(refusal);
  const body = JSON.stringify(refusalBody(refusal));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
