/** Words of the feeds of reminders. */
export const feeds = {
  title: "Calendar feeds",
  /** What the feed calls itself in a calendar. */
  name: "Codeshelf reminders",
  lead: "See your reminders in a calendar or feed reader. Anyone with the address can read them, so keep it private.",
  make: "Create address",
  made: "New address",
  once: "Copy it now. You won’t see it again, and any earlier address has stopped working.",
  calendar: "Calendar (ICS)",
  calendarHint: "Add it to your calendar with “Subscribe from URL”.",
  subscribe: "Open in calendar",
  reader: "Feed reader (Atom)",
  readerHint: "Reminders appear when they are due.",
  yours: "Your address",
  madeOn: "Created",
  lastRead: "Last used",
  never: "Never",
  again: "The address can’t be shown again. Creating a new one stops the old one.",
  renew: "Create new address",
  revoke: "Remove address",
  revoked: "Address removed",
};
