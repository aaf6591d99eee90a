/**
 * A unix socket between a driver and the engine that loses an answer: the engine has done a command and answers, and
 * the client sees its connection close instead.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

interface LosingProxy {
  uri: string;
  /** The next answer to a command of this name is lost; resolves when it is. `meanwhile` is called before the client knows. */
  loseAnswerTo(command: string, meanwhile?: () => void): Promise<void>;
  close(): Promise<void>;
}

interface Loss {
  command: string;
  meanwhile: () => void;
  done: () => void;
}

export async function startLosingProxy(directory: string, engineSocket: string): Promise<LosingProxy> {
  const sockets = new Set<Socket>();
  let loss: Loss | undefined;
  const server = createServer((client) => {
    const engine = connect(engineSocket);
    let armed = false;
    const end = (): void => {
      client.destroy();
      engine.destroy();
    };
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (bytes) => {
      if (loss && bytes.includes(`\x02${loss.command}\0`)) armed = true;
      engine.write(bytes);
    });
    engine.on("data", (bytes) => {
      if (!armed || !loss) return void client.write(bytes);
      const { meanwhile, done } = loss;
      loss = undefined;
      meanwhile();
      end();
      done();
    });
  });
  const path = join(directory, "proxy.sock");
  await listen(server, path);
  return {
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    loseAnswerTo: (command, meanwhile = () => {}) =>
      new Promise((done) => {
        loss = { command, meanwhile, done };
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
