import { setImmediate } from "node:timers/promises";
import { type NoteToShow, renderNotes, renderPlainNote } from "#app/viewers/markdown/note-html.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import type { Locale } from "#domain/locale.ts";
import { itemAt } from "#domain/required.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

type NoteReader = { threads: ThreadPool; owner: string; locale: Locale };
type LargeHtml = Map<string, readonly Uint8Array[]>;

/** A note's HTML, or a reference to bytes that stay with the request. */
export type NoteHtml = string | { digest: string; number: number };

/** Notes with fewer characters in all need no thread: the worst take 3 ms. */
const INLINE_MAX_LENGTH = 4_000;
/** The characters that one run of a thread renders, unless one note has more. */
const PORTION_LENGTH = 60_000;
/** Beyond this much HTML a page shows only the beginnings of its notes. */
const PAGE_MAX_BYTES = 16 * 1024 * 1024;
const BEGINNING_LENGTH = 1_000;

const measureLength = (notes: readonly NoteToShow[]) =>
  notes.reduce((sum, { content }) => sum + content.length, 0);

/** Renders a note. If that fails, its words are shown without marks. */
export async function renderNoteHtml(reader: NoteReader, note: NoteToShow): Promise<string> {
  if (note.content.length <= INLINE_MAX_LENGTH)
    return itemAt(renderNotes({ notes: [note], locale: reader.locale }), 0);
  const { pieces } = await packPortion(reader, [note]);
  return new TextDecoder().decode(pieces[0]);
}

/**
 * Renders the notes of a page, in order. Hundreds of long notes are megabytes, which neither a loader's data nor the page's renderer may
 * hold: they are rendered in portions and go to the socket as bytes.
 */
export async function renderNotesHtml(
  reader: NoteReader,
  notes: readonly NoteToShow[],
  largeHtml: LargeHtml,
): Promise<NoteHtml[]> {
  if (measureLength(notes) <= INLINE_MAX_LENGTH)
    return renderNotes({ notes: [...notes], locale: reader.locale });
  const htmls: NoteHtml[] = [];
  let bytes = 0;
  for (const portion of cutPortions(notes)) {
    if (bytes >= PAGE_MAX_BYTES) {
      htmls.push(...portion.map(renderBeginning));
      continue;
    }
    const { digest, pieces } = await packPortion(reader, portion);
    // A cached portion returns at once, so this pause lets other requests run.
    await setImmediate();
    largeHtml.set(digest, pieces);
    htmls.push(...pieces.map((_, number) => ({ digest, number })));
    bytes += pieces.reduce((sum, { length }) => sum + length, 0);
  }
  return htmls;
}

const renderBeginning = ({ content }: NoteToShow): string =>
  renderPlainNote(
    content.length <= BEGINNING_LENGTH ? content : `${content.slice(0, BEGINNING_LENGTH).toWellFormed()}…`,
  );

function* cutPortions(notes: readonly NoteToShow[]): Generator<NoteToShow[]> {
  let portion: NoteToShow[] = [];
  for (const note of notes) {
    if (portion.length > 0 && measureLength(portion) + note.content.length > PORTION_LENGTH) {
      yield portion;
      portion = [];
    }
    portion.push(note);
  }
  if (portion.length > 0) yield portion;
}

type PackedPortion = { digest: string; pieces: Uint8Array[] };

async function packPortion(
  { threads, owner, locale }: NoteReader,
  notes: readonly NoteToShow[],
): Promise<PackedPortion> {
  const key = digestKey(locale, ...notes.flatMap(({ content, form }) => [content, form ?? ""]));
  const input = { notes: notes.map(({ content, form }) => ({ content, form })), locale };
  const rendered = await threads.run(VIEWER_JOBS.renderNotes, input, { owner, key });
  if (rendered.ok) return { digest: key, pieces: rendered.value.pieces };
  return {
    digest: `${key}-plain`,
    pieces: notes.map(({ content }) => Buffer.from(renderPlainNote(content))),
  };
}
