import type { Response as ExpressResponse } from "express";

const EVENT_STREAM = /^text\/event-stream\b/i;

/** Sends an answer. Remix's own function reads the body into memory to its end, even if the client has gone. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  res.locals.stopCounting?.();
  res.status(response.status);
  for (const [name, value] of response.headers)
    if (name === "set-cookie") res.append(name, value);
    else res.setHeader(name, value);
  // A subscriber learns at once that the stream began.
  if (EVENT_STREAM.test(response.headers.get("Content-Type") ?? "")) res.flushHeaders();
  try {
    if (response.body) await writeBody(response.body, res);
  } catch (error) {
    // A broken connection shows the client that the answer is incomplete.
    res.destroy();
    throw error;
  }
  res.end();
}

/** Writes as fast as the client reads, and stops once the client has gone. */
async function writeBody(body: ReadableStream<Uint8Array>, res: ExpressResponse): Promise<void> {
  let proceed = () => {};
  // One listener for all pieces: compression forwards added listeners for "drain", but not their removal.
  res.on("drain", () => proceed()).on("close", () => proceed());
  const reader = body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (!isOver(res) && !res.write(piece.value) && !isOver(res))
      await new Promise<void>((resolve) => (proceed = resolve));
    if (isOver(res)) return reader.cancel();
  }
}

const isOver = (res: ExpressResponse) => res.destroyed || res.closed;
