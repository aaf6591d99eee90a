import type { AppLoadContext } from "@remix-run/node";
import { noteFormId, type ShownNote } from "#app/notes/note-card.tsx";
import { renderNotesHtml } from "#app/viewers/markdown/notes-html.server.ts";
import type { NoteRecord } from "#db/notes/notes.server.ts";
import { findNoteReminders } from "#db/reminders/reminders.server.ts";
import { pickTargetFields } from "#domain/notes/note.ts";
import { BEGINNING } from "#domain/notes/note-markdown.ts";
import { itemAt } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

export async function toShownNotes(
  context: AppLoadContext,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<ShownNote[]> {
  const { db, threads } = context.services;
  const reader = { threads, owner: ownerId, locale: await context.locale() };
  const [reminders, html] = await Promise.all([
    findNoteReminders(
      db,
      ownerId,
      notes.map(({ id }) => id),
    ),
    renderNotesHtml(
      reader,
      notes.map(({ id, content }) => ({ content, form: noteFormId(id) })),
      context.largeHtml,
    ),
  ]);
  return notes.map((note, i) => {
    const reminder = reminders.get(note.id);
    const { content, ...shown } = toShownNote(note);
    return {
      ...shown,
      beginning: content.slice(0, BEGINNING),
      html: itemAt(html, i),
      reminder: reminder ? { remind_at: toTimestamp(reminder.remind_at), status: reminder.status } : null,
    };
  });
}

export function toShownNote(note: NoteRecord) {
  return {
    id: note.id,
    title: note.title,
    content: note.content,
    position: note.position,
    size: note.size,
    color: note.color,
    is_minimized: note.is_minimized,
    line_start: note.line_start,
    line_end: note.line_end,
    anchor_id: note.anchor_id,
    anchor_text: note.anchor_text,
    kind: note.kind,
    ...pickTargetFields(note),
    updated_at: toTimestamp(note.updated_at),
    reminder: null,
  };
}
