/**
 * A push service on loopback and its browsers, written independently of the library that sends: it checks the signature of RFC 8292,
 * decrypts the body of RFC 8291 with the browser's own keys, and answers as the test says.
 */

import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { required } from "#domain/required.ts";
import { listenHere } from "#tests/support/serve.ts";

type Received = {
  device: string;
  at: number;
  message: { notification: Record<string, unknown>; data: Record<string, string | null> };
  headers: IncomingMessage["headers"];
  bodyBytes: number;
};

/** The answer to a device's next message: a status with headers, or a broken connection. */
type Answer = { status: number; headers?: Record<string, string> } | "hang" | "reset";
export type FakeBrowser = {
  name: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
};

export type PushService = {
  url: string;
  /** Every message in order of arrival, including refused ones. */
  received: Received[];
  browser(name: string): FakeBrowser;
  /** Sets the answers to a device's next messages; after them it answers 201 again. */
  answers(name: string, ...answers: Answer[]): void;
  /** Called with each message before it is answered. */
  onMessage(listener: (received: Received) => void | Promise<void>): void;
  close(): Promise<void>;
};

type Keys = { ecdh: ECDH; auth: Buffer; answers: Answer[] };

export async function openPushService(publicKey: string): Promise<PushService> {
  const browsers = new Map<string, Keys>();
  const received: Received[] = [];
  let listener: (received: Received) => void | Promise<void> = () => {};
  const server = createServer(async (request, response) => {
    try {
      const name = decodeURIComponent(required(request.url).slice("/push/".length));
      const keys = browsers.get(name);
      if (!keys) return void response.writeHead(404).end();
      const body = await readBody(request);
      checkSignature(request, publicKey, `http://${request.headers.host}`);
      const message = JSON.parse(decrypt(body, keys).toString());
      const arrival = {
        device: name,
        at: Date.now(),
        message,
        headers: request.headers,
        bodyBytes: body.length,
      };
      received.push(arrival);
      await listener(arrival);
      answer(request, response, keys.answers.shift() ?? { status: 201 });
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  const url = await listenHere(server);
  return {
    url,
    received,
    browser(name) {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      browsers.set(name, { ecdh, auth, answers: [] });
      const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
      return { name, subscription: { endpoint: `${url}/push/${encodeURIComponent(name)}`, keys } };
    },
    answers: (name, ...answers) => void required(browsers.get(name)).answers.push(...answers),
    onMessage: (next) => {
      listener = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, reply: Answer): void {
  if (reply === "hang") return;
  if (reply === "reset") return void request.socket.resetAndDestroy();
  response.writeHead(reply.status, reply.headers).end();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const PUBLIC_KEY_BYTES = 65;

function decrypt(body: Buffer, { ecdh, auth }: Keys): Buffer {
  const salt = body.subarray(0, SALT_BYTES);
  const keyLength = body[20];
  if (keyLength !== PUBLIC_KEY_BYTES) throw new Error("The sender's key is not a point of the curve");
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(senderKey), auth, info, 32));
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes));
  const decipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0) throw new Error("The last record has no delimiter");
  return padded.subarray(0, end);
}

function checkSignature(request: IncomingMessage, publicKey: string, audience: string): void {
  const [, token, key] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (!token || key !== publicKey)
    throw new Error("The message is not signed with the key it was subscribed with");
  const [head, claims, signature] = token.split(".") as [string, string, string];
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const signer = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
  if (!verify("sha256", Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, "base64url")))
    throw new Error("The signature is wrong");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  if (aud !== audience || typeof sub !== "string") throw new Error("The token is for another service");
  const secondsLeft = exp - Date.now() / 1000;
  if (secondsLeft <= 0 || secondsLeft > 86_400) throw new Error("The token has expired, or lives too long");
}
