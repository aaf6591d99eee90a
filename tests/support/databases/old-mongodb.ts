/** A server that reports MongoDB 4.2, which is older than the driver accepts, and answers nothing else. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { BSON } from "mongodb";

// MongoDB 4.2 reports 8, and 4.4 reports 9.
const WIRE_VERSION = 8;
const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

type OldMongoDB = { uri: string; close(): void };

export async function startOldMongoDB(): Promise<OldMongoDB> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // Greetings are short: each arrives in one piece.
    socket.on("data", (message) => socket.write(answerTo(message)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/shelf`, close };
}

/** Answers in the form of the question: as a driver's first message or as every later one. */
function answerTo(message: Buffer): Buffer {
  const [requestId, opcode] = [message.readInt32LE(4), message.readInt32LE(12)];
  const hello = BSON.serialize({ ok: 1, ismaster: true, maxWireVersion: WIRE_VERSION, minWireVersion: 0 });
  const before = opcode === OP_MSG ? Buffer.alloc(5) : Buffer.alloc(20);
  // In the first form the last number counts the documents.
  if (opcode !== OP_MSG) before.writeInt32LE(1, HEADER_BYTES);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + before.length + hello.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(opcode === OP_MSG ? OP_MSG : OP_REPLY, 12);
  return Buffer.concat([header, before, hello]);
}
