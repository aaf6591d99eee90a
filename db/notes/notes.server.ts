import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { storeBytes } from "#db/files/usage/library-usage.server.ts";
import type { NoteDoc, PastContent } from "#db/notes/documents.ts";
import { rememberAnchor } from "#db/notes/note-anchors.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { duplicateTitle, missingTarget, type NoteQuota, placing } from "#db/notes/note-places.server.ts";
import { findReminder, removeReminders, setReminder } from "#db/reminders/reminders.server.ts";
import { rememberRepoAnchor } from "#db/repos/repo-anchors.server.ts";
import {
  checkClaims,
  hasUniqueTitles,
  isNoteId,
  type NoteKind,
  type NoteTarget,
  nextMoment,
  type TargetClaims,
  targetFields,
  targetKey,
  toTarget,
} from "#domain/notes/note.ts";
import { isAnchored, type KeptAnchor } from "#domain/notes/note-locating.ts";
import { checkLines, type NoteChanges, type NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { DAY_MS } from "#domain/time/durations.ts";

export type { NoteRecord } from "#db/notes/note-docs.server.ts";
export type { NoteQuota } from "#db/notes/note-places.server.ts";

/** Contents a note had before, as many as are kept. */
export const HISTORY_MAX = 20;
/** How long the deleting of a note can be taken back. */
const DELETED_DAYS = 30;
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
    .find(
      { target: targetKey(target), user_id: ownerId, deleted_at: null },
      { projection: LIGHT, hint: "by_target" },
    )
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return docs.map(toNote);
}

/** A note that is not deleted, and whose file is not in the trash. */
export async function findNote(db: Db, ownerId: string, noteId: string): Promise<NoteRecord | null> {
  if (!isNoteId(noteId)) return null;
  const doc = await db.notes.findOne(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
    { projection: LIGHT },
  );
  if (!doc) return null;
  const hidden = doc.file_id !== null && (await findFile(db, ownerId, doc.file_id)) === null;
  return hidden ? null : toNote(doc);
}

export type NewNote<Target extends NoteTarget = NoteTarget> = {
  target: Target;
  fields: NoteFields;
  quota: NoteQuota;
  now: Date;
  /** Told by a form, so that one sent twice makes one note. */
  id?: string;
  /** Whether it is there for its reminder alone. */
  forReminder?: boolean;
};

/** Keeps a new note while there is room for it. */
export async function createNote(
  db: Db,
  ownerId: string,
  { target, fields, quota, now, id, forReminder = false }: NewNote,
): Promise<NoteRecord | Refusal> {
  const missing = await missingTarget(db, ownerId, target);
  if (missing) return missing;
  const doc: NoteDoc = {
    _id: new ObjectId(id),
    user_id: ownerId,
    kind: target.kind,
    target: targetKey(target),
    ...targetFields(target),
    ...fields,
    anchor: await makeNoteAnchor(db, ownerId, target, fields),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...(forReminder ? { made_for_reminder: now } : {}),
  };
  const bytes = utf8Bytes(doc.content);
  return storeBytes(db, ownerId, { bytes }, now, async (free) => {
    const placed = await placeNew(db, doc, target, quota);
    if (isRefusal(placed)) free(bytes);
    return placed;
  });
}

async function placeNew(
  db: Db,
  doc: NoteDoc,
  target: NoteTarget,
  quota: NoteQuota,
): Promise<NoteRecord | Refusal> {
  const { _id, user_id } = doc;
  const refusal = await placing(db, doc, quota, (placed) => db.notes.insertOne(placed));
  if (refusal) return refusal;
  // The target may have gone between the first look and the write; what looks for its notes may have missed this one.
  const gone = await missingTarget(db, user_id, target);
  if (!gone) return toNote(doc);
  await db.notes.deleteOne({ _id, user_id });
  return gone;
}

type MakeAnchor<Kind extends NoteKind> = (
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
  fields: NoteFields,
) => Promise<KeptAnchor | null>;

const ANCHOR_MAKERS: { [Kind in NoteKind]: MakeAnchor<Kind> } = {
  file: async (db, ownerId, { file_id }, fields) => {
    const file = isAnchored(fields) ? await findFile(db, ownerId, file_id) : null;
    return file && rememberAnchor(db, ownerId, file, fields);
  },
  board: async () => null,
  repo: rememberRepoAnchor,
};

function makeNoteAnchor<Kind extends NoteKind>(
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
  fields: NoteFields,
): Promise<KeptAnchor | null> {
  return ANCHOR_MAKERS[target.kind](db, ownerId, target, fields);
}

export type UpdateOptions = {
  /** The moment the caller last saw; absent, the last write wins. */
  prev?: Date;
  /** Where the caller believes the note to be. */
  claims?: TargetClaims;
  now: Date;
};

const ANCHOR_FIELDS = ["line_start", "line_end", "anchor_id", "anchor_text"] as const;

