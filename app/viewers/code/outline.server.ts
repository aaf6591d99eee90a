import { findOutline, NO_OUTLINE, type Outline } from "#app/viewers/code/outline.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { digestKey } from "#platform/threads/result-cache.ts";

type OutlineContext = { services: Pick<RequestContext["services"], "threads"> };
type OutlinedText = { owner: string; body: string; language: string };

/** A shorter outline costs less than a thread's messages. */
const INLINE_MAX_LENGTH = 8 * 1024;

/** Finds the outline of a text. Long texts are outlined on a thread, once per text; if that fails, the outline is empty. */
export async function outlineText(
  { services }: OutlineContext,
  { owner, body, language }: OutlinedText,
): Promise<Outline> {
  if (body.length <= INLINE_MAX_LENGTH) return findOutline({ body, language });
  const key = digestKey(language, body);
  const outline = await services.threads.run(VIEWER_JOBS.outline, { body, language }, { owner, key });
  return outline.ok ? outline.value : NO_OUTLINE;
}
