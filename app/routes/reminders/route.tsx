import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { ZoneChoice } from "#app/accounts/zone-choice.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { DoneRows, DueRows, type ReminderRow, UpcomingRows } from "#app/reminders/reminder-rows.tsx";
import { toReminderRow, toWireReminder } from "#app/reminders/reminder-wire.server.ts";
import bellStyles from "#app/styles/frame/bell-popover.css?url";
import styles from "#app/styles/notes/reminder-pages.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireReader, requireUser } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { attachNotes } from "#db/reminders/note-reminders.server.ts";
import {
  listDoneReminders,
  listDueReminders,
  listUpcomingReminders,
} from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { TIME_ZONES } from "#domain/reminders/reminder-time.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { applyReminderAction, choosePageAfterAction, reminderForm } from "./form.server.ts";

const DUE_SHOWN = 50;
const UPCOMING_SHOWN = 50;
const DONE_SHOWN = 20;
const LATELY_MS = 7 * DAY_MS;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireReader(args);
  const { db, clock } = args.context.services;
  const now = clock();
  const [due, upcoming, lately] = await Promise.all([
    listDueReminders(db, user.id, now, DUE_SHOWN),
    listUpcomingReminders(db, user.id, now, UPCOMING_SHOWN),
    listDoneReminders(db, user.id, new Date(now.getTime() - LATELY_MS), DONE_SHOWN),
  ]);
  const entries = await attachNotes(db, user.id, [...due, ...upcoming, ...lately]);
  const filterEntries = (reminders: typeof due) => {
    const remainingReminders = new Set(reminders);
    return entries.filter(({ reminder }) => remainingReminders.has(reminder));
  };
  const lists = { due: filterEntries(due), upcoming: filterEntries(upcoming), lately: filterEntries(lately) };
  setJsonAnswer(args.request, {
    due: lists.due.map(toWireReminder),
    upcoming: lists.upcoming.map(toWireReminder),
    done: lists.lately.map(toWireReminder),
  });
  const toRows = (entriesToShow: typeof entries): ReminderRow[] => entriesToShow.map(toReminderRow);
  return json({
    due: toRows(lists.due),
    upcoming: toRows(lists.upcoming),
    lately: toRows(lists.lately),
    zones: TIME_ZONES,
  });
}

/** The page that the form was on shows a refusal. A typed time returns to its own page. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, reminderForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const outcome = await applyReminderAction(args.context.services, user, form);
  if (isRefusal(outcome)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return answerRefusal(args.request, outcome, {});
    args.context.session.flash({ say: "refused", code: outcome.refused });
  } else args.context.session.flash(outcome);
  return answerSuccess(args.request, { ok: true }, choosePageAfterAction(form, outcome));
}

export const links = linkSheets(styles);

export const handle: PageHandle = { title: (text) => text.reminders.title };

export default function Reminders() {
  const { due, upcoming, lately, zones } = useLoaderData<typeof loader>();
  const { reminders: text, feeds } = useText();
  const isEmpty = due.length + upcoming.length + lately.length === 0;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        <a className="button button-small button-quiet" href="/settings/feeds">
          <Icon name="book" />
          {feeds.title}
        </a>
      </div>
      {isEmpty ? (
        <EmptyState icon="bell" title={text.noneTitle}>
          <p className="soft">{text.none}</p>
          <a className="button" href="/notes">
            {text.toNotes}
          </a>
        </EmptyState>
      ) : (
        <div className="sections">
          <Section title={text.due}>
            {due.length > 0 ? <DueRows rows={due} /> : <p className="soft">{text.noneDue}</p>}
          </Section>
          {upcoming.length > 0 && (
            <Section title={text.upcoming}>
              <UpcomingRows rows={upcoming} />
            </Section>
          )}
          {lately.length > 0 && (
            <Section title={text.done}>
              <DoneRows rows={lately} />
            </Section>
          )}
        </div>
      )}
      <ZoneChoice zones={zones} />
      {/* The bell needs this to show these lists over other pages. */}
      <template>
        <link rel="stylesheet" href={bellStyles} />
      </template>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
      </div>
      {children}
    </section>
  );
}
