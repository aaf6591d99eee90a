import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import {
  listDueNoteIds,
  listUpcomingReminders,
  type Reminder,
  removeReminders,
  setReminder,
} from "#db/reminders/reminders.server.ts";
import type { NoteKind } from "#domain/notes/note.ts";
import type { Refusal } from "#domain/refusal.ts";
import { type ReminderSummary, summarizeReminders } from "#domain/reminders/reminder-state.ts";
import { lastItem } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

export async function setNoteReminder(
  db: Db,
  ownerId: string,
  noteId: string,
  remindAt: Date,
  now: Date,
): Promise<Reminder | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const reminder = await setReminder(db, ownerId, note, remindAt, now);
  // If the note was deleted between the check and the write, the deletion did not find this reminder.
  if (await findNote(db, ownerId, noteId)) return reminder;
  await removeReminders(db, ownerId, [noteId]);
  return noteNotFound(noteId);
}

/** `place` is the name of the note's file or board, or its path in a repository. */
export type Reminded = { reminder: Reminder; note: NoteRecord; place?: string };

/** Returns reminders with their notes, in the same order. Those of deleted notes are removed, and those in the trash left out. */
export async function attachNotes(
  db: Db,
  ownerId: string,
  reminders: readonly Reminder[],
): Promise<Reminded[]> {
  if (reminders.length === 0) return [];
  const docs = await db.notes
    .find(
      {
        _id: { $in: reminders.map(({ note_id }) => new ObjectId(note_id)) },
        user_id: ownerId,
        deleted_at: null,
      },
      { projection: LIGHT },
    )
    .sort({ _id: 1 })
    .toArray();
  const notes = new Map(docs.map((doc) => [doc._id.toHexString(), toNote(doc)]));
  const [files, boards] = await Promise.all([
    findFileNames(db, ownerId, docs),
    findBoardNames(db, ownerId, docs),
  ]);
  const names = { files, boards };
  const deletedIds = reminders.filter(({ note_id }) => !notes.has(note_id)).map(({ note_id }) => note_id);
  await removeReminders(db, ownerId, deletedIds);
  return reminders.flatMap((reminder) => {
    const note = notes.get(reminder.note_id);
    if (!note || (note.file_id !== null && !files.has(note.file_id))) return [];
    return [{ reminder, note, place: PLACE_NAMES[note.kind](note, names) }];
  });
}

type Names = Map<string, string>;
type NamesByKind = { files: Names; boards: Names };

const PLACE_NAMES: Record<NoteKind, (note: NoteRecord, names: NamesByKind) => string | undefined> = {
  file: ({ file_id }, { files }) => files.get(file_id ?? ""),
  board: ({ board_id }, { boards }) => boards.get(board_id ?? ""),
  repo: ({ repo_name, repo_path }) => `${repo_name}/${repo_path}`,
};

/** Without files in the trash. */
async function findFileNames(db: Db, ownerId: string, docs: readonly NoteDoc[]): Promise<Names> {
  const ids = uniqueIds(docs.map(({ file_id }) => file_id));
  if (ids.length === 0) return new Map();
  const files = await db.files
    .find({ _id: { $in: ids }, user_id: ownerId, deleted_at: null })
    .project<{ _id: ObjectId; file_name: string }>({ file_name: 1 })
    .sort({ _id: 1 })
    .toArray();
  return new Map(files.map(({ _id, file_name }) => [_id.toHexString(), file_name]));
}

async function findBoardNames(db: Db, ownerId: string, docs: readonly NoteDoc[]): Promise<Names> {
  const ids = uniqueIds(docs.map(({ board_id }) => board_id));
  if (ids.length === 0) return new Map();
  const boards = await db.boards
    .find({ _id: { $in: ids }, user_id: ownerId })
    .project<{ _id: ObjectId; name: string }>({ name: 1 })
    .sort({ _id: 1 })
    .toArray();
  return new Map(boards.map(({ _id, name }) => [_id.toHexString(), name]));
}

const uniqueIds = (ids: readonly (string | null)[]) =>
  [...new Set(ids.flatMap((id) => id ?? []))].map((id) => new ObjectId(id));

