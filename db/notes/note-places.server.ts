import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { duplicateFields, findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { findBoard } from "#db/notes/boards/boards.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { hasUniqueTitles, type NoteKind, type NoteTarget, notesPerTarget } from "#domain/notes/note.ts";
import { Refusal } from "#domain/refusal.ts";

export type NoteQuota = { maxPerUser: number };

type CheckTarget<Kind extends NoteKind> = (
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
) => Promise<Refusal | null>;

const TARGET_CHECKS: { [Kind in NoteKind]: CheckTarget<Kind> } = {
  file: async (db, ownerId, { file_id }) =>
    (await findFile(db, ownerId, file_id)) ? null : Refusal("file_not_found", { file_id }),
  board: async (db, ownerId, { board_id }) =>
    (await findBoard(db, ownerId, board_id)) ? null : Refusal("board_not_found", { board_id }),
  // A repository's file may be gone while its notes remain.
  repo: async () => null,
};

/** Returns the refusal if no note can be put on the target, or null. */
export function findTargetRefusal<Kind extends NoteKind>(
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
): Promise<Refusal | null> {
  return TARGET_CHECKS[target.kind](db, ownerId, target);
}

type Write = (placed: NoteDoc) => Promise<unknown>;

/** Gives a note its slots below the limits and writes it, or returns why there is no room. */
export async function writeInFreeSlots(
  db: Db,
  doc: NoteDoc,
  { maxPerUser }: NoteQuota,
  write: Write,
): Promise<Refusal | null> {
  const { user_id, target, kind } = doc;
  const limits = { user: maxPerUser, target: notesPerTarget(doc) };
  const writeInSlots = async () => {
    const user_slot = await findFreeSlot(db.notes, { user_id }, "user_slot", limits.user);
    if (user_slot === null) return Refusal("note_quota_exceeded", { max: limits.user, per: "user" });
    const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", limits.target);
    if (target_slot === null) return Refusal("note_quota_exceeded", { max: limits.target, per: kind });
    await write({ ...doc, user_slot, target_slot, titled_in: getTitleScope(doc) });
    return null;
  };
  const isSlot = (field: string) => field === "user_slot" || field === "target_slot";
  try {
    const refusal = await writeWithFreeSlot(writeInSlots, isSlot);
    if (refusal?.context.per !== "user" || (await removeOrphanedNotes(db, user_id)) === 0) return refusal;
    return await writeWithFreeSlot(writeInSlots, isSlot);
  } catch (error) {
    return toDuplicateTitleRefusal(error, doc.title);
  }
}

/** A note that was written while its file was deleted for good occupies a slot. Such notes are only looked for if there is no room. */
async function removeOrphanedNotes(db: Db, user_id: string): Promise<number> {
  const fileIds = (await db.notes.distinct("file_id", { user_id, kind: "file" })).filter((id) => id !== null);
  const files = await db.files
    .find({ _id: { $in: fileIds.map((id) => new ObjectId(id)) }, user_id })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const existingIds = new Set(files.map(({ _id }) => _id.toHexString()));
  const missingIds = fileIds.filter((id) => !existingIds.has(id));
  if (missingIds.length === 0) return 0;
  return (await db.notes.deleteMany({ user_id, kind: "file", file_id: { $in: missingIds } })).deletedCount;
}

const getTitleScope = (doc: NoteDoc) => (doc.title && hasUniqueTitles(doc) ? doc.target : undefined);

export function toDuplicateTitleRefusal(error: unknown, title: string | null | undefined): Refusal {
  if (!duplicateFields(error).includes("titled_in")) throw error;
  return Refusal("duplicate_title", { title });
}
