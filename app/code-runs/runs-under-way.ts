import { joinChunks, type OutputChunk } from "#domain/code-runs/run-output.ts";
import type { RecordedRun, RunEvents, RunsUnderWay, RunUnderWay } from "#domain/code-runs/runs-under-way.ts";

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
