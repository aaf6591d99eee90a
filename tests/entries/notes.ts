import { RENDER_MAX_LENGTH } from "#app/viewers/render-task.ts";
import { BOARD_NAME_MAX } from "#domain/boards/board.ts";
import { CONTENT_MAX } from "#domain/notes/note.ts";
import { REPO_PATH_MAX } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";
import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { defineEntries, MEGABYTE, NOTE_TEXTS, NOTHING, SHORT, URL_LENGTH, WORD } from "./entry.ts";

export const NOTES_API = defineEntries({
  "GET /api/sticky-notes/:file_id": { door: "owner", needs: "file", shows: ["notes", "edited"] },
  "POST /api/sticky-notes/:file_id": {
    door: "owner",
    needs: "file",
    json: () => ({ content: "new" }),
    ok: 201,
    takes: NOTE_TEXTS,
    shows: ["file"],
  },
  "GET /api/sticky-notes/board/:board_id": { door: "owner", needs: "board", shows: ["board"] },
  "POST /api/sticky-notes/board/:board_id": {
    door: "owner",
    needs: "board",
    json: () => ({ content: "new" }),
    ok: 201,
    takes: NOTE_TEXTS,
  },
  "PUT /api/sticky-notes/note/:note_id": {
    door: "owner",
    needs: "note",
    json: () => ({ content: "changed" }),
    takes: { ...NOTE_TEXTS, prev_updated_at: WORD },
  },
  "DELETE /api/sticky-notes/note/:note_id": { door: "owner", needs: "note", without: NOTHING },
  "POST /api/sticky-notes/note/:note_id/restore": { door: "owner", needs: "goneNote", without: NOTHING },
  "POST /api/sticky-notes/note/:note_id/task": {
    door: "owner",
    needs: "note",
    json: () => ({ index: 9, checked: true }),
    ok: 409,
    takes: { prev_updated_at: WORD },
    shows: ["note"],
  },
  "POST /api/sticky-notes/note/:note_id/pin": {
    door: "owner",
    needs: "note",
    json: () => ({}),
    mayBeEmpty: true,
    anyShape: true,
    without: NOTHING,
  },
  "POST /api/sticky-notes/note/:note_id/move": {
    door: "owner",
    needs: "boardNote",
    json: ({ board_id }) => ({ board_id }),
    foreign: "Board not found",
    takes: { board_id: WORD },
  },
  "GET /api/sticky-notes/note/:note_id/history": { door: "owner", needs: "note", shows: ["note"] },
  "POST /api/sticky-notes/note/:note_id/restore-content": {
    door: "owner",
    needs: "editedNote",
    json: ({ updated_at }) => ({ updated_at }),
    takes: { updated_at: WORD },
  },
  "POST /api/sticky-notes/batch": {
    door: "person",
    json: () => ({ updates: [{}] }),
    bodyMaxBytes: 16 * MEGABYTE,
    takes: { updates: CONTENT_MAX },
  },
  "GET /api/note-boards": { door: "person", without: SHORT },
  "POST /api/note-boards": {
    door: "person",
    json: ({ file_name }) => ({ name: `b-${file_name}` }),
    ok: 201,
    takes: { name: BOARD_NAME_MAX },
  },
  "PATCH /api/note-boards/:board_id": {
    door: "owner",
    needs: "board",
    json: ({ board_id }) => ({ name: `n-${board_id}` }),
    takes: { name: BOARD_NAME_MAX },
  },
  "DELETE /api/note-boards/:board_id": { door: "owner", needs: "board", without: NOTHING },
  "GET /api/sticky-notes/orphan-repos": { door: "person", without: SHORT },
  // The caller's own notes: an unsynced mirror has no detached notes, and a person without a mirror has none.
  "GET /api/sticky-notes/repo-orphans/:repo_name": {
    door: "person",
    needs: "repo",
    ok: [200, 503],
    answersAbsent: ["repo_name"],
    shows: ["repo"],
  },
  "GET /api/sticky-notes/repo/:repo_name/*repo_path": {
    door: "person",
    needs: "repo",
    ok: [200, 503],
    answersAbsent: ["repo_name"],
    shows: ["repo"],
  },
  "POST /api/sticky-notes/note/:note_id/reattach": {
    door: "owner",
    needs: "note",
    json: () => ({ repo_path: "a" }),
    ok: 400,
    takes: { repo_path: REPO_PATH_MAX },
  },
  "POST /api/sticky-notes/repo/:repo_name/*repo_path": {
    door: "owner",
    needs: "repo",
    json: () => ({ content: "one" }),
    ok: 503,
    takes: NOTE_TEXTS,
    shows: ["repo"],
  },
});

export const NOTES_PAGES = defineEntries({
  "GET /notes": { door: "person", takes: { q: NEEDLE_MAX, color: WORD }, shows: ["notes"] },
  "GET /notes/new": {
    door: "owner",
    needs: "file",
    query: "?file=:id",
    takes: { heading: WORD, L: WORD },
    shows: ["document"],
  },
  "POST /notes/new": {
    door: "owner",
    needs: "file",
    query: "?file=:id",
    form: () => ({ content: "one" }),
    ok: 303,
    takes: { ...NOTE_TEXTS, line_start: WORD, x: WORD },
  },
  "GET /notes/preview": { door: "person", ok: 302, without: NOTHING },
  "POST /notes/preview": {
    door: "person",
    form: () => ({ content: "one", mode: "file" }),
    takes: { content: RENDER_MAX_LENGTH, note_id: WORD, folder: WORD },
  },
  "GET /note/:id": { door: "owner", needs: "note", ok: 302, shows: ["note"] },
  "POST /note/:id": {
    door: "owner",
    needs: "note",
    form: () => ({ intent: "remove" }),
    ok: 303,
    refused: 303,
    takes: { intent: WORD, next: URL_LENGTH, prev_updated_at: WORD },
    shows: ["note"],
  },
  "GET /note/:id/edit": { door: "owner", needs: "note", shows: ["note"] },
  "POST /note/:id/edit": {
    door: "owner",
    needs: "note",
    form: () => ({ content: "new" }),
    ok: 303,
    takes: { ...NOTE_TEXTS, shown: 2_000, mine: CONTENT_MAX },
    shows: ["note"],
  },
  "GET /note/:id/history": { door: "owner", needs: "editedNote", shows: ["note"] },
  "POST /note/:id/history": {
    door: "owner",
    needs: "editedNote",
    form: ({ updated_at }) => ({ at: String(Date.parse(required(updated_at))) }),
    ok: 303,
    takes: { at: WORD },
    shows: ["note"],
  },
  "GET /boards": { door: "person", takes: { move: WORD } },
  "POST /boards": {
    door: "person",
    form: ({ file_name }) => ({ intent: "create", name: required(file_name) }),
    ok: 303,
    takes: { intent: WORD, name: BOARD_NAME_MAX },
  },
  "GET /boards/:id": { door: "owner", needs: "board", shows: ["board"] },
});
