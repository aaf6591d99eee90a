import { describe, expect, it } from "vitest";
import type { Locale } from "#domain/locale.ts";
import {
  fileSavedMessage,
  NOTE_NEWS_KINDS,
  noteNewsMessage,
  type PushText,
  reminderMessage,
  testMessage,
} from "#domain/reminders/push-message.ts";

const read = ({ text }: PushText) => JSON.parse(text);
const REMINDER = {
  note_id: "n1",
  file_id: "f1",
  board_id: null,
  remind_at: "2026-11-14T09:00:00.000+00:00",
  preview: "Water the plants",
};
const LONG_ID = "a".repeat(40);

describe("a notification", () => {
  it("of a reminder has its preview, its ways to snooze and the ids to answer with", () => {
    const message = reminderMessage(REMINDER, "en");
    const { preview: _, ...ids } = REMINDER;
    expect(message.topic).toBe("rn1");
    expect(read(message)).toEqual({
      notification: {
        title: "Reminder",
        body: "Water the plants",
        tag: "reminder-n1",
        actions: [
          { action: "open", title: "Open" },
          { action: "snooze_10", title: "In 10 minutes" },
          { action: "snooze_60", title: "In an hour" },
          { action: "snooze_1440", title: "Tomorrow" },
        ],
        lang: "en",
        dir: "ltr",
      },
      data: { type: "note_reminder", ...ids },
    });
  });

  it("is in the reader's language and direction", () => {
    expect(read(reminderMessage({ ...REMINDER, preview: "" }, "he")).notification).toMatchObject({
      ...{ title: "תזכורת", body: "פתיחת הפתק", lang: "he", dir: "rtl" },
      actions: [{ title: "פתיחה" }, { title: "בעוד 10 דקות" }, { title: "בעוד שעה" }, { title: "מחר" }],
    });
  });

  it("has words of its own in each language", () => {
    const words = (locale: Locale) =>
      [
        fileSavedMessage({ file_id: "f", file_name: "a", created: true }, locale),
        fileSavedMessage({ file_id: "f", file_name: "b", created: false }, locale),
        ...NOTE_NEWS_KINDS.map((kind) => noteNewsMessage({ kind, note_id: "n", preview: kind }, locale)),
        testMessage(locale),
      ].flatMap((message) => {
        const { title, body } = read(message).notification;
        return [title, body];
      });
    const all = [...new Set([...words("en"), ...words("he")])];
    // Seven titles and the body of a test in two languages, and six given bodies.
    expect(all).toHaveLength(8 * 2 + 6);
    expect(all).not.toContain("");
  });

  it("cuts a long preview after 200 characters, whole ones", () => {
    const writeBody = (preview: string) =>
      read(reminderMessage({ ...REMINDER, preview }, "en")).notification.body;
    expect(writeBody("😀".repeat(200))).toBe("😀".repeat(200));
    expect(writeBody("😀".repeat(201))).toBe(`${"😀".repeat(199)}…`);
  });

  it("of a saved file tells a new one from a changed one, and replaces the one before", () => {
    const saved = { file_id: LONG_ID, file_name: "a.py", created: true };
    const message = fileSavedMessage(saved, "en");
    expect(message.topic).toBe(`f${"a".repeat(31)}`);
    expect(read(message)).toMatchObject({
      notification: {
        title: "File added",
        body: "a.py",
        tag: `file-${LONG_ID}`,
        actions: [{ action: "open" }],
      },
      data: { type: "file_saved", file_id: LONG_ID },
    });
    const { notification } = read(fileSavedMessage({ ...saved, created: false }, "en"));
    expect(notification.title).toBe("File changed");
  });

  it("of a note names what was done to it", () => {
    const news = NOTE_NEWS_KINDS.map((kind) =>
      noteNewsMessage({ kind, note_id: LONG_ID, preview: "" }, "en"),
    );
    expect(news.map(({ topic }) => topic)).toEqual(news.map(() => `n${"a".repeat(31)}`));
    expect(news.map(read)).toMatchObject(
      [
        ["note_added", "Note added"],
        ["note_moved", "Note moved"],
        ["task_changed", "Task updated"],
        ["reminder_set", "Reminder set"],
      ].map(([type, title]) => ({
        notification: { title, body: "Open the note", tag: `note-${LONG_ID}`, actions: [{ title: "Open" }] },
        data: { type, note_id: LONG_ID },
      })),
    );
  });

  it("for a test offers no action", () => {
    expect(testMessage("en").topic).toBe("push-test");
    expect(read(testMessage("en"))).toEqual({
      notification: {
        title: "Notifications are on",
        body: "Reminders will look like this.",
        ...{ tag: "push-test", actions: [], lang: "en", dir: "ltr" },
      },
      data: { type: "push_test" },
    });
  });
});
