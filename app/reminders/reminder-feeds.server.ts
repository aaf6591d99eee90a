import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { FeedAddress } from "#db/accounts/feeds.server.ts";
import type { User } from "#db/accounts/users.server.ts";
import { attachNotes, type Reminded } from "#db/reminders/note-reminders.server.ts";
import {
  listDoneReminders,
  listDueReminders,
  listUpcomingReminders,
} from "#db/reminders/reminders.server.ts";
import { DEFAULT_LOCALE, isLocale } from "#domain/locale.ts";
import { toAtomFeed } from "#domain/reminders/atom.ts";
import { toIcsCalendar } from "#domain/reminders/ics.ts";
import { type Feed, type FeedItem, toExcerpt } from "#domain/reminders/reminder-feed.ts";
import { toPreview } from "#domain/reminders/reminder-state.ts";
import { DAY_MS } from "#domain/time/durations.ts";

type FeedOwner = { user: User; feed: FeedAddress };
type FeedFormat = {
  type: string;
  write: (services: WebServices, owner: FeedOwner, address: URL) => Promise<string>;
};

const DONE_SHOWN_MS = 30 * DAY_MS;

/** Feeds by the last part of their address. A calendar includes upcoming reminders; an Atom feed has only due and done ones. */
export const FEEDS: Record<string, FeedFormat> = {
  "reminders.ics": {
    type: "text/calendar; charset=utf-8",
    write: async (services, owner, address) =>
      toIcsCalendar(describeFeed(owner, address), await listItems(services, owner, address, true)),
  },
  "reminders.atom": {
    type: "application/atom+xml; charset=utf-8",
    write: async (services, owner, address) =>
      toAtomFeed(describeFeed(owner, address), await listItems(services, owner, address, false)),
  },
};

const findDictionary = ({ locale }: User) => getDictionary(isLocale(locale) ? locale : DEFAULT_LOCALE);

const describeFeed = ({ user, feed }: FeedOwner, address: URL): Feed => ({
  id: feed.id,
  title: findDictionary(user).feeds.name,
  url: address.origin + address.pathname,
  made_at: feed.made_at,
});

async function listItems(
  { db, clock, env }: WebServices,
  { user }: FeedOwner,
  { origin }: URL,
  includesUpcoming: boolean,
): Promise<FeedItem[]> {
  const now = clock();
  // A note has at most one reminder, so nobody has more reminders than notes.
  const max = env.maxNotesPerUser;
  const [due, upcoming, done] = await Promise.all([
    listDueReminders(db, user.id, now, max),
    includesUpcoming ? listUpcomingReminders(db, user.id, now, max) : [],
    listDoneReminders(db, user.id, new Date(now.getTime() - DONE_SHOWN_MS), max),
  ]);
  const entries = await attachNotes(db, user.id, [...due, ...upcoming, ...done]);
  const { untitled } = findDictionary(user).reminders;
  return entries.map((entry) => toFeedItem(entry, untitled, origin));
}

function toFeedItem({ reminder, note, place }: Reminded, untitled: string, origin: string): FeedItem {
  const { note_id, remind_at, status, changed_at } = reminder;
  return {
    note_id,
    remind_at,
    status,
    title: note.title || toPreview(note.content) || untitled,
    text: [toExcerpt(note.content), place].filter(Boolean).join("\n\n"),
    url: `${origin}/note/${note_id}`,
    changed_at: changed_at > note.updated_at ? changed_at : note.updated_at,
  };
}
