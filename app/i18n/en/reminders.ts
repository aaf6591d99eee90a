import { amount } from "#app/i18n/amount.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

export const reminders = {
  title: "Reminders",
  bell: (count: number) => (count === 0 ? "Reminders" : `Reminders: ${amount(count)} due`),
  due: "Due",
  upcoming: "Upcoming",
  done: "Done",
  noneTitle: "No reminders",
  none: "Set one on a note or a file.",
  noneDue: "No reminders due.",
  all: "All reminders",
  untitled: "Empty note",
  on: (place: string) => `on ${isolate(place)}`,
  open: "Open note",
  markDone: "Done",
  snooze: "Snooze",
  remove: "Remove",
  change: "Change",
  otherTime: "Other time",
  today: (time: string) => `today ${time}`,
  tomorrow: (time: string) => `tomorrow ${time}`,
  yesterday: (time: string) => `yesterday ${time}`,
  onDay: (day: string, time: string) => `${day} ${time}`,
  inMinutes: (minutes: number) => (minutes === 60 ? "in 1 hour" : `in ${minutes} minutes`),
  toNotes: "View notes",
  presets: {
    "1h": "In 1 hour",
    "3h": "In 3 hours",
    "24h": "In 24 hours",
    "1w": "In 1 week",
    "today-21": "This evening",
    "tomorrow-09": "Tomorrow morning",
  },
  /** Used once the evening has passed. */
  tomorrowEvening: "Tomorrow evening",
  set: "Set reminder",
  comesTo: (devices: number) =>
    devices === 0
      ? "When it is due, it shows in the bell and in Reminders."
      : `When it is due, ${devices === 1 ? "your device gets" : `your ${amount(devices)} devices get`} a notification, and it shows in the bell.`,
  setFor: (time: string) => `Reminder: ${time}`,
  wasDue: (time: string) => `Due ${time}`,
  doneAt: (time: string) => `Done ${time}`,
  chosenTime: "Date and time",
  zone: "Time zone",
  zoneHint: "For example, Asia/Jerusalem.",
  setChosen: "Set",
  yourZone: (zone: string) => `Time zone: ${isolateLtr(zone)}`,
  saveZone: "Save time zone",
  said: {
    set: (time: string) => `Reminder set for ${time}`,
    done: () => "Done",
    removed: () => "Reminder removed",
    zoned: () => "Time zone saved",
  },
  undo: "Undo",
};
