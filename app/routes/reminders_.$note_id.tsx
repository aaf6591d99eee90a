import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { NoteReminder } from "#app/components/note-reminder.tsx";
import { TimeZones } from "#app/components/zone-choice.tsx";
import { requireUser } from "#app/http/gates.server.ts";
import { orRefuse } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { findNote, noteNotFound } from "#db/notes.server.ts";
import { findReminder } from "#db/reminders.server.ts";
import { plainPreview } from "#domain/note-markdown.ts";
import { previewOf } from "#domain/reminder-state.ts";
import { TIME_ZONES } from "#domain/reminder-time.ts";
import { toTimestamp } from "#domain/timestamp.ts";

/** The reminder of one note, with every time it can be set to. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.shelf;
  const note_id = args.params.note_id ?? "";
  const note = orRefuse(await findNote(db, user.id, note_id), noteNotFound(note_id));
  const reminder = await findReminder(db, user.id, note_id);
  return json({
    note: { id: note.id, preview: plainPreview(previewOf(note.content)) || (note.title ?? "") },
    reminder: reminder && { status: reminder.status, remind_at: toTimestamp(reminder.remind_at) },
    zones: TIME_ZONES,
  });
}

export const handle: Titled = { title: (text) => text.reminders.set };

export default function NotesReminder() {
  const { note, reminder, zones } = useLoaderData<typeof loader>();
  const text = useText().reminders;
  return (
    <>
      <div className="page-head">
        <h1>{text.set}</h1>
        <a href="/reminders">{text.all}</a>
      </div>
      <p className="reminder-about">
        <a href={`/note/${note.id}`} dir="auto" title={text.open}>
          {note.preview || text.untitled}
        </a>
      </p>
      <NoteReminder noteId={note.id} reminder={reminder} next="/reminders" />
      <TimeZones zones={zones} />
    </>
  );
}
