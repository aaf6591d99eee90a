import {
  changedNoteShape,
  createdNoteShape,
  noteListShape,
  toUpdateAnswer,
  toWireNotes,
} from "#app/notes/note-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { done } from "#app/web/api/shapes.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { createNote, listNotes, updateNote } from "#db/notes/notes.server.ts";
import { removeNote, restoreNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { checkClaims, type NoteTarget, targetFields } from "#domain/notes/note.ts";
import { type NoteUpdate, noteInput, noteUpdate } from "#domain/notes/note-request.ts";
import { NOTE_REFUSALS, toDraft } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";

type Call = { services: WebServices; signedIn: SignedIn };

async function listTargetNotes({ services: { db }, signedIn: { user } }: Call, target: NoteTarget) {
  const listedNotes = await listNotes(db, user.id, target);
  if (isRefusal(listedNotes)) return listedNotes;
  const notes = await toWireNotes(db, user.id, listedNotes);
  return { ok: true, notes, count: notes.length };
}

async function createTargetNote(
  { services: { db, env, clock }, signedIn: { user }, body }: Call & { body: NoteUpdate },
  target: NoteTarget,
) {
  const refusal = checkClaims(body.claims, { id: null, ...targetFields(target) });
  if (refusal) return refusal;
  const fields = toDraft(body.changes);
  if (isRefusal(fields)) return fields;
  const quota = { maxPerUser: env.maxNotesPerUser };
  const createdNote = await createNote(db, user.id, { target, fields, quota, now: clock() });
  if (isRefusal(createdNote)) return createdNote;
  const [note] = await toWireNotes(db, user.id, [createdNote]);
  return Response.json({ ok: true, id: createdNote.id, note }, { status: 201 });
}

export const noteEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/board/:board_id",
    gate: "user",
    summary: "List the notes on a board",
    returns: { 200: noteListShape },
    answer: (call) => listTargetNotes(call, { kind: "board", board_id: call.params.board_id }),
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/board/:board_id",
    gate: "user",
    summary: "Add a note to a board",
    body: noteInput,
    refuses: [...NOTE_REFUSALS, "note_quota_exceeded"],
    returns: { 201: createdNoteShape },
    answer: (call) => createTargetNote(call, { kind: "board", board_id: call.params.board_id }),
  }),
  endpoint({
    method: "PUT",
    path: "/api/sticky-notes/note/:note_id",
    gate: "user",
    summary: "Update a note",
    body: noteUpdate,
    refuses: ["conflict", ...NOTE_REFUSALS],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const { changes, ...expectedState } = body;
      const result = await updateNote(db, user.id, note_id, changes, { ...expectedState, now: clock() });
      return toUpdateAnswer(db, user.id, result);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/sticky-notes/note/:note_id",
    gate: "user",
    summary: "Delete a note and its reminder",
    returns: { 200: done },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id } }) => {
      const result = await removeNote(db, user.id, note_id, clock());
      return isRefusal(result) ? result : { ok: true };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/restore",
    gate: "user",
    summary: "Restore a deleted note",
    refuses: ["note_quota_exceeded", "duplicate_title"],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, env, clock }, signedIn: { user }, params: { note_id } }) => {
      const quota = { maxPerUser: env.maxNotesPerUser };
      return toUpdateAnswer(db, user.id, await restoreNote(db, user.id, note_id, quota, clock()));
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/:file_id",
    gate: "user",
    summary: "List the notes on a file",
    returns: { 200: noteListShape },
    answer: (call) => listTargetNotes(call, { kind: "file", file_id: call.params.file_id }),
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/:file_id",
    gate: "user",
    summary: "Add a note to a file",
    body: noteInput,
    refuses: [...NOTE_REFUSALS, "note_quota_exceeded"],
    returns: { 201: createdNoteShape },
    answer: (call) => createTargetNote(call, { kind: "file", file_id: call.params.file_id }),
  }),
]);
