/** Requests as no browser sends them. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

type RawRequest = {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Null announces a body, none of which is sent. */
  body?: string | null;
};

/** A request with the path and the headers as they are, and its answer. */
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

/** What a connection is sent that begins with these bytes, until the server ends it. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(bytes);
  return text(socket);
}
