import type { WebServices } from "#app/http/request-context.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { FeedAddress } from "#db/accounts/feeds.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { type Reminded, withNotes } from "#db/reminders/note-reminders.server.ts";
import {
  listDoneReminders,
  listDueReminders,
  listUpcomingReminders,
} from "#db/reminders/reminders.server.ts";
import { DEFAULT_LOCALE, isLocale } from "#domain/locale.ts";
import { writeAtom } from "#domain/reminders/atom.ts";
import { writeCalendar } from "#domain/reminders/ics.ts";
import { type Feed, type FeedItem, writeExcerpt } from "#domain/reminders/reminder-feed.ts";
import { writePreview } from "#domain/reminders/reminder-state.ts";
import { DAY_MS } from "#domain/time/durations.ts";

type Whose = { user: User; feed: FeedAddress };
type Kind = { type: string; write: (services: WebServices, whose: Whose, address: URL) => Promise<string> };

const DONE_KEPT_MS = 30 * DAY_MS;

/** By the last part of the address. A calendar has what is to come too; a feed only what has come. */
export const FEEDS: Record<string, Kind> = {
  "reminders.ics": {
    type: "text/calendar; charset=utf-8",
    write: async (services, whose, address) =>
      writeCalendar(describeFeed(whose, address), await items(services, whose, address, true)),
  },
  "reminders.atom": {
    type: "application/atom+xml; charset=utf-8",
    write: async (services, whose, address) =>
      writeAtom(describeFeed(whose, address), await items(services, whose, address, false)),
  },
};

const wordsFor = ({ locale }: User) => getDictionary(isLocale(locale) ? locale : DEFAULT_LOCALE);

const describeFeed = ({ user, feed }: Whose, address: URL): Feed => ({
  id: feed.id,
  title: wordsFor(user).feeds.name,
  url: address.origin + address.pathname,
  made_at: feed.made_at,
});

async function items(
  { db, clock, env }: WebServices,
  { user }: Whose,
  { origin }: URL,
  toCome: boolean,
): Promise<FeedItem[]> {
  const now = clock();
  // A note has one reminder at most, so nobody has more of these than notes.
  const max = env.maxNotesPerUser;
  const [due, upcoming, done] = await Promise.all([
    listDueReminders(db, user.id, now, max),
    toCome ? listUpcomingReminders(db, user.id, now, max) : [],
    listDoneReminders(db, user.id, new Date(now.getTime() - DONE_KEPT_MS), max),
  ]);
  const entries = await withNotes(db, user.id, [...due, ...upcoming, ...done]);
  const { untitled } = wordsFor(user).reminders;
  return entries.map((reminded) => toFeedItem(reminded, untitled, origin));
}

function toFeedItem({ reminder, note, place }: Reminded, untitled: string, origin: string): FeedItem {
  const { note_id, remind_at, status, changed_at } = reminder;
  return {
    note_id,
    remind_at,
    status,
    title: note.title || writePreview(note.content) || untitled,
    text: [writeExcerpt(note.content), place].filter(Boolean).join("\n\n"),
    url: `${origin}/note/${note_id}`,
    changed_at: changed_at > note.updated_at ? changed_at : note.updated_at,
  };
}
