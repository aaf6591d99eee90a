import { ObjectId } from "mongodb";
import { findBoard } from "#db/boards.server.ts";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files.server.ts";
import {
  LIGHT,
  type NoteDoc,
  type NoteRecord,
  type PastContent,
  targetOf,
  toNote,
} from "#db/note-docs.server.ts";
import { removeReminders } from "#db/reminders.server.ts";
import { duplicateFields, findFreeSlot, takingSlots } from "#db/slots.server.ts";
import {
  checkLines,
  hasUniqueTitles,
  isNoteId,
  type NoteChanges,
  type NoteFields,
  type NoteTarget,
  nextMoment,
  notesPerTarget,
  targetKey,
} from "#domain/note.ts";
import { Refusal } from "#domain/refusal.ts";

export type { NoteRecord } from "#db/note-docs.server.ts";

export const HISTORY_MAX = 20;
const DELETED_DAYS = 30;
const DAY_MS = 86_400_000;
const WRITE_ATTEMPTS = 100;

/** The notes in one place, oldest first. */
export async function listNotes(
  db: Db,
  ownerId: string,
  target: NoteTarget,
): Promise<NoteRecord[] | Refusal> {
  const missing = await missingTarget(db, ownerId, target);
  if (missing) return missing;
  const docs = await db.notes
    .find({ target: targetKey(target), user_id: ownerId, deleted_at: null }, { projection: LIGHT })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return docs.map(toNote);
}

/** A note that is not deleted, and whose file is not in the bin. */
export async function findNote(db: Db, ownerId: string, noteId: string): Promise<NoteRecord | null> {
  if (!isNoteId(noteId)) return null;
  const doc = await db.notes.findOne(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
    { projection: LIGHT },
  );
  if (!doc || (await isHidden(db, doc))) return null;
  return toNote(doc);
}

async function isHidden(db: Db, { user_id, file_id }: NoteDoc): Promise<boolean> {
  return file_id !== null && (await findFile(db, user_id, file_id)) === null;
}

/** Why nothing can be put there, or null where it can. A repository's file may be gone and its notes stay. */
async function missingTarget(db: Db, ownerId: string, target: NoteTarget): Promise<Refusal | null> {
  if (target.kind === "file")
    return (await findFile(db, ownerId, target.file_id))
      ? null
      : Refusal("file_not_found", { file_id: target.file_id });
  if (target.kind === "board")
    return (await findBoard(db, ownerId, target.board_id))
      ? null
      : Refusal("board_not_found", { board_id: target.board_id });
  return null;
}

export type NoteQuota = { maxPerUser: number };

/** Keeps a new note while there is room for it. */
export async function createNote(
  db: Db,
  ownerId: string,
  target: NoteTarget,
  fields: NoteFields,
  { maxPerUser }: NoteQuota,
  now: Date,
): Promise<NoteRecord | Refusal> {
  const missing = await missingTarget(db, ownerId, target);
  if (missing) return missing;
  const doc: NoteDoc = {
    _id: new ObjectId(),
    user_id: ownerId,
    kind: target.kind,
    target: targetKey(target),
    file_id: target.kind === "file" ? target.file_id : null,
    board_id: target.kind === "board" ? target.board_id : null,
    repo_name: target.kind === "repo" ? target.repo_name : null,
    repo_path: target.kind === "repo" ? target.repo_path : null,
    ...fields,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  const refusal = await placing(db, doc, maxPerUser, (placed) => db.notes.insertOne(placed));
  if (refusal) return refusal;
  // The target may have gone between the first look and the write; what looks for its notes may have missed this one.
  const gone = await missingTarget(db, ownerId, target);
  if (!gone) return toNote(doc);
  await db.notes.deleteOne({ _id: doc._id, user_id: ownerId });
  return gone;
}

/** Gives a note its places and writes it, or says why there is none for it. */
async function placing(
  db: Db,
  doc: NoteDoc,
  maxPerUser: number,
  write: (placed: NoteDoc) => Promise<unknown>,
): Promise<Refusal | null> {
  const { user_id, target } = doc;
  const max = notesPerTarget(doc);
  try {
    return await takingSlots(
      async () => {
        const user_slot = await findFreeSlot(db.notes, { user_id }, "user_slot", maxPerUser);
        if (user_slot === null) return Refusal("note_quota_exceeded", { max: maxPerUser, per: "user" });
        const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", max);
        if (target_slot === null) return Refusal("note_quota_exceeded", { max, per: doc.kind });
        await write({ ...doc, user_slot, target_slot, titled_in: titledIn(doc) });
        return null;
      },
      (field) => field === "user_slot" || field === "target_slot",
    );
  } catch (error) {
    return duplicateTitle(error, doc.title);
  }
}

const titledIn = (doc: NoteDoc) => (doc.title && hasUniqueTitles(doc) ? doc.target : undefined);

function duplicateTitle(error: unknown, title: string | null | undefined): Refusal {
  if (!duplicateFields(error).includes("titled_in")) throw error;
  return Refusal("duplicate_title", { title });
}

/**
 * Changes a note by one conditional write. With `prev` it is refused unless that is the stored moment; without it the last write wins,
 * but never over a change it has not seen the moment of.
 */
export async function updateNote(
  db: Db,
  ownerId: string,
  noteId: string,
  changes: NoteChanges,
  { prev, now }: { prev?: Date; now: Date },
): Promise<NoteRecord | Refusal> {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const note = await findNote(db, ownerId, noteId);
    if (!note) return noteNotFound(noteId);
    if (prev && prev.getTime() !== note.updated_at.getTime()) return conflict(note);
    const refusal = checkLines({ ...note, ...changes });
    if (refusal) return refusal;
    const written = await writeChanges(db, note, changes, now);
    if (written) return written;
  }
  throw new Error("A note changed faster than it could be written");
}

