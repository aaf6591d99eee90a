import { THREAD_JOBS } from "#app/thread-jobs.ts";
import { numberPlainLines } from "#app/viewers/code-lines.ts";
import { grammarFor } from "#app/viewers/grammars.ts";
import type { ColouredCode } from "#app/viewers/highlight-code.ts";
import { isLanguage, type LanguageName } from "#domain/language.ts";
import { digestKey } from "#platform/result-cache.ts";
import type { GaveUp } from "#platform/thread-job.ts";
import type { ThreadPool } from "#platform/thread-pool.ts";

/** Source code as HTML, one element per line, coloured where that is affordable; else why not, where anything could be coloured. */
export type HighlightedCode = { html: string; plainBecause: PlainReason | null };
export type PlainReason = GaveUp | "too_long" | "too_nested";

/** Up to here the lines of a text without colours are numbered at once: the worst, all line ends, takes 6 ms. */
const INLINE_MAX_LENGTH = 8 * 1024;

/** Colouring is done by a thread, and once for each text. Where that is given up the text is shown as it is. */
export async function highlight(
  threads: ThreadPool,
  owner: string,
  body: string,
  languageName: string,
): Promise<HighlightedCode> {
  const language: LanguageName = isLanguage(languageName) ? languageName : "text";
  const hasColours = grammarFor(language) !== null;
  if (!hasColours && body.length <= INLINE_MAX_LENGTH)
    return { html: numberPlainLines(body), plainBecause: null };
  const coloured = await threads.run(
    THREAD_JOBS.highlight,
    { body, language },
    { owner, key: digestKey(language, body) },
  );
  if (!coloured.ok)
    return { html: numberPlainLines(body), plainBecause: hasColours ? coloured.reason : null };
  return hasColours ? withReason(coloured.value) : { html: coloured.value.html, plainBecause: null };
}

/** What the highlighter answered, in the words of the page. */
export function withReason({ html, colours }: ColouredCode): HighlightedCode {
  return { html, plainBecause: colours === "all" ? null : colours };
}
