import type { Server } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";

/**
 * Stops a server without losing answers: nothing new is accepted, running requests are answered and read to the end, and every connection
 * closes after its answer. Node's own close cuts off an answer to a slow reader, and keeps a connection open whose answer is not written
 * yet.
 */
export function prepareOrderlyClose(server: Server): () => Promise<void> {
  const openRequests = new Map<Socket, number>();
  const endIdle = (socket: Socket) => {
    if (!server.listening && openRequests.get(socket) === 0) socket.destroySoon();
  };
  const count = (socket: Socket, change: number) =>
    openRequests.has(socket) && openRequests.set(socket, (openRequests.get(socket) ?? 0) + change);
  server.on("connection", (socket) => {
    openRequests.set(socket, 0);
    socket.once("close", () => openRequests.delete(socket));
  });
  server.on("request", ({ socket }, res) => {
    count(socket, 1);
    res.once("close", () => {
      count(socket, -1);
      endIdle(socket);
    });
  });
  return () => {
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    for (const socket of openRequests.keys()) endIdle(socket);
    return closed;
  };
}
