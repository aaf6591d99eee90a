import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Pace = {
  /** Nobody is cut off earlier. */
  graceMs: number;
  /** The average rate that a client must reach after the grace period. */
  bytesPerSecond: number;
  everyMs: number;
};

/** Slower than the slowest mobile network still in use; at this rate a file of 2 MiB has five minutes. */
export const PACE: Pace = { graceMs: 20_000, bytesPerSecond: 8_000, everyMs: 5_000 };

type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  socket: Socket;
  startedAtMs: number;
  answeredAtMs: number | null;
  readBefore: number;
  writtenBefore: number;
};
export type Phase = "body" | "answer";

/**
 * Cuts off clients that send a body or read an answer too slowly, because each holds a socket and its data. A large body at an ordinary
 * rate may take its time, which one deadline for all would not allow.
 */
export function cutSlowClients(server: Server, pace: Pace, onCut: (phase: Phase) => void): void {
  const exchanges = new Set<Exchange>();
  server.on("request", (req, res) => {
    const { socket } = req;
    const exchange: Exchange = {
      req,
      res,
      socket,
      startedAtMs: performance.now(),
      answeredAtMs: null,
      readBefore: socket.bytesRead,
      writtenBefore: socket.bytesWritten,
    };
    exchanges.add(exchange);
    // Called after this long without any traffic.
    res.setTimeout(pace.graceMs, () => {
      if (!res.headersSent || socket.writableLength === 0) return;
      onCut("answer");
      cutConnection(server, exchange);
    });
    res.once("close", () => isOver(exchange) && exchanges.delete(exchange));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const exchange of exchanges) {
      const phase = findSlowPhase(exchange, nowMs, pace);
      if (isOver(exchange)) exchanges.delete(exchange);
      else if (phase) {
        onCut(phase);
        cutConnection(server, exchange);
      }
    }
  }, pace.everyMs).unref();
  server.once("close", () => clearInterval(timer));
}

/** A body may still arrive after a refusal that did not wait for it. */
const isOver = ({ req, res, socket }: Exchange) => socket.destroyed || (res.closed && req.complete);

/** Returns the phase in which the client is too slow; null if the server is not waiting for the client. */
export function findSlowPhase(
  exchange: Exchange,
  nowMs: number,
  { graceMs, bytesPerSecond }: Pace,
): Phase | null {
  const { req, res, socket } = exchange;
  const isLate = (sinceMs: number, bytes: number) =>
    nowMs - sinceMs > graceMs + (bytes / bytesPerSecond) * 1_000;
  if (!req.complete && isLate(exchange.startedAtMs, socket.bytesRead - exchange.readBefore)) return "body";
  if (!res.headersSent) return null;
  exchange.answeredAtMs ??= nowMs;
  const isWaiting = socket.writableLength > 0;
  return isWaiting && isLate(exchange.answeredAtMs, socket.bytesWritten - exchange.writtenBefore)
    ? "answer"
    : null;
}

const LISTENING_MS = 1_000;

/** Cuts a connection. A client that is still sending first gets the answer for unreadable requests, and a moment to read it. */
function cutConnection(server: Server, { res, socket }: Exchange): void {
  if (res.headersSent) return void socket.destroy();
  const late = Object.assign(new Error("too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  server.emit("clientError", late, socket);
  setTimeout(() => socket.destroy(), LISTENING_MS).unref();
}
