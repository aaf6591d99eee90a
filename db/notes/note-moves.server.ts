import type { Db } from "#db/client.ts";
import { hasOnlyDuplicates } from "#db/core/faults.server.ts";
import { duplicateFields, listTakenSlots, writeWithFreeSlot } from "#db/core/slots.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { computeChangeTime, numberedTitle, targetKey } from "#domain/notes/note.ts";

type NoteToMove = Pick<NoteDoc, "_id" | "user_id" | "title" | "updated_at" | "deleted_at">;
const NOTE_FIELDS = { user_id: 1, title: 1, updated_at: 1, deleted_at: 1 } as const;
const BATCH_SIZE = 100;

/**
 * Moves the notes of a board to another one, each with a single write, a hundred of them sent together. A title that exists
 * there gets a number. Moving never fails for lack of room: a board over its limit takes no new notes until it is below. After
 * an interruption, the next call moves the notes that are still on the old board.
 */
export async function moveBoardNotes(
  db: Db,
  ownerId: string,
  fromId: string,
  toId: string,
  now: Date,
): Promise<number> {
  const from = { target: targetKey({ kind: "board", board_id: fromId }), user_id: ownerId };
  const listRemaining = () =>
    db.notes
      .find(from)
      .project<NoteToMove>(NOTE_FIELDS)
      .sort({ created_at: 1, _id: 1 })
      .limit(BATCH_SIZE)
      .toArray();
  let movedCount = 0;
  for (let docs = await listRemaining(); docs.length > 0; docs = await listRemaining()) {
    await moveBatch(db, ownerId, docs, toId, now);
    const ids = docs.map(({ _id }) => _id);
    const remaining = await db.notes
      .find({ ...from, _id: { $in: ids } })
      .project<NoteToMove>(NOTE_FIELDS)
      .toArray();
    // Another write took a slot or a title first, or changed the note.
    const remainingIds = new Set(remaining.map(({ _id }) => _id.toHexString()));
    movedCount += docs.filter(
      ({ _id, deleted_at }) => !deleted_at && !remainingIds.has(_id.toHexString()),
    ).length;
    for (const doc of remaining) if ((await moveNote(db, doc, toId, now)) && !doc.deleted_at) movedCount += 1;
  }
  return movedCount;
}

/** Reads the taken slots and titles of the new board once for all notes. A write that meets a slot or title taken since then does nothing. */
async function moveBatch(
  db: Db,
  user_id: string,
  docs: readonly NoteToMove[],
  board_id: string,
  now: Date,
): Promise<void> {
  const target = targetKey({ kind: "board", board_id });
  const usedSlots = await listTakenSlots(db.notes, { user_id, target }, "target_slot");
  const titledDocs = await db.notes
    .find({ user_id, titled_in: target })
    .project<Pick<NoteDoc, "title">>({ _id: 0, title: 1 })
    .toArray();
  const titles = new Set(titledDocs.map(({ title }) => title));
  const writes = docs.map((doc) => {
    const title = doc.deleted_at ? doc.title : findFreeTitle(doc.title, titles);
    const target_slot = doc.deleted_at ? null : findLowestFree(usedSlots);
    if (target_slot !== null) usedSlots.add(target_slot);
    if (!doc.deleted_at) titles.add(title);
    return { updateOne: toMoveWrite(doc, { board_id, title, target_slot }, now) };
  });
  try {
    await db.notes.bulkWrite(writes, { ordered: false });
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
  }
}

/** If all these numbers are taken, a note keeps its title here and is then moved by itself. */
const TITLES_TRIED_TOGETHER = 20;

function findFreeTitle(title: string | null, usedTitles: ReadonlySet<string | null>): string | null {
  if (!title || !usedTitles.has(title)) return title;
  for (let number = 2; number <= TITLES_TRIED_TOGETHER; number += 1) {
    const numbered = numberedTitle(title, number);
    if (!usedTitles.has(numbered)) return numbered;
  }
  return title;
}

const TITLES_TRIED = 1000;

/** Returns false if the note changed in between; the caller then finds it again. */
async function moveNote(db: Db, doc: NoteToMove, board_id: string, now: Date): Promise<boolean> {
  for (let number = 1; number <= TITLES_TRIED; number += 1) {
    const title = doc.title !== null && number > 1 ? numberedTitle(doc.title, number) : doc.title;
    try {
      return await writeWithFreeSlot(
        () => writeMove(db, doc, { board_id, title }, now),
        (field) => field === "target_slot",
      );
    } catch (error) {
      if (!duplicateFields(error).includes("titled_in")) throw error;
    }
  }
  throw new Error("No free title was found for a note to move");
}

async function writeMove(
  db: Db,
  doc: NoteToMove,
  { board_id, title }: { board_id: string; title: string | null },
  now: Date,
): Promise<boolean> {
  const target = targetKey({ kind: "board", board_id });
  const { user_id, deleted_at } = doc;
  const usedSlots = deleted_at ? null : await listTakenSlots(db.notes, { user_id, target }, "target_slot");
  const { filter, update } = toMoveWrite(
    doc,
    { board_id, title, target_slot: usedSlots && findLowestFree(usedSlots) },
    now,
  );
  return (await db.notes.updateOne(filter, update)).modifiedCount === 1;
}

type MoveTarget = { board_id: string; title: string | null; target_slot: number | null };

/** A deleted note has no slot and no unique title. */
function toMoveWrite(
  { _id, user_id, updated_at, deleted_at, title: oldTitle }: NoteToMove,
  { board_id, title, target_slot }: MoveTarget,
  now: Date,
) {
  const target = targetKey({ kind: "board", board_id });
  const slotFields = target_slot === null ? {} : { target_slot, titled_in: title ? target : undefined };
  return {
    filter: { _id, user_id, updated_at, deleted_at, title: oldTitle },
    update: {
      $set: { board_id, target, title, updated_at: computeChangeTime(now, updated_at), ...slotFields },
    },
  };
}

function findLowestFree(usedSlots: Set<number>): number {
  let slot = 0;
  while (usedSlots.has(slot)) slot += 1;
  return slot;
}