/** The write itself: null where the note is no longer what it was. */
export async function writeChanges(
  db: Db,
  note: NoteRecord,
  changes: NoteChanges,
  now: Date,
): Promise<NoteRecord | Refusal | null> {
  const { id, user_id, updated_at, content } = note;
  const rewritten = changes.content !== undefined && changes.content !== content;
  const naming = changes.title !== undefined && hasUniqueTitles(note);
  const past: PastContent = { content, updated_at };
  try {
    const doc = await db.notes.findOneAndUpdate(
      { _id: new ObjectId(id), user_id, deleted_at: null, updated_at, content },
      {
        $set: {
          ...changes,
          updated_at: nextMoment(now, updated_at),
          ...(naming && changes.title ? { titled_in: targetKey(targetOf(note)) } : {}),
        },
        ...(naming && !changes.title ? { $unset: { titled_in: 1 } } : {}),
        ...(rewritten ? { $push: { history: { $each: [past], $slice: -HISTORY_MAX } } } : {}),
      },
      { returnDocument: "after", projection: LIGHT },
    );
    return doc && toNote(doc);
  } catch (error) {
    return duplicateTitle(error, changes.title);
  }
}

export const noteNotFound = (note_id: string) => Refusal("note_not_found", { note_id });
export const conflict = (note: NoteRecord) => Refusal("conflict", { note });

/** Deletes a note and its reminder. The note can be taken back for a while; its places and its title are free at once. */
export async function removeNote(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const doc = await db.notes.findOneAndUpdate(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
    {
      $set: { deleted_at: now, expires_at: new Date(now.getTime() + DELETED_DAYS * DAY_MS) },
      $unset: { user_slot: 1, target_slot: 1, titled_in: 1 },
    },
    { returnDocument: "after", projection: LIGHT },
  );
  await removeReminders(db, ownerId, [noteId]);
  return doc ? toNote(doc) : noteNotFound(noteId);
}

/** Takes back the deleting of a note, where there is room for it and its target is there. */
export async function restoreNote(
  db: Db,
  ownerId: string,
  noteId: string,
  { maxPerUser }: NoteQuota,
  now: Date,
): Promise<NoteRecord | Refusal> {
  if (!isNoteId(noteId)) return noteNotFound(noteId);
  const _id = new ObjectId(noteId);
  const deleted = { _id, user_id: ownerId, deleted_at: { $gt: new Date(0) }, expires_at: { $gt: now } };
  const doc = await db.notes.findOne(deleted, { projection: LIGHT });
  if (!doc || (await missingTarget(db, ownerId, targetOf(doc)))) return noteNotFound(noteId);
  const updated_at = nextMoment(now, doc.updated_at);
  const refusal = await placing(db, doc, maxPerUser, ({ user_slot, target_slot, titled_in }) =>
    db.notes.updateOne(deleted, {
      $set: { deleted_at: null, updated_at, user_slot, target_slot, titled_in },
      $unset: { expires_at: 1 },
    }),
  );
  return refusal ?? (await findNote(db, ownerId, noteId)) ?? noteNotFound(noteId);
}
