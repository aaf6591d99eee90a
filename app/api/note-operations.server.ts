import { BATCH_MAX_BYTES, checkBatch, runBatch } from "#app/api/note-batch.server.ts";
import { changedOnWire, oneOnWire, refusalOnWire } from "#app/api/note-wire.server.ts";
import { endpoint } from "#app/http/api.server.ts";
import { readJson } from "#app/http/body.server.ts";
import type { Db } from "#db/client.ts";
import { listPastContents, restoreContent } from "#db/note-history.server.ts";
import { pinNote } from "#db/note-pins.server.ts";
import { searchNotes } from "#db/note-search.server.ts";
import { toggleTask } from "#db/note-tasks.server.ts";
import { findNote } from "#db/notes.server.ts";
import { checkPrevUpdatedAt, isObject } from "#domain/note.ts";
import { checkNoteSearch } from "#domain/note-search.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { parseTimestamp, toTimestamp } from "#domain/timestamp.ts";

/** What is done with notes beyond keeping them. These paths come before those that end in an id. */
export const noteOperationEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/batch",
    gate: "user",
    answer: async ({ request, shelf: { db, clock }, visitor: { user } }) => {
      const given = await readJson(request, BATCH_MAX_BYTES);
      const updates = isRefusal(given) ? given : checkBatch(given);
      if (isRefusal(updates)) return updates;
      return { ok: true, results: await runBatch(db, user.id, updates, clock()) };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/search",
    gate: "user",
    answer: async ({ request, shelf: { db }, visitor: { user } }) => {
      const search = checkNoteSearch(Object.fromEntries(new URL(request.url).searchParams));
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
    answer: async ({ request, shelf: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const given = await readJson(request);
      const tick = isRefusal(given) ? given : checkTick(given);
      const result = isRefusal(tick)
        ? await withStored(db, user.id, note_id, tick)
        : await toggleTask(db, user.id, note_id, tick, clock());
      if (isRefusal(result)) {
        const refusal = await refusalOnWire(db, user.id, result);
        return Refusal(refusal.refused, { content: null, ...refusal.context });
      }
      const note = await oneOnWire(db, user.id, result.note);
      const { content, updated_at } = note;
      return { ok: true, changed: result.changed, content, updated_at, note };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/pin",
    gate: "user",
    answer: async ({ request, shelf: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const given = await readJson(request);
      if (isRefusal(given)) return given;
      const prev = checkPrevUpdatedAt(isObject(given) ? given.prev_updated_at : undefined);
      if (isRefusal(prev)) return prev;
      return changedOnWire(db, user.id, await pinNote(db, user.id, note_id, { prev, now: clock() }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/note/:note_id/history",
    gate: "user",
    answer: async ({ shelf: { db }, visitor: { user }, params: { note_id } }) => {
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
    answer: async ({ request, shelf: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const given = await readJson(request);
      if (isRefusal(given)) return given;
      const writtenAt = parseTimestamp(isObject(given) ? given.updated_at : undefined);
      if (!writtenAt) return Refusal("invalid_payload", { field: "updated_at" });
      const prev = checkPrevUpdatedAt(isObject(given) ? given.prev_updated_at : undefined);
      if (isRefusal(prev)) return prev;
      const restored = await restoreContent(db, user.id, note_id, writtenAt, { prev, now: clock() });
      return changedOnWire(db, user.id, restored);
    },
  }),
];

function checkTick(given: unknown): { index: number; checked: boolean; prev?: Date } | Refusal {
  const wrong = (field: string, wanted: string) =>
    Refusal("invalid_payload", { field, message: `${field} must be ${wanted}.` });
  if (!isObject(given)) return Refusal("invalid_payload");
  const { index, checked, prev_updated_at } = given;
  if (!Number.isInteger(index) || (index as number) < 0) return wrong("index", "a whole number from 0 on");
  if (typeof checked !== "boolean") return wrong("checked", "true or false");
  const prev = checkPrevUpdatedAt(prev_updated_at);
  return isRefusal(prev) ? prev : { index: index as number, checked, prev };
}

/** A note that is not there comes before anything wrong with the request; any other refusal carries what is stored. */
async function withStored(db: Db, ownerId: string, note_id: string, refusal: Refusal): Promise<Refusal> {
  const note = await findNote(db, ownerId, note_id);
  return note
    ? Refusal(refusal.refused, { ...refusal.context, note })
    : Refusal("note_not_found", { note_id });
}
