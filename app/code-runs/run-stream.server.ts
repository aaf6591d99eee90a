import type { CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { RunEvent, RunEvents } from "#domain/code-runs/runs-under-way.ts";
import { refusalBody } from "#domain/refusal.ts";

/**
 * A run as server-sent events: `queued`, `started`, `output` as it comes, and at the end `refused` or `result`, which is what a client that
 * does not stream gets. If the client leaves, the events are read to their end, so that the result is still completed. `complete` adds to
 * the result what is done after a run.
 */
export function streamRun(
  events: RunEvents,
  complete: (result: CodeRunResult) => Promise<CodeRunResult>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await events.next();
      if (done) controller.close();
      else if (value.event === "result")
        controller.enqueue(encoder.encode(writeEvent("result", await complete(value.result))));
      else controller.enqueue(encoder.encode(writeEvent(value.event, toData(value))));
    },
    cancel: async () => {
      for await (const step of events) if (step.event === "result") await complete(step.result);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // Compression and proxies would delay the output.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

// JSON contains no raw line ends, so the data is one line.
const writeEvent = (name: RunEvent["event"], data: object) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function toData(step: Exclude<RunEvent, { event: "result" }>): object {
  if (step.event === "refused") return { success: false, ...refusalBody(step.refusal) };
  const { event: _, ...data } = step;
  return data;
}

export function wantsEvents(accept: string | null): boolean {
  return /\btext\/event-stream\b/i.test(accept ?? "");
}
