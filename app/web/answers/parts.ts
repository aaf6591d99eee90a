/** A response whose whole body is in memory, in parts. They are sent one after the other without being copied. */
export function answerParts(parts: readonly Uint8Array[], init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Length", String(parts.reduce((sum, part) => sum + part.length, 0)));
  const remaining = parts.values();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value } = remaining.next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { ...init, headers });
}
