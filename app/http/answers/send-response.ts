import type { Response as ExpressResponse } from "express";

const EVENT_STREAM = /^text\/event-stream\b/i;

/** Sends what a route answered. Remix's own way reads a body to its end into memory, however slowly the client reads, or if it has gone. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) res.append(name, value);
  // Whoever follows something is told at once that it began.
  if (EVENT_STREAM.test(response.headers.get("Content-Type") ?? "")) res.flushHeaders();
  try {
    if (response.body) await writeBody(response.body, res);
  } catch (error) {
    // The client has to see that the answer is not whole.
    res.destroy();
    throw error;
  }
  res.end();
}

/** Goes as fast as the client reads, and no further once it has gone. */
export async function writeBody(body: ReadableStream<Uint8Array>, res: ExpressResponse): Promise<void> {
  let proceed = () => {};
  // Once for all pieces: compression passes on who listens for room, and not who stops.
  res.on("drain", () => proceed()).on("close", () => proceed());
  const reader = body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (!isOver(res) && !res.write(piece.value) && !isOver(res))
      await new Promise<void>((resolve) => (proceed = resolve));
    if (isOver(res)) return reader.cancel();
  }
}

const isOver = (res: ExpressResponse) => res.destroyed || res.closed;
