import type { CodeRuns } from "#db/code-runs/code-runs.server.ts";
import { joinChunks, type OutputChunk } from "#domain/code-runs/run-output.ts";
import type { Log } from "#platform/log.ts";
import type { OutputListener } from "#worker/sandbox/program-watch.ts";

const STREAMS = ["stdout", "stderr"] as const;

/**
 * Delivers a program's output while it runs. One part is written at a time and later output joins the next part, so endless output causes
 * no more writes than the database can take. A failed write ends the delivery: the result contains the complete output.
 */
export function createLiveOutput(codeRuns: CodeRuns, id: string, log: Log): OutputListener {
  const decoders = STREAMS.map(() => new TextDecoder());
  let waiting: OutputChunk[] = [];
  let isWriting = false;
  let number = 0;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const chunks = joinChunks(waiting);
      waiting = [];
      number += 1;
      await codeRuns.appendOutput(id, { number, chunks });
    }
    isWriting = false;
  }

  return (output, bytes) => {
    const text = decoders[output]?.decode(bytes, { stream: true });
    if (!text) return;
    waiting.push({ stream: STREAMS[output], text });
    if (!isWriting) write().catch((error) => log.warn("live_output_failed", { error }));
  };
}
