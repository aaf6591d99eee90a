/** Reminders, their feeds and the devices that get them. */
import { required } from "#domain/required.ts";
import { type Entry, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

const SOON = "2040-01-01T09:00";

export const REMINDERS_API: readonly Entry[] = [
  { call: "GET /api/sticky-notes/reminders/summary", door: "person", shows: ["reminders"] },
  { call: "GET /api/sticky-notes/reminders/list", door: "person", shows: ["reminders"] },
  {
    call: "POST /api/sticky-notes/reminders/ack",
    door: "owner",
    needs: "reminded",
    json: ({ note_id }) => ({ note_id }),
    takes: { note_id: WORD },
  },
  { call: "GET /api/sticky-notes/note/:note_id/reminder", door: "owner", needs: "reminded", shows: ["note"] },
  {
    call: "POST /api/sticky-notes/note/:note_id/reminder",
    door: "owner",
    needs: "note",
    json: () => ({ at: SOON, tz: "UTC" }),
    takes: { at: WORD, tz: WORD, preset: WORD },
  },
  {
    call: "DELETE /api/sticky-notes/note/:note_id/reminder",
    door: "owner",
    needs: "reminded",
    without: NOTHING,
  },
  {
    call: "POST /api/sticky-notes/note/:note_id/snooze",
    door: "owner",
    needs: "reminded",
    json: () => ({ minutes: 10 }),
    mayBeEmpty: true,
    absent: "Reminder not found",
    takes: { minutes: WORD },
  },
  { call: "GET /api/push/public-key", door: "person", ok: 503, without: NOTHING },
  {
    call: "POST /api/push/subscribe",
    door: "person",
    json: () => ({}),
    ok: 400,
    takes: { endpoint: URL_LENGTH },
  },
  {
    call: "DELETE /api/push/subscribe",
    door: "person",
    json: () => ({}),
    ok: 400,
    takes: { endpoint: URL_LENGTH },
  },
  { call: "GET /api/push/subscriptions", door: "person", without: SHORT },
  {
    call: "POST /api/push/subscriptions/cleanup",
    door: "person",
    json: () => ({}),
    mayBeEmpty: true,
    without: NOTHING,
  },
  { call: "DELETE /api/push/subscriptions/delete-all", door: "person", without: NOTHING },
  {
    call: "POST /api/push/sw-report",
    door: "person",
    json: () => ({}),
    ok: 400,
    takes: { step: WORD, status: WORD },
  },
  {
    call: "POST /api/push/test",
    door: "person",
    json: () => ({}),
    ok: 503,
    mayBeEmpty: true,
    takes: { via: WORD },
  },
];

export const REMINDERS_PAGES: readonly Entry[] = [
  { call: "GET /feeds/:secret/:name", door: "anyone", needs: "feed", shows: ["feed"] },
  { call: "GET /reminders", door: "person", shows: ["reminders"] },
  {
    call: "POST /reminders",
    door: "owner",
    needs: "reminded",
    form: ({ note_id }) => ({ intent: "done", note_id: required(note_id) }),
    ok: 303,
    refused: 303,
    takes: { intent: WORD, at: WORD, tz: WORD, next: URL_LENGTH },
  },
  { call: "GET /reminders/:note_id", door: "owner", needs: "reminded", shows: ["note"] },
];
