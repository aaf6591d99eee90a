import { z } from "zod";
import {
  changedNoteShape,
  createdNoteShape,
  noteShape,
  toUpdateAnswer,
  toWireNote,
  toWireNotes,
} from "#app/notes/note-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, ok, timestamp } from "#app/web/api/shapes.server.ts";
import {
  createRepoNote,
  listRepoNotes,
  listRepoOrphans,
  listUnmirroredRepos,
  type RepoTarget,
} from "#db/notes/repos/repo-notes.server.ts";
import { reattachNote } from "#db/notes/repos/repo-reattach.server.ts";
import { checkClaims, targetFields } from "#domain/notes/note.ts";
import { noteInput, noteReattachment } from "#domain/notes/note-request.ts";
import { NOTE_REFUSALS, toDraft } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toTimestampOrNull } from "#domain/time/timestamp.ts";

const isOrphaned = z.boolean().meta({ description: "Whether the mirrored copy lacks the file." });
const repoNotes = z.object({ ok, notes: z.array(noteShape), count, orphaned: isOrphaned });
const repoOrphans = z.object({
  ok,
  notes: z.array(noteShape),
  count,
  last_sync_time: timestamp.nullable().meta({ description: "Null where nothing was synced." }),
});
const orphanRepos = z.object({
  ok,
  repos: z.array(z.object({ repo_name: z.string(), notes: count })),
  count,
});

const toRepoTarget = (params: Record<"repo_name" | "repo_path", string>): RepoTarget => ({
  kind: "repo",
  ...params,
});

/** Notes on files of repositories. Names and paths are written with encoded slashes; a path with plain slashes is understood too. */
export const repoNoteEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/orphan-repos",
    gate: "user",
    summary: "List removed mirrors that have notes",
    returns: { 200: orphanRepos },
    answer: async ({ services: { db }, signedIn: { user } }) => {
      const repos = await listUnmirroredRepos(db, user.id);
      return { ok: true, repos, count: repos.length };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/repo-orphans/:repo_name",
    gate: "user",
    summary: "List the detached notes of a repository",
    refuses: ["repo_not_synced"],
    returns: { 200: repoOrphans },
    answer: async ({ services: { db }, signedIn: { user }, params: { repo_name } }) => {
      const result = await listRepoOrphans(db, user.id, repo_name);
      if (isRefusal(result)) return result;
      const notes = await toWireNotes(db, user.id, result.notes);
      const last_sync_time = toTimestampOrNull(result.last_sync_time);
      return { ok: true, notes, count: notes.length, last_sync_time };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/repo/:repo_name/*repo_path",
    gate: "user",
    summary: "List the notes on a repository file",
    refuses: ["repo_not_synced"],
    returns: { 200: repoNotes },
    answer: async ({ services: { db }, signedIn: { user }, params }) => {
      const result = await listRepoNotes(db, user.id, toRepoTarget(params));
      if (isRefusal(result)) return result;
      const notes = await toWireNotes(db, user.id, result.notes);
      return { ok: true, notes, count: notes.length, orphaned: result.orphaned };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/repo/:repo_name/*repo_path",
    gate: "user",
    summary: "Add a note to a repository file",
    body: noteInput,
    refuses: ["repo_path_not_found", "repo_not_synced", ...NOTE_REFUSALS, "note_quota_exceeded"],
    returns: { 201: createdNoteShape.extend({ orphaned: isOrphaned }) },
    answer: async ({ services: { db, env, clock }, signedIn: { user }, params, body }) => {
      const target = toRepoTarget(params);
      const refusal = checkClaims(body.claims, { id: null, ...targetFields(target) });
      if (refusal) return refusal;
      const fields = toDraft(body.changes);
      if (isRefusal(fields)) return fields;
      const quota = { maxPerUser: env.maxNotesPerUser };
      const createdNote = await createRepoNote(db, user.id, { target, fields, quota, now: clock() });
      if (isRefusal(createdNote)) return createdNote;
      const note = await toWireNote(db, user.id, createdNote);
      return Response.json({ ok: true, id: note.id, note, orphaned: note.orphaned }, { status: 201 });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/reattach",
    gate: "user",
    summary: "Attach detached notes to a file",
    body: noteReattachment,
    refuses: [
      "invalid_prev_updated_at",
      "target_fixed",
      "repo_not_found",
      "repo_path_not_found",
      "conflict",
      "duplicate_title",
      "repo_not_synced",
    ],
    returns: { 200: changedNoteShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const expectedState = { prev: body.prev_updated_at ?? undefined, now: clock() };
      const result = await reattachNote(db, user.id, note_id, body.repo_path, expectedState);
      return toUpdateAnswer(db, user.id, result);
    },
  }),
]);
