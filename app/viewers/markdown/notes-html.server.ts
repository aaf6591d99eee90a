import { THREAD_JOBS } from "#app/thread-jobs.ts";
import { type NoteToShow, renderNotes, renderPlainNote } from "#app/viewers/markdown/note-html.ts";
import type { Locale } from "#domain/locale.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

type NoteReader = { threads: ThreadPool; owner: string; locale: Locale };

/** Notes with fewer characters in all are read at once: the worst of them takes 3 ms. */
const INLINE_MAX_LENGTH = 4_000;

/** What notes say, as HTML in the same order. Where reading them is given up, their words without marks. */
export async function notesHtml(
  { threads, owner, locale }: NoteReader,
  notes: readonly NoteToShow[],
): Promise<string[]> {
  const length = notes.reduce((sum, { content }) => sum + content.length, 0);
  const input = { notes: notes.map(({ content, form }) => ({ content, form })), locale };
  if (length <= INLINE_MAX_LENGTH) return renderNotes(input);
  const key = digestKey(locale, ...notes.flatMap(({ content, form }) => [content, form ?? ""]));
  const made = await threads.run(THREAD_JOBS.renderNotes, input, { owner, key });
  return made.ok ? made.value : notes.map(({ content }) => renderPlainNote(content));
}
