import { EXPLAIN_JOB } from "#app/explain/explainer.ts";
import { TOOL_JOB } from "#app/tools/code-tools.server.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import type { mergeNote } from "#domain/notes/note-merge.ts";
import type { mergeTexts } from "#domain/text/line-merge.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import { defineJob } from "#platform/threads/thread-job.ts";

/** The jobs of the thread pool. */
export const THREAD_JOBS = {
  ...VIEWER_JOBS,
  mergeTexts: defineJob<typeof mergeTexts>({
    name: "merge_texts",
    module: "#domain/text/line-merge.ts",
    run: "mergeTexts",
    processorMs: PAGE_MS,
    maxOutput: 8 * 1024 * 1024,
  }),
  mergeNote: defineJob<typeof mergeNote>({
    name: "merge_note",
    module: "#domain/notes/note-merge.ts",
    run: "mergeNote",
    processorMs: 1_500,
    maxOutput: 4 * 1024 * 1024,
  }),
  prepareExplanation: EXPLAIN_JOB,
  applyTool: TOOL_JOB,
};

/** Starts the metrics of thread jobs at zero, because an alert watches how often all threads are busy. */
export function startThreadMetrics(metrics: Metrics): void {
  for (const { name } of Object.values(THREAD_JOBS))
    metrics.startAtZero("codeshelf_thread_job_seconds", { job: name, outcome: "busy" });
}
