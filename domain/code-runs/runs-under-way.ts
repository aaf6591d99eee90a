import type { CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { OutputChunk } from "#domain/code-runs/run-output.ts";
import type { Refusal } from "#domain/refusal.ts";

/** The events of a run, in this order; the last is its result, or its refusal. */
export type RunEvent =
  | { event: "queued"; run_id: string; ahead: number }
  | { event: "started"; run_id: string }
  | ({ event: "output" } & OutputChunk)
  /** `isReported`: by a worker, which closes the run's record itself. */
  | { event: "result"; result: CodeRunResult; isReported: boolean }
  | { event: "refused"; refusal: Refusal };
/** Closing the generator early stops the run. */
export type RunEvents = AsyncGenerator<RunEvent, void, void>;

/** The progress and the output of a run whose output will be stored beside its file. */
export type RunUnderWay = { isWaiting: boolean; output: OutputChunk[] };
export type RecordedRun = { note(step: RunEvent): void; end(): void };

/**
 * The runs of files that this web process follows, shown by a page of the file that is opened while they run. Other web processes do not
 * show them: asking the queue would make each page of a program wait for PostgreSQL.
 */
export type RunsUnderWay = {
  begin(userId: string, fileId: string): RecordedRun;
  /** The latest run of the file. */
  find(userId: string, fileId: string): RunUnderWay | null;
};
