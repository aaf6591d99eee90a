import { LOCALES, type Locale } from "#domain/locale.ts";

/**
 * The messages to browsers: the notification to show and the ids that the service worker acts on. The worker process sends them,
 * so their words are here and not among the pages' words. Notifications with the same tag replace each other, so a repeated message
 * is not seen twice; messages with the same topic do so while they wait at the push service.
 */
export type PushText = { text: string; topic: string };

type Action = { action: string; title: string };
type Message = {
  notification: {
    title: string;
    body: string;
    tag: string;
    actions: Action[];
    lang: Locale;
    dir: "ltr" | "rtl";
  };
  data: Record<string, string | null>;
};

const BODY_MAX_CHARACTERS = 200;

const WORDS = {
  en: {
    reminder: "Reminder",
    wordless: "Open the note",
    open: "Open",
    snooze_10: "In 10 minutes",
    snooze_60: "In an hour",
    snooze_1440: "Tomorrow",
    created: "File added",
    changed: "File changed",
    note_added: "Note added",
    note_moved: "Note moved",
    task_changed: "Task updated",
    reminder_set: "Reminder set",
    test: "Notifications are on",
    testBody: "Reminders will look like this.",
  },
  he: {
    reminder: "תזכורת",
    wordless: "פתיחת הפתק",
    open: "פתיחה",
    snooze_10: "בעוד 10 דקות",
    snooze_60: "בעוד שעה",
    snooze_1440: "מחר",
    created: "קובץ נוסף",
    changed: "קובץ השתנה",
    note_added: "פתק נוסף",
    note_moved: "פתק הועבר",
    task_changed: "משימה עודכנה",
    reminder_set: "נקבעה תזכורת",
    test: "ההתראות פועלות",
    testBody: "כך ייראו התזכורות.",
  },
} satisfies Record<Locale, Record<string, string>>;

const SNOOZES = ["snooze_10", "snooze_60", "snooze_1440"] as const;

export type ReminderPush = {
  note_id: string;
  file_id: string | null;
  board_id: string | null;
  /** In the format of the API: the service worker sends it back to acknowledge exactly this time. */
  remind_at: string;
  preview: string;
};

export function reminderMessage(reminder: ReminderPush, locale: Locale): PushText {
  const words = WORDS[locale];
  const { preview, ...ids } = reminder;
  return {
    topic: `r${reminder.note_id}`,
    text: toMessageJson(locale, {
      title: words.reminder,
      body: preview || words.wordless,
      tag: `reminder-${reminder.note_id}`,
      actions: ["open", ...SNOOZES] as const,
      data: { type: "note_reminder", ...ids },
    }),
  };
}

export type FileSavedPush = { file_id: string; file_name: string; created: boolean };

export function fileSavedMessage(saved: FileSavedPush, locale: Locale): PushText {
  return {
    topic: `f${saved.file_id}`.slice(0, 32),
    text: toMessageJson(locale, {
      title: saved.created ? WORDS[locale].created : WORDS[locale].changed,
      body: saved.file_name,
      tag: `file-${saved.file_id}`,
      actions: ["open"],
      data: { type: "file_saved", file_id: saved.file_id },
    }),
  };
}

/** The changes to notes that agents make. */
export const NOTE_NEWS_KINDS = ["note_added", "note_moved", "task_changed", "reminder_set"] as const;
export type NoteNewsKind = (typeof NOTE_NEWS_KINDS)[number];
type NoteNewsPush = { kind: NoteNewsKind; note_id: string; preview: string };

export function noteNewsMessage({ kind, note_id, preview }: NoteNewsPush, locale: Locale): PushText {
  const words = WORDS[locale];
  return {
    topic: `n${note_id}`.slice(0, 32),
    text: toMessageJson(locale, {
      title: words[kind],
      body: preview || words.wordless,
      tag: `note-${note_id}`,
      actions: ["open"],
      data: { type: kind, note_id },
    }),
  };
}

export function testMessage(locale: Locale): PushText {
  const { test, testBody } = WORDS[locale];
  const content = { title: test, body: testBody, tag: "push-test", actions: [], data: { type: "push_test" } };
  return { topic: "push-test", text: toMessageJson(locale, content) };
}

type ActionName = "open" | (typeof SNOOZES)[number];
type MessageContent = Pick<Message["notification"], "title" | "body" | "tag"> & {
  actions: readonly ActionName[];
  data: Message["data"];
};

function toMessageJson(locale: Locale, { title, body, tag, actions, data }: MessageContent): string {
  const words = WORDS[locale];
  const message: Message = {
    notification: {
      title,
      body: shorten(body),
      tag,
      actions: actions.map((action) => ({ action, title: words[action] })),
      lang: locale,
      dir: LOCALES[locale].dir,
    },
    data,
  };
  return JSON.stringify(message);
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > BODY_MAX_CHARACTERS
    ? `${characters.slice(0, BODY_MAX_CHARACTERS - 1).join("")}…`
    : text;
}
