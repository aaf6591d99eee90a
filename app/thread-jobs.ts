import type { prepareExplanation } from "#app/explain/local.ts";
import type { applyTool } from "#app/tools/use-tool.ts";
import type { colourLines } from "#app/viewers/code/coloured-lines.ts";
import type { diffView } from "#app/viewers/code/diff.ts";
import type { highlightCode } from "#app/viewers/code/highlight-code.ts";
import type { markCode } from "#app/viewers/code/large-code.ts";
import type { findOutline } from "#app/viewers/code/outline.ts";
import type { packNotes } from "#app/viewers/markdown/note-html.ts";
import type { previewCsv, previewJson } from "#app/viewers/preview-jobs.ts";
import type { render } from "#app/viewers/render.ts";
import type { mergeNote } from "#domain/notes/note-merge.ts";
import type { mergeTexts } from "#domain/text/line-merge.ts";
import type { listPartStarts } from "#domain/text/text-part.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import type { ThreadJob } from "#platform/threads/thread-job.ts";

/** The jobs of the thread pool, one row each. Modules are named and not imported, because only threads load them. */
type Work = (input: never) => unknown;
type JobFor<F extends Work> = ThreadJob<Parameters<F>[0], Awaited<ReturnType<F>>>;
const job = <F extends Work>(row: JobFor<F>): JobFor<F> => row;

const MEGABYTE = 1024 * 1024;
const RENDER = {
  module: "#app/viewers/render.ts",
  run: "render",
  processorMs: PAGE_MS,
  maxOutput: 8 * MEGABYTE,
};

export const THREAD_JOBS = {
  highlight: job<typeof highlightCode>({
    name: "highlight",
    module: "#app/viewers/code/highlight-code.ts",
    run: "highlightCode",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  listPartStarts: job<typeof listPartStarts>({
    name: "part_starts",
    module: "#domain/text/text-part.ts",
    run: "listPartStarts",
    processorMs: 1_500,
    maxOutput: MEGABYTE,
  }),
  markCode: job<typeof markCode>({
    name: "mark_code",
    module: "#app/viewers/code/large-code.ts",
    run: "markCode",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  outline: job<typeof findOutline>({
    name: "outline",
    module: "#app/viewers/code/outline.ts",
    run: "findOutline",
    processorMs: 1_500,
    maxOutput: MEGABYTE,
  }),
  renderHtml: job<typeof render>({ name: "render_html", ...RENDER }),
  renderSvg: job<typeof render>({ name: "render_svg", ...RENDER }),
  renderMarkdown: job<typeof render>({ name: "render_markdown", ...RENDER }),
  renderNotebook: job<typeof render>({ name: "render_notebook", ...RENDER }),
  renderNotes: job<typeof packNotes>({
    name: "render_notes",
    module: "#app/viewers/markdown/note-html.ts",
    run: "packNotes",
    processorMs: PAGE_MS,
    maxOutput: 32 * MEGABYTE,
  }),
  previewCsv: job<typeof previewCsv>({
    name: "preview_csv",
    module: "#app/viewers/preview-jobs.ts",
    run: "previewCsv",
    processorMs: 1_500,
    maxOutput: 4 * MEGABYTE,
  }),
  previewJson: job<typeof previewJson>({
    name: "preview_json",
    module: "#app/viewers/preview-jobs.ts",
    run: "previewJson",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  mergeTexts: job<typeof mergeTexts>({
    name: "merge_texts",
    module: "#domain/text/line-merge.ts",
    run: "mergeTexts",
    processorMs: PAGE_MS,
    maxOutput: 8 * MEGABYTE,
  }),
  mergeNote: job<typeof mergeNote>({
    name: "merge_note",
    module: "#domain/notes/note-merge.ts",
    run: "mergeNote",
    processorMs: 1_500,
    maxOutput: 4 * MEGABYTE,
  }),
  prepareExplanation: job<typeof prepareExplanation>({
    name: "explain",
    module: "#app/explain/local.ts",
    run: "prepareExplanation",
    processorMs: 1_500,
    maxOutput: MEGABYTE,
  }),
  colourLines: job<typeof colourLines>({
    name: "colour_lines",
    module: "#app/viewers/code/coloured-lines.ts",
    run: "colourLines",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  diff: job<typeof diffView>({
    name: "diff",
    module: "#app/viewers/code/diff.ts",
    run: "diffView",
    processorMs: PAGE_MS,
    maxOutput: 12 * MEGABYTE,
  }),
  applyTool: job<typeof applyTool>({
    name: "code_tool",
    module: "#app/tools/use-tool.ts",
    run: "applyTool",
    processorMs: PAGE_MS,
    maxOutput: 8 * MEGABYTE,
  }),
};

/** Starts the figures at zero, because an alert watches how often all threads are busy. */
export function startThreadFigures(metrics: Metrics): void {
  for (const { name } of Object.values(THREAD_JOBS))
    metrics.startAtZero("codeshelf_thread_job_seconds", { job: name, outcome: "busy" });
}
