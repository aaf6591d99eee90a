import type { RunEvent, RunEvents } from "#app/code-runs/run-code.server.ts";
import { refusalBody } from "#domain/refusal.ts";

/**
 * A run as server-sent events: `queued` and `started`, `output` as it comes, and at the end `result`, which is what a client that
 * does not stream gets, or `refused`. A client that goes away ends the run.
 */
export function streamRun(events: RunEvents): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(writeEvent(value)));
    },
    cancel: async () => void (await events.return()),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Compression and proxies would keep what is to be seen at once.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

// JSON has no line ends of its own, so the data is one line.
const writeEvent = (step: RunEvent) => `event: ${step.event}\ndata: ${JSON.stringify(toData(step))}\n\n`;

function toData(step: RunEvent): object {
  if (step.event === "result") return step.result;
  if (step.event === "refused") return { success: false, ...refusalBody(step.refusal) };
  const { event: _, ...data } = step;
  return data;
}

export function wantsEvents(accept: string | null): boolean {
  return /\btext\/event-stream\b/i.test(accept ?? "");
}
