/** The words of the feeds of reminders. */
export const feeds = {
  title: "Calendar feeds",
  /** What the feed calls itself in a calendar. */
  name: "Codeshelf reminders",
  lead: "Your reminders in your calendar or feed reader, at an address that only you know. Whoever has the address can read your reminders and the beginnings of their notes, and nothing else.",
  make: "Make an address",
  made: "Your new address",
  once: "It is shown this once: copy it now. An address from before no longer works.",
  calendar: "Calendar (ICS)",
  calendarHint:
    "Add it to a calendar as a subscription, “from URL”. How often it is read, the calendar decides.",
  subscribe: "Open in the calendar app",
  reader: "Feed reader (Atom)",
  readerHint: "Reminders appear in it when their time has come.",
  yours: "Your address",
  madeOn: "Made",
  lastRead: "Last read",
  never: "Not yet",
  again:
    "The address itself is not kept and cannot be shown again. A new one takes its place, and the old one stops working at once.",
  renew: "Make a new address",
  revoke: "Remove the address",
  revoked: "The address is removed and no longer works",
};
