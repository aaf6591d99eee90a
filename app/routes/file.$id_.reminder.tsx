import { json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { TimeZones } from "#app/accounts/zone-choice.tsx";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { readPageBefore } from "#app/http/door/referer.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import { NoteReminder } from "#app/notes/note-reminder.tsx";
import type { PageHandle } from "#app/page-handle.ts";
import { findFileNote } from "#app/reminders/file-reminder.server.ts";
import { Trail } from "#app/ui/frame/trail.tsx";
import { isRefusal } from "#domain/refusal.ts";
import { TIME_ZONES } from "#domain/reminders/reminder-time.ts";

/** The first reminder of a file. Its note is made when the reminder is set, not before. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const file_id = args.params.id ?? "";
  const found = await findFileNote(args.context.services, user.id, file_id);
  if (isRefusal(found)) throw refusalResponse(found);
  const back = readPageBefore(args.request, `/file/${file_id}`);
  const { search } = new URL(args.request.url);
  if (found.note)
    return redirect(`/reminders/${found.note.id}${search || `?next=${encodeURIComponent(back)}`}`);
  return json({ file: { id: file_id, name: found.fileName }, zones: TIME_ZONES, back });
}

export const handle: PageHandle = { title: (text) => text.reminders.set };

export default function FileReminder() {
  const { file, zones, back } = useLoaderData<typeof loader>();
  const text = useText().reminders;
  return (
    <>
      <Trail href="/reminders">{text.all}</Trail>
      <div className="page-head">
        <h1>{text.set}</h1>
      </div>
      <p className="reminder-about">
        <a href={`/file/${file.id}`}>
          <bdi dir="ltr">{file.name}</bdi>
        </a>
      </p>
      <NoteReminder about={{ file: file.id }} reminder={null} next={back} />
      <TimeZones zones={zones} />
    </>
  );
}
