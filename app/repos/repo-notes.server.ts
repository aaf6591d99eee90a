import { z } from "zod";
import { endpoint } from "#app/http/api/api.server.ts";
import { count, ok, timestamp } from "#app/http/api/shapes.server.ts";
import { readJson } from "#app/http/door/body.server.ts";
import {
  changedNoteShape,
  changedOnWire,
  createdNoteShape,
  noteInput,
  noteShape,
  notesOnWire,
  oneOnWire,
  prev_updated_at,
} from "#app/notes/note-wire.server.ts";
import {
  createRepoNote,
  listOrphanRepos,
  listRepoNotes,
  listRepoOrphans,
  type RepoTarget,
} from "#db/repos/repo-notes.server.ts";
import { reattachNote } from "#db/repos/repo-reattach.server.ts";
import {
  checkClaims,
  checkDraft,
  checkPrevUpdatedAt,
  checkUpdate,
  isObject,
  targetFields,
} from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toTimestampOrNull } from "#domain/time/timestamp.ts";

const orphaned = z.boolean().meta({ description: "Whether the mirrored copy lacks the file." });
const repoNotes = z.object({ ok, notes: z.array(noteShape), count, orphaned });
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

/** Notes on files of repositories. Names and paths are written with their slashes encoded; a path is also understood with plain ones. */
export const repoNoteEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/orphan-repos",
    gate: "user",
    summary: "List repositories that have notes and are not mirrored",
    returns: { 200: orphanRepos },
    answer: async ({ services: { db }, visitor: { user } }) => {
      const repos = await listOrphanRepos(db, user.id);
      return { ok: true, repos, count: repos.length };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/repo-orphans/:repo_name",
    gate: "user",
    summary: "List the notes of a repository whose files the mirror lacks",
    returns: { 200: repoOrphans },
    answer: async ({ services: { db }, visitor: { user }, params: { repo_name } }) => {
      const found = await listRepoOrphans(db, user.id, repo_name);
      if (isRefusal(found)) return found;
      const notes = await notesOnWire(db, user.id, found.notes);
      const last_sync_time = toTimestampOrNull(found.last_sync_time);
      return { ok: true, notes, count: notes.length, last_sync_time };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/repo/:repo_name/*repo_path",
    gate: "user",
    summary: "List the notes on a file of a repository",
    returns: { 200: repoNotes },
    answer: async ({ services: { db }, visitor: { user }, params }) => {
      const found = await listRepoNotes(db, user.id, toRepoTarget(params));
      if (isRefusal(found)) return found;
      const notes = await notesOnWire(db, user.id, found.notes);
      return { ok: true, notes, count: notes.length, orphaned: found.orphaned };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/repo/:repo_name/*repo_path",
    gate: "user",
    summary: "Put a note on a file of a mirrored repository",
    body: { described: noteInput },
    returns: { 201: createdNoteShape.extend({ orphaned }) },
    answer: async ({ request, services: { db, env, clock }, visitor: { user }, params }) => {
      const target = toRepoTarget(params);
      const given = await readJson(request);
      const update = isRefusal(given) ? given : checkUpdate(given);
      if (isRefusal(update)) return update;
      const misplaced = checkClaims(update.claims, { id: null, ...targetFields(target) });
      if (misplaced) return misplaced;
      const draft = checkDraft(update.changes);
      if (isRefusal(draft)) return draft;
      const quota = { maxPerUser: env.maxNotesPerUser };
      const created = await createRepoNote(db, user.id, target, draft, quota, clock());
      if (isRefusal(created)) return created;
      const note = await oneOnWire(db, user.id, created);
      return Response.json({ ok: true, id: note.id, note, orphaned: note.orphaned }, { status: 201 });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/reattach",
    gate: "user",
    summary: "Take an orphan to a file that the mirror has",
    body: { described: z.object({ repo_path: z.string(), prev_updated_at }) },
    returns: { 200: changedNoteShape },
    answer: async ({ request, services: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const given = await readJson(request);
      if (isRefusal(given)) return given;
      if (!isObject(given) || typeof given.repo_path !== "string")
        return Refusal("invalid_payload", { field: "repo_path", message: "repo_path must be text." });
      const prev = checkPrevUpdatedAt(given.prev_updated_at);
      if (isRefusal(prev)) return prev;
      const moved = await reattachNote(db, user.id, note_id, given.repo_path, { prev, now: clock() });
      return changedOnWire(db, user.id, moved);
    },
  }),
];
