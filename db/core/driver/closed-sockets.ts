/**
 * Ends a command when its socket closes. The driver (mongodb 7.8, `writeCommand`) waits only for "drain": a command written to
 * a destroyed socket that has not reported it waits forever. When a server dies, closing one connection makes the driver use
 * the next one at that moment, and it would never notice that the server is back.
 */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { MongoNetworkError } from "mongodb";

type Write = (this: { socket: EventEmitter }, command: unknown, options: unknown) => Promise<void>;
type ConnectionModule = { Connection: { prototype: { writeCommand: Write } } };

const { Connection }: ConnectionModule = createRequire(import.meta.url)("mongodb/lib/cmap/connection.js");
const write = Connection.prototype.writeCommand;

const writeUntilClosed: Write = async function (command, options) {
  const { socket } = this;
  const { promise: closed, reject } = Promise.withResolvers<never>();
  const onClose = () =>
    reject(new MongoNetworkError("The connection was closed before the command was sent"));
  socket.once("close", onClose);
  try {
    await Promise.race([write.call(this, command, options), closed]);
  } finally {
    socket.off("close", onClose);
  }
};

/** Applies to every client of this process, also existing ones. */
export function failCommandsOnSocketClose(): void {
  Connection.prototype.writeCommand = writeUntilClosed;
}
