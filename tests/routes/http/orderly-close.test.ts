import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";
import express from "express";
import { describe, expect, it } from "vitest";
import { listen } from "#app/web/door/listen.ts";
import { prepareOrderlyClose } from "#app/web/door/orderly-close.ts";

const LARGE = Buffer.alloc(16 * 1024 * 1024, "x");

/** A server, and a client that reuses its connections. */
async function startServer() {
  const app = express();
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  app.get("/", (_req, res) => void res.end("here"));
  app.get("/large", (_req, res) => void res.end(LARGE));
  app.get("/slow", async (_req, res) => {
    res.write("a");
    arrived.resolve();
    await released.promise;
    res.end("b");
  });
  const server = await listen(app, 0, "127.0.0.1");
  const close = prepareOrderlyClose(server);
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const ask = async (path: string): Promise<IncomingMessage> => {
    const [answer] = await once(get({ port, host: "127.0.0.1", path, agent }), "response");
    return answer;
  };
  return { port, close, ask, asked: arrived.promise, release: released.resolve };
}

describe("a server that is closed", () => {
  it("closes idle connections, and those without a request", async () => {
    const { port, close, ask } = await startServer();
    const silent = connect(port, "127.0.0.1");
    const ended = once(silent, "close");
    await buffer(await ask("/"));
    await close();
    await ended;
    await expect(ask("/")).rejects.toThrow("ECONNREFUSED");
  });

  it("finishes a started answer and then keeps nothing open", async () => {
    const { close, ask, asked, release } = await startServer();
    const answer = await ask("/slow");
    await asked;
    const closed = close();
    release();
    expect((await buffer(answer)).toString()).toBe("ab");
    await closed;
  });

  it("gives a slow reader all of its answer", async () => {
    const { close, ask } = await startServer();
    const answer = await ask("/large");
    answer.pause();
    const closed = close();
    expect(await buffer(answer)).toHaveLength(LARGE.length);
    await closed;
  });
});
