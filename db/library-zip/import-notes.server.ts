import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { duplicateFields, findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { type FreeBytes, runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import type { BoardDoc } from "#db/notes/boards/documents.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { type NoteQuota, writeInFreeSlots } from "#db/notes/note-places.server.ts";
import { BOARDS_MAX } from "#domain/boards/board.ts";
import type { Imported } from "#domain/library-zip/export-format.ts";
import type { Outcome } from "#domain/library-zip/library-import.ts";
import { type NoteTarget, numberedTitle, targetFields, targetKey } from "#domain/notes/note.ts";
import { toNoteFields } from "#domain/notes/note-schema.ts";
import type { Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

const TITLES_TRIED = 200;

export async function findDefaultBoardId(db: Db, ownerId: string): Promise<string | null> {
  const doc = await db.boards.findOne({ user_id: ownerId, is_default: true }, { projection: { _id: 1 } });
  return doc?._id.toHexString() ?? null;
}

export async function importBoard(
  db: Db,
  ownerId: string,
  boardId: string,
  { id: _, ...columns }: Imported<"boards">,
): Promise<Outcome> {
  const insert = async () => {
    const slot = await findFreeSlot(db.boards, { user_id: ownerId }, "slot", BOARDS_MAX);
    if (slot === null) return "left" as const;
    const doc: BoardDoc = {
      _id: new ObjectId(boardId),
      user_id: ownerId,
      ...columns,
      slot,
      removed_at: null,
    };
    await db.boards.insertOne(doc);
    return "added" as const;
  };
  return insertUnlessExisting(() => writeWithFreeSlot(insert, (field) => field === "slot"));
}

export async function importNote(
  db: Db,
  ownerId: string,
  noteId: string,
  target: NoteTarget,
  record: Imported<"notes">,
  quota: NoteQuota,
  now: Date,
): Promise<Outcome | Refusal> {
  const { expires_at, kept_reminder, history } = record;
  const doc: NoteDoc = {
    _id: new ObjectId(noteId),
    user_id: ownerId,
    kind: record.kind,
    target: targetKey(target),
    ...targetFields(target),
    ...toNoteFields(record),
    anchor: record.anchor,
    created_at: record.created_at,
    updated_at: record.updated_at,
    deleted_at: record.deleted_at,
    ...(history.length > 0 ? { history } : {}),
    ...(expires_at ? { expires_at } : {}),
    ...(kept_reminder ? { kept_reminder } : {}),
  };
  const bytes = measureNote(doc);
  return runWithinQuota(db, ownerId, { bytes }, now, async (free) => {
    const outcome = await insertUnlessExisting(async () => {
      if (record.deleted_at === null) return replaceDeletedNote(db, doc, quota, free);
      await db.notes.insertOne(doc);
      return "added";
    });
    if (outcome !== "added") free(bytes);
    return outcome;
  });
}

export const measureNote = ({ content, history = [] }: Pick<NoteDoc, "content" | "history">) =>
  history.reduce((sum, past) => sum + utf8Bytes(past.content), utf8Bytes(content));

/** Replaces the remains of the deleted note; they stay if there is no room for the note. */
async function replaceDeletedNote(db: Db, doc: NoteDoc, quota: NoteQuota, free: FreeBytes): Promise<Outcome> {
  const { _id, user_id } = doc;
  const remains = await db.notes.findOneAndDelete({ _id, user_id, deleted_at: { $gt: new Date(0) } });
  const outcome = await insertUnderFreeTitle(db, doc, quota);
  if (remains && outcome !== "added") await db.notes.insertOne(remains);
  if (remains && outcome === "added") free(measureNote(remains));
  return outcome;
}

/** Inserts a note under its title, or under a numbered one if another note has the title. */
async function insertUnderFreeTitle(db: Db, doc: NoteDoc, quota: NoteQuota): Promise<Outcome> {
  for (let number = 1; number <= TITLES_TRIED; number += 1) {
    const title = number === 1 || !doc.title ? doc.title : numberedTitle(doc.title, number);
    const refusal = await writeInFreeSlots(db, { ...doc, title }, quota, (placed) =>
      db.notes.insertOne(placed),
    );
    if (!refusal) return "added";
    if (refusal.refused !== "duplicate_title") return "left";
  }
  return "left";
}

/** A push that was due before now is not sent, because the bell shows the reminder. */
export async function importReminder(
  db: Db,
  ownerId: string,
  note: { id: string; file_id: string | null },
  { note_id: _, push_at, ...columns }: Imported<"reminders">,
  now: Date,
): Promise<Outcome> {
  return insertUnlessExisting(async () => {
    await db.reminders.insertOne({
      _id: new ObjectId(note.id),
      user_id: ownerId,
      file_id: note.file_id === null ? null : new ObjectId(note.file_id),
      ...columns,
      ...(push_at && push_at > now ? { push_at } : {}),
      push_attempts: 0,
      push_sent_to: [],
    });
    return "added";
  });
}

async function insertUnlessExisting(insert: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await insert();
  } catch (error) {
    if (isDuplicateKey(error) && duplicateFields(error).some((field) => field !== "slot")) return "here";
    throw error;
  }
}