/** Changes a note by one conditional write: it always follows a state of the note that was read, never one that was not. */
export async function updateNote(
  db: Db,
  ownerId: string,
  noteId: string,
  changes: NoteChanges,
  { prev, claims = {}, now }: UpdateOptions,
): Promise<NoteRecord | Refusal> {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const note = await findNote(db, ownerId, noteId);
    if (!note) return noteNotFound(noteId);
    if (prev && prev.getTime() !== note.updated_at.getTime()) return conflict(note);
    const fields = { ...note, ...changes };
    const refusal = checkClaims(claims, note) ?? checkLines(fields);
    if (refusal) return refusal;
    if (Object.keys(changes).length === 0) return note;
    const pins = ANCHOR_FIELDS.some((field) => field in changes);
    const anchor = pins ? { anchor: await makeNoteAnchor(db, ownerId, toTarget(note), fields) } : {};
    const written = await writeChanges(db, note, { ...changes, ...anchor }, now);
    if (written) return written;
  }
  throw new Error("A note changed faster than it could be written");
}

type WrittenChanges = NoteChanges & { anchor?: KeptAnchor | null };

/** The write itself: null where the note is no longer what it was. */
export async function writeChanges(
  db: Db,
  note: NoteRecord,
  changes: WrittenChanges,
  now: Date,
): Promise<NoteRecord | Refusal | null> {
  const { content } = changes;
  if (content === undefined || content === note.content) return changeNote(db, note, changes, now);
  const bytes = utf8Bytes(content);
  return storeBytes(db, note.user_id, { bytes }, now, async (free) => {
    const forgotten = await measureForgotten(db, note);
    const written = await changeNote(db, note, changes, now);
    free(written === null || isRefusal(written) ? bytes : forgotten);
    return written;
  });
}

/** The bytes of the past content that gives way to the next one, while the note is what it was. */
async function measureForgotten(db: Db, { id, user_id, updated_at }: NoteRecord): Promise<number> {
  const doc = await db.notes.findOne(
    { _id: new ObjectId(id), user_id, updated_at, [`history.${HISTORY_MAX - 1}`]: { $exists: true } },
    { projection: { history: { $slice: 1 } } },
  );
  return utf8Bytes(doc?.history?.[0]?.content ?? "");
}

async function changeNote(
  db: Db,
  note: NoteRecord,
  changes: WrittenChanges,
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
          ...(naming && changes.title ? { titled_in: targetKey(toTarget(note)) } : {}),
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

/** Deletes a note and its reminder. Both can be taken back for a while; its places and its title are free at once. */
export async function removeNote(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
  { unchanged = {} }: { unchanged?: Partial<Pick<NoteDoc, "updated_at">> } = {},
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const reminder = await findReminder(db, ownerId, noteId);
  const pending = reminder?.status === "pending" ? { kept_reminder: { remind_at: reminder.remind_at } } : {};
  const doc = await db.notes.findOneAndUpdate(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null, ...unchanged },
    {
      $set: { deleted_at: now, expires_at: computeExpiry(now), ...pending },
      $unset: { user_slot: 1, target_slot: 1, titled_in: 1 },
    },
    { returnDocument: "after", projection: LIGHT },
  );
  if (!doc) return noteNotFound(noteId);
  await removeReminders(db, ownerId, [noteId]);
  return toNote(doc);
}

const computeExpiry = (now: Date) => new Date(now.getTime() + DELETED_DAYS * DAY_MS);

/**
 * Removes the reminder of a note, and the note with it where it was made for the reminder and nobody has changed it. Answers such a
 * note, which can be taken back with its reminder.
 */
export async function removeReminderOfNote(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<NoteRecord | null> {
  const made = isNoteId(noteId)
    ? await db.notes.findOne(
        { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
        { projection: { made_for_reminder: 1, updated_at: 1 } },
      )
    : null;
  if (made && isAsMade(made)) {
    const { updated_at } = made;
    const removed = await removeNote(db, ownerId, noteId, now, { unchanged: { updated_at } });
    if (!isRefusal(removed)) return removed;
  }
  await removeReminders(db, ownerId, [noteId]);
  return null;
}

const isAsMade = ({ made_for_reminder, updated_at }: Pick<NoteDoc, "made_for_reminder" | "updated_at">) =>
  made_for_reminder?.getTime() === updated_at.getTime();

/** Takes back the deleting of a note, where there is room for it and its target is there. */
export async function restoreNote(
  db: Db,
  ownerId: string,
  noteId: string,
  quota: NoteQuota,
  now: Date,
): Promise<NoteRecord | Refusal> {
  if (!isNoteId(noteId)) return noteNotFound(noteId);
  const _id = new ObjectId(noteId);
  const deleted = { _id, user_id: ownerId, deleted_at: { $gt: new Date(0) }, expires_at: { $gt: now } };
  const doc = await db.notes.findOne(deleted, { projection: LIGHT });
  if (!doc || (await missingTarget(db, ownerId, toTarget(doc)))) return noteNotFound(noteId);
  const updated_at = nextMoment(now, doc.updated_at);
  const asMade = isAsMade(doc) ? { made_for_reminder: updated_at } : {};
  // First: cut off here, nothing is lost. The note is still deleted, and a reminder without its note is never shown.
  if (doc.kept_reminder) await setReminder(db, ownerId, toNote(doc), doc.kept_reminder.remind_at, now);
  const refusal = await placing(db, doc, quota, ({ user_slot, target_slot, titled_in }) =>
    db.notes.updateOne(deleted, {
      $set: { deleted_at: null, updated_at, ...asMade, user_slot, target_slot, titled_in },
      $unset: { expires_at: 1, kept_reminder: 1 },
    }),
  );
  if (refusal) {
    await removeReminders(db, ownerId, [noteId]);
    return refusal;
  }
  return (await findNote(db, ownerId, noteId)) ?? noteNotFound(noteId);
}
