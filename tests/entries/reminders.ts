import { required } from "#domain/required.ts";
import { defineEntries, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const REMINDERS_API = defineEntries({
  "GET /api/sticky-notes/reminders/summary": { door: "person", shows: ["reminders"] },
  "GET /api/sticky-notes/reminders/list": { door: "person", shows: ["reminders"] },
  "POST /api/sticky-notes/reminders/ack": {
    door: "owner",
    needs: "reminded",
    json: ({ note_id }) => ({ note_id }),
    takes: { note_id: WORD },
  },
  "GET /api/sticky-notes/note/:note_id/reminder": { door: "owner", needs: "reminded", shows: ["note"] },
  "POST /api/sticky-notes/note/:note_id/reminder": {
    door: "owner",
    needs: "note",
    json: () => ({ at: "2040-01-01T09:00", tz: "UTC" }),
    takes: { at: WORD, tz: WORD, preset: WORD },
  },
  "DELETE /api/sticky-notes/note/:note_id/reminder": { door: "owner", needs: "reminded", without: NOTHING },
  "POST /api/sticky-notes/note/:note_id/snooze": {
    door: "owner",
    needs: "reminded",
    json: () => ({ minutes: 10 }),
    mayBeEmpty: true,
    absent: "Reminder not found",
    takes: { minutes: WORD },
  },
  "GET /api/push/public-key": { door: "person", ok: 503, without: NOTHING },
  "POST /api/push/subscribe": { door: "person", json: () => ({}), ok: 400, takes: { endpoint: URL_LENGTH } },
  "DELETE /api/push/subscribe": {
    door: "person",
    json: () => ({}),
    ok: 400,
    takes: { endpoint: URL_LENGTH },
  },
  "GET /api/push/subscriptions": { door: "person", without: SHORT },
  "POST /api/push/subscriptions/cleanup": {
    door: "person",
    json: () => ({}),
    mayBeEmpty: true,
    without: NOTHING,
  },
  "DELETE /api/push/subscriptions/delete-all": { door: "person", without: NOTHING },
  "POST /api/push/sw-report": {
    door: "person",
    json: () => ({}),
    ok: 400,
    takes: { step: WORD, status: WORD },
  },
  "POST /api/push/test": {
    door: "person",
    json: () => ({}),
    ok: 503,
    mayBeEmpty: true,
    takes: { via: WORD },
  },
});

export const REMINDERS_PAGES = defineEntries({
  "GET /feeds/:secret/:name": { door: "anyone", needs: "feed", shows: ["feed"] },
  "GET /reminders": { door: "person", shows: ["reminders"] },
  "POST /reminders": {
    door: "owner",
    needs: "reminded",
    form: ({ note_id }) => ({ intent: "done", note_id: required(note_id) }),
    ok: 303,
    refused: 303,
    takes: { intent: WORD, at: WORD, tz: WORD, next: URL_LENGTH },
  },
  "GET /reminders/:note_id": { door: "owner", needs: "reminded", shows: ["note"] },
});
