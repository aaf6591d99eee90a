/**
 * A command that is written to a socket which is destroyed, but has not said so yet, waits in the driver for ever (mongodb 7.8,
 * `writeCommand`: it waits for "drain" alone). When a server dies, the closing of one connection makes the driver ask over the
 * next one at that very moment: then it never notices that the server is back. Here a command ends with its socket.
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

/** Holds for every client of this process, whenever it was made. */
export function endCommandsWithTheirSockets(): void {
  Connection.prototype.writeCommand = writeUntilClosed;
}
