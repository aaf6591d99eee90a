import { z } from "zod";
import { applyNoteUpdates, BATCH_MAX_BYTES } from "#app/notes/note-batch.server.ts";
import {
  changedNoteShape,
  noteShape,
  toUpdateAnswer,
  toWireNote,
  toWireRefusal,
} from "#app/notes/note-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, createNumberText, LIMIT, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { listPastContents, restoreContent } from "#db/notes/note-history.server.ts";
import { confirmNotePlace } from "#db/notes/note-pins.server.ts";
import { toggleTask } from "#db/notes/note-tasks.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { moveToBoard } from "#db/reminders/notes/note-board.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { NOTE_KINDS } from "#domain/notes/note.ts";
import { contentRestore, noteBatch, noteMove, noteState, taskTick } from "#domain/notes/note-request.ts";
import { noteTargetFields } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  checkNoteSearch,
  NOTE_SEARCH_DEFAULT_LIMIT,
  NOTE_SEARCH_MAX_LIMIT,
} from "#domain/search/note-search.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const batchResult = z.looseObject({
  id: z.string().nullable(),
  ok: z.boolean(),
  status: z.int(),
  updated_at: timestamp.optional(),
  note: noteShape.optional(),
});
const noteQuery = z.object({
  q: z.string().optional().describe("Words to find in the title or content of a note."),
  color: z.string().optional().describe("Only notes of this colour: a name such as `yellow`, or `#rrggbb`."),
  limit: createNumberText({
    minimum: 1,
    maximum: NOTE_SEARCH_MAX_LIMIT,
    default: NOTE_SEARCH_DEFAULT_LIMIT,
  }).describe(LIMIT),
});
const noteHit = z
  .object({
    id: opaqueId,
    url: z.string(),
    title: z.string().nullable(),
    color: z.string(),
    preview: z.string(),
    preview_truncated: z.boolean(),
    updated_at: timestamp,
    kind: z.enum(NOTE_KINDS),
    ...noteTargetFields,
    file_name: z.string().nullable(),
    board_name: z.string().nullable(),
  })
  .meta({ id: "FoundNote" });
const noteHits = z.object({
  ok,
  query: z.string(),
  count,
  has_more: z.boolean(),
  results: z.array(noteHit),
});
const taskResult = changedNoteShape.extend({ changed: z.boolean(), content: z.string() });
const contentHistory = z.object({
  ok,
  note_id: opaqueId,
  contents: z.array(z.object({ content: z.string(), updated_at: timestamp })),
  count,
});

/** Operations on notes other than create, read, update and delete. Their paths are matched before those that end in an id. */
export const noteOperationEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/batch",
    gate: "user",
    summary: "Update several notes; each has its own result",
    body: { deferred: noteBatch, maxBytes: BATCH_MAX_BYTES },
    returns: { 200: z.object({ ok, results: z.array(batchResult) }) },
    answer: async ({ services: { db, clock }, signedIn: { user }, body }) => {
      const batch = await body();
      if (isRefusal(batch)) return batch;
      return { ok: true, results: await applyNoteUpdates(db, user.id, batch.updates, clock()) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/search",
    gate: "user",
    summary: "Search notes by title and content",
    query: noteQuery,
    refuses: ["empty_query", "query_too_long", "invalid_limit", "invalid_color"],
    returns: { 200: noteHits },
    answer: async ({ query, services: { db }, signedIn: { user } }) => {
      const search = checkNoteSearch(query);
      if (isRefusal(search)) return search;
      const { notes, more } = await searchNotes(db, user.id, search);
      db.emit("business_metric", { metric: "search" });
      const results = notes.map((note) => ({
        ...note,
        url: `/note/${note.id}`,
        updated_at: toTimestamp(note.updated_at),
      }));
      return { ok: true, query: search.needle, count: results.length, has_more: more, results };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/task",
    gate: "user",
    summary: "Check or uncheck a task of a note",
    onFailure: { content: null },
    body: { deferred: taskTick },
    refuses: ["invalid_prev_updated_at", "conflict", "task_index_not_found", "library_full"],
    returns: { 200: taskResult },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const tick = await body();
      const result = isRefusal(tick)
        ? await addStoredNote(db, user.id, note_id, tick)
        : await toggleTask(db, user.id, note_id, tick, clock());
      if (isRefusal(result)) {
        const refusal = await toWireRefusal(db, user.id, result);
        return Refusal(refusal.refused, refusal.context);
      }
      const note = await toWireNote(db, user.id, result.note);
      const { content, updated_at } = note;
      return { ok: true, changed: result.changed, content, updated_at, note };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/pin",
    gate: "user",
    summary: "Attach a note to its current lines",
    body: noteState,
    refuses: ["invalid_prev_updated_at", "conflict", "anchor_lost"],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const prev = body.prev_updated_at ?? undefined;
      return toUpdateAnswer(
        db,
        user.id,
        await confirmNotePlace(db, user.id, note_id, { prev, now: clock() }),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/move",
    gate: "user",
    summary: "Move a note to a board, from another board or from a file",
    body: noteMove,
    refuses: ["board_not_found", "target_fixed", "duplicate_title", "note_quota_exceeded"],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const { board_id: boardId, position } = body;
      const result = await moveToBoard(db, user.id, note_id, { boardId, position }, clock());
      return toUpdateAnswer(db, user.id, isRefusal(result) ? result : result.note);
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/note/:note_id/history",
    gate: "user",
    summary: "List earlier versions of a note",
    returns: { 200: contentHistory },
    answer: async ({ services: { db }, signedIn: { user }, params: { note_id } }) => {
      const past = await listPastContents(db, user.id, note_id);
      if (isRefusal(past)) return past;
      const contents = past.map(({ content, updated_at }) => ({
        content,
        updated_at: toTimestamp(updated_at),
      }));
      return { ok: true, note_id, contents, count: contents.length };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/restore-content",
    gate: "user",
    summary: "Restore an earlier version of a note",
    body: contentRestore,
    refuses: ["note_content_not_found", "conflict", "invalid_prev_updated_at"],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const expectedState = { prev: body.prev_updated_at ?? undefined, now: clock() };
      const result = await restoreContent(db, user.id, note_id, body.updated_at, expectedState);
      return toUpdateAnswer(db, user.id, result);
    },
  }),
]);

/** Refuses with "not found" if the note is missing. Other refusals carry the stored note. */
async function addStoredNote(db: Db, ownerId: string, note_id: string, refusal: Refusal): Promise<Refusal> {
  const note = await findNote(db, ownerId, note_id);
  return note
    ? Refusal(refusal.refused, { ...refusal.context, note })
    : Refusal("note_not_found", { note_id });
}
