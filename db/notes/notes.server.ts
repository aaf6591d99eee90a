import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { storeBytes } from "#db/files/usage/library-usage.server.ts";
import type { NoteDoc, PastContent } from "#db/notes/documents.ts";
import { rememberAnchor } from "#db/notes/note-anchors.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { duplicateTitle, missingTarget, type NoteQuota, placing } from "#db/notes/note-places.server.ts";
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

export type { NoteRecord } from "#db/notes/note-docs.server.ts";
export type { NoteQuota } from "#db/notes/note-places.server.ts";

/** Contents a note had before, as many as are kept. */
export const HISTORY_MAX = 20;
const WRITE_ATTEMPTS = 100;
/** Reading all notes of a board at once, each as long as it may be, would hold the process. */
const NOTES_AT_ONCE = 20;

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
    .batchSize(NOTES_AT_ONCE)
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
