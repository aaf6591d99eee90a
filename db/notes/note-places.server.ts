import { ObjectId } from "mongodb";
import { findBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { duplicateFields, findFreeSlot, takingSlots } from "#db/slots.server.ts";
import { hasUniqueTitles, type NoteKind, type NoteTarget, notesPerTarget } from "#domain/notes/note.ts";
import { Refusal } from "#domain/refusal.ts";

/** Room for notes: where one may be put, and whether there is a place for it. */
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
  // A repository's file may be gone and its notes stay.
  repo: async () => null,
};

/** Why nothing can be put there, or null where it can. */
export function missingTarget<Kind extends NoteKind>(
  db: Db,
  ownerId: string,
  target: NoteTarget<Kind>,
): Promise<Refusal | null> {
  return TARGET_CHECKS[target.kind](db, ownerId, target);
}

type Write = (placed: NoteDoc) => Promise<unknown>;

/** Gives a note its numbers below the limits and writes it, or says why there is no room. */
export async function placing(
  db: Db,
  doc: NoteDoc,
  { maxPerUser }: NoteQuota,
  write: Write,
): Promise<Refusal | null> {
  const { user_id, target, kind } = doc;
  const limits = { user: maxPerUser, target: notesPerTarget(doc) };
  const place = async () => {
    const user_slot = await findFreeSlot(db.notes, { user_id }, "user_slot", limits.user);
    if (user_slot === null) return Refusal("note_quota_exceeded", { max: limits.user, per: "user" });
    const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", limits.target);
    if (target_slot === null) return Refusal("note_quota_exceeded", { max: limits.target, per: kind });
    await write({ ...doc, user_slot, target_slot, titled_in: titledIn(doc) });
    return null;
  };
  const isSlot = (field: string) => field === "user_slot" || field === "target_slot";
  try {
    const refusal = await takingSlots(place, isSlot);
    if (refusal?.context.per !== "user" || (await removeStranded(db, user_id)) === 0) return refusal;
    return await takingSlots(place, isSlot);
  } catch (error) {
    return duplicateTitle(error, doc.title);
  }
}

/** A note written in the very moment its file went for good holds a place for nothing. It is looked for only where there is no room. */
async function removeStranded(db: Db, user_id: string): Promise<number> {
  const held = (await db.notes.distinct("file_id", { user_id, kind: "file" })).filter((id) => id !== null);
  const files = await db.files
    .find({ _id: { $in: held.map((id) => new ObjectId(id)) }, user_id })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const there = new Set(files.map(({ _id }) => _id.toHexString()));
  const gone = held.filter((id) => !there.has(id));
  if (gone.length === 0) return 0;
  return (await db.notes.deleteMany({ user_id, kind: "file", file_id: { $in: gone } })).deletedCount;
}

const titledIn = (doc: NoteDoc) => (doc.title && hasUniqueTitles(doc) ? doc.target : undefined);

/** The refusal of a title that is taken; any other fault is passed on. */
export function duplicateTitle(error: unknown, title: string | null | undefined): Refusal {
  if (!duplicateFields(error).includes("titled_in")) throw error;
  return Refusal("duplicate_title", { title });
}
