/** Requests as no browser sends them. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

type RawRequest = {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Null announces a body and sends none of it. */
  body?: string | null;
};

/** Sends the path and the headers unchanged, and returns the answer. */
export async function sendRaw(
  url: string,
  { method = "GET", path, headers = {}, body = "" }: RawRequest,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  const sending = request(url, { method, path, headers });
  if (body === null) sending.flushHeaders();
  else sending.end(body);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  const words = await text(answer);
  sending.destroy();
  return { status: answer.statusCode, headers: answer.headers, body: words };
}

/** Sends these bytes and returns everything until the server ends the connection. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(bytes);
  return text(socket);
}
