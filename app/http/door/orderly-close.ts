import type { Server } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";

/**
 * Ends a server: nothing new is accepted, what was asked is answered and read whole, and every connection is closed after its
 * answer. Node's own close cuts an answer that waits for a slow reader, and keeps a connection whose answer is not written yet
 * for the client's next request.
 */
export function prepareOrderlyClose(server: Server): () => Promise<void> {
  const underWay = new Map<Socket, number>();
  const endIdle = (socket: Socket) => {
    if (!server.listening && underWay.get(socket) === 0) socket.destroySoon();
  };
  const count = (socket: Socket, change: number) =>
    underWay.has(socket) && underWay.set(socket, (underWay.get(socket) ?? 0) + change);
  server.on("connection", (socket) => {
    underWay.set(socket, 0);
    socket.once("close", () => underWay.delete(socket));
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
    for (const socket of underWay.keys()) endIdle(socket);
    return closed;
  };
}
