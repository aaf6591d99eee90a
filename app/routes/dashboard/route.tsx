import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { SampleForm } from "#app/files/file-actions.tsx";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { toTrail } from "#app/files/folders/listed-folder.server.ts";
import { FileRows } from "#app/files/list/file-rows.tsx";
import { StorageMeter } from "#app/files/storage-meter.tsx";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { DueRows } from "#app/reminders/reminder-rows.tsx";
import { toReminderRow, toWireDueReminder } from "#app/reminders/reminder-wire.server.ts";
import styles from "#app/styles/frame/dashboard.css?url";
import { setJsonAnswer, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireReader } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { formatBytes } from "#app/web/ui/size-text.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { countFilesByValue } from "#db/files/listing/file-facets.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { listPinnedFiles } from "#db/files/marks.server.ts";
import { countTrash } from "#db/files/trash/trash.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { readUsage } from "#db/files/usage/library-usage.server.ts";
import { attachNotes } from "#db/reminders/note-reminders.server.ts";
import { listDueReminders } from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { buildCalendar, calendarStart, toDay } from "#domain/reminders/calendar.ts";
import { ActivityCalendar, LanguagesBar } from "./library-charts.tsx";

const RECENT_FILES = 5;
const DUE_SHOWN = 5;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireReader(args);
  const { db, clock, env } = args.context.services;
  const now = clock();
  const [recent, pinned, tree, languages, days, trashed, storage, due] = await Promise.all([
    listFiles(db, user.id, { sort: "created_at_desc", limit: RECENT_FILES }),
    listPinnedFiles(db, user.id),
    readFolders(db, user.id),
    countFilesByValue(db, user.id, "language"),
    tallyLibrary(db, user.id),
    countTrash(db, user.id),
    readUsage(db, user.id, now),
    listDueReminders(db, user.id, now, DUE_SHOWN).then((due) => attachNotes(db, user.id, due)),
  ]);
  if (isRefusal(recent)) throw toRefusalResponse(recent);
  const sum = (field: "files" | "bytes" | "lines") => days.reduce((total, tally) => total + tally[field], 0);
  const firstDay = toDay(calendarStart(now));
  const shownDays = days.filter(({ day }) => day >= firstDay);
  const library = {
    pinned: pinned.map(toWireFile),
    recent: recent.files.map(toWireFile),
    languages: languages.map(({ value, count }) => ({ language: value, count })),
    totals: { files: sum("files"), bytes: sum("bytes"), lines: sum("lines"), trashed },
    storage,
  };
  setJsonAnswer(args.request, { due: due.map(toWireDueReminder), ...library, days: shownDays });
  const toRow = (file: ReturnType<typeof toWireFile>) => ({ ...file, place: toTrail(tree, file.folder_id) });
  return json({
    name: user.first_name,
    due: due.map(toReminderRow),
    ...library,
    pinned: library.pinned.map(toRow),
    recent: library.recent.map(toRow),
    calendar: buildCalendar(new Map(shownDays.map(({ day, files }) => [day, files])), now),
    sample: env.localSignIn,
  });
}

export const links = linkSheets(styles);

export const handle: PageHandle = { title: (text) => text.dashboard.title, welcomes: true };

export default function Dashboard() {
  const { name, due, pinned, recent, languages, totals, calendar, storage, sample } =
    useLoaderData<typeof loader>();
  const { dashboard, fileActions, reminders } = useText();
  // The tour of the first visit offers it too.
  const { welcome } = usePage();
  return (
    <>
      <div className="page-head">
        <h1>{dashboard.hello(name)}</h1>
      </div>
      {due.length > 0 && (
        <div className="sections below-8">
          <Section title={reminders.due} more={<a href="/reminders">{reminders.all}</a>}>
            <DueRows rows={due} />
          </Section>
        </div>
      )}
      {totals.files === 0 ? (
        <EmptyLibrary sample={sample && !welcome} />
      ) : (
        <div className="sections">
          {pinned.length > 0 && (
            <Section title={fileActions.pinned}>
              <FileRows files={pinned} />
            </Section>
          )}
          <Section title={dashboard.newest} more={<a href="/files">{dashboard.all(totals.files)}</a>}>
            <FileRows files={recent} />
          </Section>
          <Section title={fileActions.languages}>
            <LanguagesBar shares={languages} />
          </Section>
          <Section title={fileActions.activityTitle}>
            <ActivityCalendar weeks={calendar} />
          </Section>
          <Section title={fileActions.storage}>
            <StorageMeter {...storage} />
            <LibraryTotals {...totals} />
          </Section>
        </div>
      )}
    </>
  );
}

function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}

type Totals = { files: number; bytes: number; lines: number; trashed: number };

function LibraryTotals({ files, bytes, lines, trashed }: Totals) {
  const text = useText();
  return (
    <ul className="cluster figures small baseline above-3 gap-6 rows-1">
      <li>{text.fileActions.files(files)}</li>
      <li>{text.file.lines(lines)}</li>
      <li>{text.fileActions.newestVersions(isolateLtr(formatBytes(bytes)))}</li>
      <li>
        <a className="inline reach" href="/trash">
          {text.fileActions.inTrash(trashed)}
        </a>
      </li>
    </ul>
  );
}

function EmptyLibrary({ sample }: { sample: boolean }) {
  const text = useText().dashboard;
  return (
    <EmptyState icon="book" title={text.emptyTitle}>
      <p className="soft">{text.empty}</p>
      <div className="actions">
        <a className="button button-primary" href="/upload">
          <Icon name="plus" />
          {text.emptyAction}
        </a>
        {sample && <SampleForm />}
      </div>
    </EmptyState>
  );
}
