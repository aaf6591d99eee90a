/** A connection to a server that can be cut or held like a network: data sent during that time is lost, or waits. */
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { listenHere } from "#tests/support/serve.ts";

type Line = { url: string; cut(): void; hold(): void; mend(): void; close(): void };

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const ends = new Set<Socket>();
  let isCut = false;
  let gate = Promise.resolve();
  let openGate = () => {};
  async function* waitAtGate(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      await gate;
      yield chunk;
    }
  }
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) ends.add(end.on("close", () => ends.delete(end)));
    pipeline(near, waitAtGate, far, near, () => {});
  });
  return {
    url: await listenHere(server),
    cut,
    hold: () => {
      gate = new Promise((resolve) => {
        openGate = resolve;
      });
    },
    mend: () => {
      isCut = false;
      openGate();
    },
    close: () => {
      server.close();
      openGate();
      cut();
    },
  };
}
