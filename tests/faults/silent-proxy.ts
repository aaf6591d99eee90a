/**
 * A unix socket between a driver and the engine that withholds the answer to a chosen write: the engine has the command, the driver gives
 * up on the connection, and the command's effect comes later.
 */
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

export const WRITE_COMMANDS = ["insert", "update", "delete", "findAndModify"];

const HEADER_BYTES = 16;
/** Flags, the kind of the first section, the length of its document, the type of its first element. */
const COMMAND_NAME_AT = HEADER_BYTES + 4 + 1 + 4 + 1;

type Silence = { skip: number; answered: () => void };

export type SilentProxy = {
  uri: string;
  /**
   * The n-th write from now, from 1, gets no answer. `late` resolves when the engine has handled it; `end` returns whether such a write
   * came.
   */
  silence(nth: number): { late: Promise<void>; end(): boolean };
  close(): Promise<void>;
};

export async function startSilentProxy(directory: string, engineSocket: string): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let silence: Silence | null = null;

  function takeSilence(): Silence | null {
    if (!silence || silence.skip-- > 0) return null;
    const current = silence;
    silence = null;
    return current;
  }

  const server = createServer((client) => {
    const engine = connect(engineSocket);
    const readNames = createNameReader();
    let silenced: Silence | null = null;
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => {
      engine.write(bytes);
      for (const name of readNames(bytes))
        if (!silenced && WRITE_COMMANDS.includes(name)) silenced = takeSilence();
      if (silenced) client.destroy();
    });
    client.on("close", () => !silenced && engine.destroy());
    engine.on("data", (bytes) => {
      if (!silenced) return void client.write(bytes);
      silenced.answered();
      engine.destroy();
    });
    engine.on("close", () => {
      silenced?.answered();
      client.destroy();
    });
  });
  const path = join(directory, "silent.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    silence(nth) {
      const { promise: late, resolve: answered } = Promise.withResolvers<void>();
      const armed: Silence = { skip: nth - 1, answered };
      silence = armed;
      const end = () => {
        if (silence !== armed) return true;
        silence = null;
        answered();
        return false;
      };
      return { late, end };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Reads the names of the commands in a stream. The first bytes of a command come in one piece. */
function createNameReader(): (bytes: Buffer) => string[] {
  let bytesLeft = 0;
  return (bytes) => {
    const names: string[] = [];
    let offset = bytesLeft;
    while (offset + COMMAND_NAME_AT < bytes.length) {
      const from = offset + COMMAND_NAME_AT;
      names.push(bytes.toString("latin1", from, bytes.indexOf(0, from)));
      offset += bytes.readInt32LE(offset);
    }
    bytesLeft = Math.max(0, offset - bytes.length);
    return names;
  };
}
