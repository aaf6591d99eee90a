import type { RunEvent, RunEvents } from "#app/code-runs/run-steps.server.ts";
import { joinChunks, type OutputChunk } from "#domain/code-runs/run-output.ts";

/** The progress and the output of a run whose output will be stored beside its file. */
export type RunUnderWay = { isWaiting: boolean; output: OutputChunk[] };
type RecordedRun = { note(step: RunEvent): void; end(): void };

/**
 * The runs of files that this web process follows, shown by a page of the file that is opened while they run. Other web processes do not
 * show them: asking the queue would make each page of a program wait for PostgreSQL.
 */
export type RunsUnderWay = {
  begin(userId: string, fileId: string): RecordedRun;
  /** The latest run of the file. */
  find(userId: string, fileId: string): RunUnderWay | null;
};

export function createRunsUnderWay(): RunsUnderWay {
  const runs = new Set<RunUnderWay & { key: string }>();
  const toKey = (userId: string, fileId: string) => `${fileId} ${userId}`;
  return {
    begin: (userId, fileId) => {
      const run = { key: toKey(userId, fileId), isWaiting: false, output: [] as OutputChunk[] };
      runs.add(run);
      return {
        note: (step) => {
          if (step.event === "queued" || step.event === "started") run.isWaiting = step.event === "queued";
          if (step.event === "output") run.output.push({ stream: step.stream, text: step.text });
        },
        end: () => void runs.delete(run),
      };
    },
    find: (userId, fileId) => {
      const key = toKey(userId, fileId);
      const run = [...runs].findLast((entry) => entry.key === key);
      return run ? { isWaiting: run.isWaiting, output: joinChunks(run.output) } : null;
    },
  };
}

/** Yields the same steps and records them, until the reader has handled the last one. */
export async function* recordSteps(events: RunEvents, run: RecordedRun): RunEvents {
  try {
    for await (const step of events) {
      run.note(step);
      yield step;
    }
  } finally {
    run.end();
  }
}
