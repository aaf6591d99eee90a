import type { RequestContext } from "#app/http/request-context.ts";
import { THREAD_JOBS } from "#app/thread-jobs.ts";
import { findOutline, NO_OUTLINE, type Outline } from "#app/viewers/code/outline.ts";
import { digestKey } from "#platform/threads/result-cache.ts";

type OutlineContext = { services: Pick<RequestContext["services"], "threads"> };
type OutlinedText = { owner: string; body: string; language: string };

/** Up to here an outline is made at once: it takes less than a thread's messages. */
const INLINE_MAX_LENGTH = 8 * 1024;

/** The outline of a text, made once for each text and, for a longer one, by a thread; none where that is given up. */
export async function outlineText(
  { services }: OutlineContext,
  { owner, body, language }: OutlinedText,
): Promise<Outline> {
  if (body.length <= INLINE_MAX_LENGTH) return findOutline({ body, language });
  const key = digestKey(language, body);
  const found = await services.threads.run(THREAD_JOBS.outline, { body, language }, { owner, key });
  return found.ok ? found.value : NO_OUTLINE;
}
