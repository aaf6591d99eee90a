/** A push service that takes every message and writes down when which message came for which device. It reads none. */

import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { required } from "#domain/required.ts";
import type { FakeBrowser } from "#tests/support/reminders/push-service.ts";

interface ReceivedPush {
  device: string;
  topic: string;
  at: number;
}

export interface PushSink {
  arrivals: ReceivedPush[];
  browser(name: string): FakeBrowser;
  close(): void;
}

export async function openPushSink(): Promise<PushSink> {
  const arrivals: ReceivedPush[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      arrivals.push({
        device: required(request.url).slice(1),
        topic: String(request.headers.topic),
        at: Date.now(),
      });
      response.writeHead(201).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") };
  return {
    arrivals,
    browser: (name) => ({ name, subscription: { endpoint: `http://127.0.0.1:${port}/${name}`, keys } }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
