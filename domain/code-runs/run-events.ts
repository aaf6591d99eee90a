import type { CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { OutputChunk } from "#domain/code-runs/run-output.ts";
import type { RefusalBody } from "#domain/refusal.ts";

/** The events of a run on the wire: see `docs/api.md`. */
export type SentRunEvent =
  | { event: "queued"; data: { run_id: string; ahead: number } }
  | { event: "started"; data: { run_id: string } }
  | { event: "output"; data: OutputChunk }
  | { event: "result"; data: CodeRunResult & { kept?: string | null } }
  | { event: "refused"; data: RefusalBody };

/** Parses the complete events at the beginning of a stream's text; `rest` is the incomplete end. */
export function parseRunEvents(text: string): { events: SentRunEvent[]; rest: string } {
  const parts = text.split("\n\n");
  const rest = parts.pop() ?? "";
  const events = parts.flatMap((part) => {
    const [, event, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
    // Our own server wrote the data.
    return event ? [{ event, data: JSON.parse(data) } as SentRunEvent] : [];
  });
  return { events, rest };
}