/** Counts the due reminders of existing notes, because an interrupted deletion may have left a reminder. */
export async function countDueReminders(db: Db, ownerId: string, now: Date): Promise<number> {
  const ids = await listDueNoteIds(db, ownerId, now);
  if (ids.length === 0) return 0;
  return db.notes.countDocuments({ _id: { $in: ids }, user_id: ownerId, deleted_at: null });
}

export async function readReminderSummary(db: Db, ownerId: string, now: Date): Promise<ReminderSummary> {
  const [count, [next]] = await Promise.all([
    countDueReminders(db, ownerId, now),
    listUpcomingReminders(db, ownerId, now, 1),
  ]);
  return summarizeReminders(count, next?.remind_at ?? null, now);
}

const PAGE_SIZE = 500;
const REMINDERS_MAX = 5_000;
/** No process is still working on a reminder this old. */
const SETTLED_AFTER_MS = HOUR_MS;

type RemindersSwept = { removed: number; moved: number; next: string | null };
type SweptReminder = { _id: ObjectId; user_id: string; file_id: ObjectId | null };
type SweptNote = Pick<NoteDoc, "_id" | "file_id" | "updated_at" | "expires_at">;

/**
 * Repairs interrupted changes: removes reminders without notes and moves those whose notes were moved. Checks a limited number
 * from a position on. Returns the next position, or null at the end.
 */
export async function repairReminders(db: Db, from: string | null, now: Date): Promise<RemindersSwept> {
  const settledBefore = new Date(now.getTime() - SETTLED_AFTER_MS);
  let [removed, moved, after] = [0, 0, from];
  for (let readCount = 0; readCount < REMINDERS_MAX; readCount += PAGE_SIZE) {
    const reminders = await db.reminders
      .find(after ? { _id: { $gt: new ObjectId(after) } } : {})
      .project<SweptReminder>({ user_id: 1, file_id: 1 })
      .sort({ _id: 1 })
      .limit(PAGE_SIZE)
      .toArray();
    const notes = await findSweptNotes(db, reminders);
    removed += await removeOrphanedReminders(db, reminders, notes, settledBefore);
    moved += await moveStrayReminders(db, reminders, notes, settledBefore);
    if (reminders.length < PAGE_SIZE) return { removed, moved, next: null };
    after = lastItem(reminders)._id.toHexString();
  }
  return { removed, moved, next: after };
}

type NotesById = Map<string, SweptNote>;

/** Notes are read after their reminders, so no note is older than its reminder. */
async function findSweptNotes(db: Db, reminders: readonly SweptReminder[]): Promise<NotesById> {
  const notes = await db.notes
    .find({ _id: { $in: reminders.map(({ _id }) => _id) }, deleted_at: null })
    .project<SweptNote>({ file_id: 1, updated_at: 1, expires_at: 1 })
    .toArray();
  return new Map(notes.map((note) => [note._id.toHexString(), note]));
}

async function removeOrphanedReminders(
  db: Db,
  reminders: readonly SweptReminder[],
  notes: NotesById,
  settledBefore: Date,
): Promise<number> {
  const orphanIds = reminders.map(({ _id }) => _id).filter((id) => !notes.has(id.toHexString()));
  const { deletedCount } = await db.reminders.deleteMany({
    _id: { $in: orphanIds },
    created_at: { $lt: settledBefore },
    $nor: [{ changed_at: { $gte: settledBefore } }],
  });
  return deletedCount;
}

/** A move writes the note first, so after an interruption the reminder still belongs to the old file. */
async function moveStrayReminders(
  db: Db,
  reminders: readonly SweptReminder[],
  notes: NotesById,
  settledBefore: Date,
): Promise<number> {
  let moved = 0;
  for (const { _id, user_id, file_id } of reminders) {
    const note = notes.get(_id.toHexString());
    if (!note || note.updated_at >= settledBefore) continue;
    if (note.file_id === (file_id?.toHexString() ?? null)) continue;
    const target = {
      file_id: note.file_id === null ? null : new ObjectId(note.file_id),
      expires_at: note.expires_at ?? null,
    };
    moved += (await db.reminders.updateOne({ _id, user_id, file_id }, { $set: target })).modifiedCount;
  }
  return moved;
}
