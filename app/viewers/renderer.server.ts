import {
  type NotRendered,
  RENDER_MAX_LENGTH,
  type Rendered,
  type RenderTask,
} from "#app/viewers/render-task.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import { removeByteOrderMark } from "#domain/text/line-ends.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

const JOBS = {
  html: VIEWER_JOBS.renderHtml,
  svg: VIEWER_JOBS.renderSvg,
  markdown: VIEWER_JOBS.renderMarkdown,
  notebook: VIEWER_JOBS.renderNotebook,
} as const;

const toFailure = (reason: NotRendered): Rendered => ({ ok: false, reason });

/** Renders foreign text on a thread. Results and failures are cached by content. */
export async function render(threads: ThreadPool, owner: string, input: RenderTask): Promise<Rendered> {
  const task = { ...input, body: removeByteOrderMark(input.body) };
  if (task.kind !== "notebook" && task.body.length > RENDER_MAX_LENGTH) return toFailure("too_large");
  const words = "words" in task ? Object.values(task.words) : [];
  const files = task.kind === "markdown" ? [JSON.stringify([task.files, task.ticking ?? false])] : [];
  const key = digestKey(task.body, ...words, ...files);
  const rendered = await threads.run(JOBS[task.kind], task, { owner, key });
  return rendered.ok ? rendered.value : toFailure(rendered.reason);
}
