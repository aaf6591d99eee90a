import { THREAD_JOBS } from "#app/thread-jobs.ts";
import type { NotRendered, Rendered, RenderTask } from "#app/viewers/render-task.ts";
import { digestKey } from "#platform/result-cache.ts";
import type { ThreadPool } from "#platform/thread-pool.ts";

/** Longer texts are shown as their source. */
const RENDER_MAX_LENGTH = 512 * 1024;

const JOBS = {
  html: THREAD_JOBS.renderHtml,
  svg: THREAD_JOBS.renderSvg,
  markdown: THREAD_JOBS.renderMarkdown,
} as const;

const not = (reason: NotRendered): Rendered => ({ ok: false, reason });

/** Renders foreign text on a thread. What was rendered is remembered by its content, and so is what could not be. */
export async function render(threads: ThreadPool, owner: string, task: RenderTask): Promise<Rendered> {
  if (task.body.length > RENDER_MAX_LENGTH) return not("too_large");
  const around = task.kind === "markdown" ? [...Object.values(task.words), JSON.stringify(task.files)] : [];
  const key = digestKey(task.body, ...around);
  const rendered = await threads.run(JOBS[task.kind], task, { owner, key });
  return rendered.ok ? rendered.value : not(rendered.reason);
}
