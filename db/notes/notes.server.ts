import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import type { NoteDoc, PastContent } from "#db/notes/documents.ts";
import { createFileAnchor } from "#db/notes/note-anchors.server.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import {
  findTargetRefusal,
  type NoteQuota,
  toDuplicateTitleRefusal,
  writeInFreeSlots,
} from "#db/notes/note-places.server.ts";
import { createRepoAnchor } from "#db/notes/repos/repo-anchors.server.ts";
import {
  checkClaims,
  computeChangeTime,
  hasUniqueTitles,
  isNoteId,
  type NoteKind,
  type NoteTarget,
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

/** The number of former contents that are stored. */
export const HISTORY_MAX = 20;
const WRITE_ATTEMPTS = 100;
/** Reading all notes of a board at once, each of the maximal length, would block the process. */
const NOTES_AT_ONCE = 20;

export async function listNotes(
  db: Db,
  ownerId: string,
  target: NoteTarget,
): Promise<NoteRecord[] | Refusal> {
  const missing = await findTargetRefusal(db, ownerId, target);
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

/** Finds a note that is not deleted and whose file is not in the trash. */
export async function findNote(db: Db, ownerId: string, noteId: string): Promise<NoteRecord | null> {
  if (!isNoteId(noteId)) return null;
  const doc = await db.notes.findOne(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
    { projection: LIGHT },
  );
  if (!doc) return null;
  const isHidden = doc.file_id !== null && (await findFile(db, ownerId, doc.file_id)) === null;
  return isHidden ? null : toNote(doc);
}

export type NewNote<Target extends NoteTarget = NoteTarget> = {
  target: Target;
  fields: NoteFields;
  quota: NoteQuota;
  now: Date;
  /** An id from the form, so that a form sent twice makes one note. */
  id?: string;
  /** True if the note exists only for its reminder. */
  forReminder?: boolean;
};

export async function createNote(
  db: Db,
  ownerId: string,
  { target, fields, quota, now, id, forReminder = false }: NewNote,
): Promise<NoteRecord | Refusal> {
  const missing = await findTargetRefusal(db, ownerId, target);
  if (missing) return missing;
  const doc: NoteDoc = {
    _id: new ObjectId(id),
    user_id: ownerId,
    kind: target.kind,
    target: targetKey(target),
    ...targetFields(target),
    ...fields,
    anchor: await createNoteAnchor(db, ownerId, target, fields),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...(forReminder ? { made_for_reminder: now } : {}),
  };
  const bytes = utf8Bytes(doc.content);
  return runWithinQuota(db, ownerId, { bytes }, now, async (free) => {
    const result = await insertNote(db, doc, target, quota);
    if (isRefusal(result)) free(bytes);
    return result;
  });
}

async function insertNote(
  db: Db,
  doc: NoteDoc,
  target: NoteTarget,
  quota: NoteQuota,
): Promise<NoteRecord | Refusal> {
  const { _id, user_id } = doc;
  const refusal = await writeInFreeSlots(db, doc, quota, (placed) => db.notes.insertOne(placed));
  if (refusal) return refusal;
  // The target may have been deleted between the check and the write, and its deletion may have missed this note.
  const missing = await findTargetRefusal(db, user_id, target);
  if (!missing) return toNote(doc);
  await db.notes.deleteOne({ _id, user_id });
  return missing;
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
    return file && createFileAnchor(db, ownerId, file, fields);
  },
  board: async () => null,
  repo: createRepoAnchor,
};

function createNoteAnchor<Kind extends NoteKind>(
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
  fields: NoteFields,
): Promise<KeptAnchor | null> {
  return ANCHOR_MAKERS[target.kind](db, ownerId, target, fields);
}

export type UpdateOptions = {
  /** The `updated_at` that the caller last saw. Without it, the last write wins. */
  prev?: Date;
  /** The target of the note as the caller assumes it. */
  claims?: TargetClaims;
  now: Date;
};

const ANCHOR_FIELDS = ["line_start", "line_end", "anchor_id", "anchor_text"] as const;

/** Changes a note with a conditional write, which succeeds only on the state of the note that was read. */
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
    const changesAnchor = ANCHOR_FIELDS.some((field) => field in changes);
    const anchor = changesAnchor
      ? { anchor: await createNoteAnchor(db, ownerId, toTarget(note), fields) }
      : {};
    const result = await writeChanges(db, note, { ...changes, ...anchor }, now);
    if (result) return result;
  }
  throw new Error("A note changed faster than it could be written");
}

type WrittenChanges = NoteChanges & { anchor?: KeptAnchor | null };

export async function writeChanges(
  db: Db,
  note: NoteRecord,
  changes: WrittenChanges,
  now: Date,
): Promise<NoteRecord | Refusal | null> {
  const { content } = changes;
  if (content === undefined || content === note.content) return changeNote(db, note, changes, now);
  const bytes = utf8Bytes(content);
  return runWithinQuota(db, note.user_id, { bytes }, now, async (free) => {
    const displacedBytes = await measureDisplacedContent(db, note);
    const result = await changeNote(db, note, changes, now);
    free(result === null || isRefusal(result) ? bytes : displacedBytes);
    return result;
  });
}

/** Measures the former content that the next one displaces, if the note is unchanged. */
async function measureDisplacedContent(db: Db, { id, user_id, updated_at }: NoteRecord): Promise<number> {
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
  const isRewritten = changes.content !== undefined && changes.content !== content;
  const changesTitle = changes.title !== undefined && hasUniqueTitles(note);
  const pastContent: PastContent = { content, updated_at };
  try {
    const doc = await db.notes.findOneAndUpdate(
      { _id: new ObjectId(id), user_id, deleted_at: null, updated_at, content },
      {
        $set: {
          ...changes,
          updated_at: computeChangeTime(now, updated_at),
          ...(changesTitle && changes.title ? { titled_in: targetKey(toTarget(note)) } : {}),
        },
        ...(changesTitle && !changes.title ? { $unset: { titled_in: 1 } } : {}),
        ...(isRewritten ? { $push: { history: { $each: [pastContent], $slice: -HISTORY_MAX } } } : {}),
      },
      { returnDocument: "after", projection: LIGHT },
    );
    return doc && toNote(doc);
  } catch (error) {
    return toDuplicateTitleRefusal(error, changes.title);
  }
}

export const noteNotFound = (note_id: string) => Refusal("note_not_found", { note_id });
export const conflict = (note: NoteRecord) => Refusal("conflict", { note });
