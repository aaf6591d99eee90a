import { type SentRunEvent, takeRunEvents } from "#domain/code-runs/run-events.ts";
import type { RefusalBody } from "#domain/refusal.ts";

/** A run of this page: its events as they come, or why it was not taken. Null where nobody answers, or the session has ended. */
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
  let text = "";
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => null)) ?? { done: true, value: undefined };
    if (done) return;
    const { events, rest } = takeRunEvents(text + decoder.decode(value, { stream: true }));
    text = rest;
    yield* events;
  }
}
