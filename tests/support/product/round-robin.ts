/** The simplest balancer: each request goes unchanged to the next of several web processes. */

import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { itemAt, required } from "#domain/required.ts";
import { listenHere } from "#tests/support/serve.ts";

type Balancer = { url: string; close(): void };

export async function balance(urls: readonly string[]): Promise<Balancer> {
  let turn = 0;
  const forward = (req: IncomingMessage, res: ServerResponse) => {
    const { hostname, port } = new URL(itemAt(urls, turn++ % urls.length));
    const { method, url: path, rawHeaders: headers } = req;
    const onward = request({ agent: false, hostname, port, method, path, headers }, (answer) => {
      res.writeHead(required(answer.statusCode), answer.rawHeaders);
      pipeline(answer, res, () => {});
    });
    onward.on("error", () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
    res.on("close", () => onward.destroy());
    pipeline(req, onward, () => {});
  };
  const server = createServer(forward);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: await listenHere(server), close };
}
