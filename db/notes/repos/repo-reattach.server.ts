import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { toDuplicateTitleRefusal } from "#db/notes/note-places.server.ts";
import { conflict, findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { listRepoNotes, type RepoTarget, unreadableTree } from "#db/notes/repos/repo-notes.server.ts";
import { findMirroredPaths } from "#db/repos/repo-trees.server.ts";
import { computeChangeTime, notesPerTarget, targetKey } from "#domain/notes/note.ts";
import { checkOrphaned } from "#domain/notes/orphans.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

type ReattachOptions = { prev?: Date; now: Date };

/**
 * Moves an orphan to a file that the mirror of its repository has, with a single write that requires the note to be unchanged.
 * A note whose file exists stays with it.
 */
export async function reattachNote(
  db: Db,
  ownerId: string,
  noteId: string,
  repo_path: string,
  { prev, now }: ReattachOptions,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  if (prev && prev.getTime() !== note.updated_at.getTime()) return conflict(note);
  return (await findReattachRefusal(db, note, repo_path)) ?? moveNoteToPath(db, note, repo_path, now);
}

async function findReattachRefusal(db: Db, note: NoteRecord, repo_path: string): Promise<Refusal | null> {
  const { user_id, kind, repo_name, repo_path: from } = note;
  if (kind !== "repo" || repo_name === null || from === null)
    return Refusal("target_fixed", { field: "repo_path" });
  const { tree } = await findMirroredPaths(db, user_id, repo_name, [from, repo_path]);
  if (tree.state === "absent") return Refusal("repo_not_found", { repo_name });
  const orphaned = checkOrphaned(tree, from);
  if (orphaned === null) return unreadableTree(repo_name);
  if (!orphaned) return Refusal("target_fixed", { field: "repo_path" });
  return checkOrphaned(tree, repo_path)
    ? Refusal("repo_path_not_found", { repo_name, path: repo_path })
    : null;
}

async function moveNoteToPath(
  db: Db,
  note: NoteRecord,
  repo_path: string,
  now: Date,
): Promise<NoteRecord | Refusal> {
  const { id, user_id, updated_at, title } = note;
  const newTarget: RepoTarget = {
    kind: "repo",
    repo_name: required(note.repo_name, "repository of a note"),
    repo_path,
  };
  const target = targetKey(newTarget);
  const max = notesPerTarget(newTarget);
  const write = async () => {
    const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", max);
    if (target_slot === null) return Refusal("note_quota_exceeded", { max, per: "repo" });
    const changes = { repo_path, target, target_slot, updated_at: computeChangeTime(now, updated_at) };
    const doc = await db.notes.findOneAndUpdate(
      { _id: new ObjectId(id), user_id, deleted_at: null, updated_at },
      { $set: title ? { ...changes, titled_in: target } : changes },
      { returnDocument: "after", projection: LIGHT },
    );
    if (doc) return toNote(doc);
    const newer = await findNote(db, user_id, id);
    return newer ? conflict(newer) : noteNotFound(id);
  };
  try {
    return await writeWithFreeSlot(write, (field) => field === "target_slot");
  } catch (error) {
    return toDuplicateTitleRefusal(error, title);
  }
}

/** Reattaches all orphans of one file; those that cannot be moved stay, and the first reason is returned. */
export async function reattachFileNotes(
  db: Db,
  ownerId: string,
  from: RepoTarget,
  repo_path: string,
  now: Date,
): Promise<{ moved: number; refusal: Refusal | null } | Refusal> {
  const listing = await listRepoNotes(db, ownerId, from);
  if (isRefusal(listing)) return listing;
  let moved = 0;
  let refusal: Refusal | null = null;
  for (const { id } of listing.notes) {
    const result = await reattachNote(db, ownerId, id, repo_path, { now });
    if (isRefusal(result)) refusal ??= result;
    else moved += 1;
  }
  return { moved, refusal };
}
