import { parseRunEvents, type SentRunEvent } from "#domain/code-runs/run-events.ts";
import type { RefusalBody } from "#domain/refusal.ts";

/** Starts a run and returns its events as they arrive, or the refusal. Null if there is no answer or the session has ended. */
export async function startRun(request: object): Promise<AsyncGenerator<SentRunEvent> | RefusalBody | null> {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  const body = JSON.stringify(request);
  const answer = await fetch("/api/code/run", { method: "POST", headers, body }).catch(() => null);
  if (!answer || answer.status === 401) return null;
  if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return readEvents(answer);
  return answer.json().catch(() => null);
}

export async function stopRun(runId: string): Promise<void> {
  await fetch(`/api/code/run/${runId}/stop`, { method: "POST" }).catch(() => null);
}

async function* readEvents({ body }: Response): AsyncGenerator<SentRunEvent> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => null)) ?? { done: true, value: undefined };
    if (done) return;
    const { events, rest } = parseRunEvents(buffer + decoder.decode(value, { stream: true }));
    buffer = rest;
    yield* events;
  }
}
