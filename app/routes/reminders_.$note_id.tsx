import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { noteAnchor } from "#app/notes/note-card.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { countReachedDevices } from "#app/reminders/reached-devices.server.ts";
import { ReminderPage } from "#app/reminders/reminder-page.tsx";
import { toPlainPreview } from "#app/reminders/reminder-wire.server.ts";
import styles from "#app/styles/notes/reminder-pages.css?url";
import { requireValue } from "#app/web/answers/replies.server.ts";
import { readPageBefore } from "#app/web/door/referer.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { findReminder } from "#db/reminders/reminders.server.ts";
import { TIME_ZONES } from "#domain/reminders/reminder-time.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const ALL_REMINDERS = "/reminders";

/**
 * The page that this one was opened from, scrolled to the note's card. The list of reminders has no cards, and an address that a form named
 * stays as it is.
 */
function addNoteAnchor(page: string, { url }: Request, noteId: string): string {
  const isAsNamed = new URL(url).searchParams.has("next") || page.includes("#");
  return isAsNamed || page === ALL_REMINDERS ? page : `${page}#${noteAnchor(noteId)}`;
}

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.services;
  const note_id = args.params.note_id ?? "";
  const note = requireValue(await findNote(db, user.id, note_id), noteNotFound(note_id));
  const reminder = await findReminder(db, user.id, note_id);
  return json({
    note: { id: note.id, preview: toPlainPreview(note) },
    reminder: reminder && { status: reminder.status, remind_at: toTimestamp(reminder.remind_at) },
    devices: await countReachedDevices(args.context.services, user),
    zones: TIME_ZONES,
    back: addNoteAnchor(readPageBefore(args.request, ALL_REMINDERS), args.request, note.id),
  });
}

export const handle: PageHandle = { title: (text) => text.reminders.set };

export const links = linkSheets(styles);

export default function NotesReminder() {
  const { note, reminder, devices, zones, back } = useLoaderData<typeof loader>();
  const text = useText().reminders;
  return (
    <ReminderPage
      about={{ note_id: note.id }}
      reminder={reminder}
      next={back}
      devices={devices}
      zones={zones}
    >
      <a href={`/note/${note.id}`} title={text.open}>
        <bdi>{note.preview || text.untitled}</bdi>
      </a>
    </ReminderPage>
  );
}
