import type { colourLines } from "#app/viewers/code/coloured-lines.ts";
import type { buildDiffView } from "#app/viewers/code/diff.ts";
import type { highlightCode } from "#app/viewers/code/highlight-code.ts";
import type { markCode } from "#app/viewers/code/large-code.ts";
import type { findOutline } from "#app/viewers/code/outline.ts";
import type { packNotes } from "#app/viewers/markdown/note-html.ts";
import type { previewCsv, previewJson } from "#app/viewers/preview-jobs.ts";
import type { render } from "#app/viewers/render.ts";
import type { listPartStarts } from "#domain/text/text-part.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import { defineJob } from "#platform/threads/thread-job.ts";

const MEGABYTE = 1024 * 1024;
const RENDER = {
  module: "#app/viewers/render.ts",
  run: "render",
  processorMs: PAGE_MS,
  maxOutput: 8 * MEGABYTE,
};

export const VIEWER_JOBS = {
  highlight: defineJob<typeof highlightCode>({
    name: "highlight",
    module: "#app/viewers/code/highlight-code.ts",
    run: "highlightCode",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  listPartStarts: defineJob<typeof listPartStarts>({
    name: "part_starts",
    module: "#domain/text/text-part.ts",
    run: "listPartStarts",
    processorMs: 1_500,
    maxOutput: MEGABYTE,
  }),
  markCode: defineJob<typeof markCode>({
    name: "mark_code",
    module: "#app/viewers/code/large-code.ts",
    run: "markCode",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  outline: defineJob<typeof findOutline>({
    name: "outline",
    module: "#app/viewers/code/outline.ts",
    run: "findOutline",
    processorMs: 1_500,
    maxOutput: MEGABYTE,
  }),
  renderHtml: defineJob<typeof render>({ name: "render_html", ...RENDER }),
  renderSvg: defineJob<typeof render>({ name: "render_svg", ...RENDER }),
  renderMarkdown: defineJob<typeof render>({ name: "render_markdown", ...RENDER }),
  renderNotebook: defineJob<typeof render>({ name: "render_notebook", ...RENDER }),
  renderNotes: defineJob<typeof packNotes>({
    name: "render_notes",
    module: "#app/viewers/markdown/note-html.ts",
    run: "packNotes",
    processorMs: PAGE_MS,
    maxOutput: 32 * MEGABYTE,
  }),
  previewCsv: defineJob<typeof previewCsv>({
    name: "preview_csv",
    module: "#app/viewers/preview-jobs.ts",
    run: "previewCsv",
    processorMs: 1_500,
    maxOutput: 4 * MEGABYTE,
  }),
  previewJson: defineJob<typeof previewJson>({
    name: "preview_json",
    module: "#app/viewers/preview-jobs.ts",
    run: "previewJson",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  colourLines: defineJob<typeof colourLines>({
    name: "colour_lines",
    module: "#app/viewers/code/coloured-lines.ts",
    run: "colourLines",
    processorMs: 1_500,
    maxOutput: 12 * MEGABYTE,
  }),
  diff: defineJob<typeof buildDiffView>({
    name: "diff",
    module: "#app/viewers/code/diff.ts",
    run: "buildDiffView",
    processorMs: PAGE_MS,
    maxOutput: 12 * MEGABYTE,
  }),
};
