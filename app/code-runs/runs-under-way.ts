import type { RunEvent, RunEvents } from "#app/code-runs/run-steps.server.ts";
import { joinChunks, type OutputChunk } from "#domain/code-runs/run-output.ts";

/** How far a run is whose output will be kept beside its file, and what it has printed. */
export type RunUnderWay = { isWaiting: boolean; output: OutputChunk[] };
type RecordedRun = { note(step: RunEvent): void; end(): void };

/**
 * Runs of files that this web process follows, for a page of the file that is opened meanwhile. Another web process does not show
 * them: asking the queue would make every page of a program wait for PostgreSQL.
 */
export type RunsUnderWay = {
  begin(userId: string, fileId: string): RecordedRun;
  /** The run of the file that began last. */
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
      const run = [...runs].findLast((one) => one.key === key);
      return run ? { isWaiting: run.isWaiting, output: joinChunks(run.output) } : null;
    },
  };
}

/** The same steps, recorded until whoever reads them has dealt with the last one. */
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
