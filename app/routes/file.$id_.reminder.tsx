import { json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { findFileNote } from "#app/reminders/file-reminder.server.ts";
import { countReachedDevices } from "#app/reminders/reached-devices.server.ts";
import { ReminderPage } from "#app/reminders/reminder-page.tsx";
import styles from "#app/styles/notes/reminder-pages.css?url";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readPageBefore } from "#app/web/door/referer.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { TIME_ZONES } from "#domain/reminders/reminder-time.ts";

/** The first reminder of a file. Its note is created when the reminder is set, not before. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const file_id = args.params.id ?? "";
  const result = await findFileNote(args.context.services, user.id, file_id);
  if (isRefusal(result)) throw toRefusalResponse(result);
  const back = readPageBefore(args.request, `/file/${file_id}`);
  const { search } = new URL(args.request.url);
  if (result.note)
    return redirect(`/reminders/${result.note.id}${search || `?next=${encodeURIComponent(back)}`}`);
  const devices = await countReachedDevices(args.context.services, user);
  return json({ file: { id: file_id, name: result.fileName }, devices, zones: TIME_ZONES, back });
}

export const handle: PageHandle = { title: (text) => text.reminders.set };

export const links = linkSheets(styles);

export default function FileReminder() {
  const { file, devices, zones, back } = useLoaderData<typeof loader>();
  return (
    <ReminderPage about={{ file: file.id }} reminder={null} next={back} devices={devices} zones={zones}>
      <a href={`/file/${file.id}`}>
        <bdi dir="ltr">{file.name}</bdi>
      </a>
    </ReminderPage>
  );
}
