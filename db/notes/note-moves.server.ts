import type { Db } from "#db/client.ts";
import { hasOnlyDuplicates } from "#db/faults.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { duplicateFields, takenSlots, takingSlots } from "#db/slots.server.ts";
import { nextMoment, numberedTitle, targetKey } from "#domain/notes/note.ts";

type MovedDoc = Pick<NoteDoc, "_id" | "user_id" | "title" | "updated_at" | "deleted_at">;
const MOVED_FIELDS = { user_id: 1, title: 1, updated_at: 1, deleted_at: 1 } as const;
const MOVED_AT_ONCE = 100;

/**
 * Takes the notes of a board to another one, each by one write, a hundred of them sent together. A title that is taken there gets a number.
 * Moving never fails for want of room: a board that is over its limit by it takes no new notes until it is below. Where it stops halfway,
 * the notes that are still on the old board are met by the next call.
 */
export async function moveBoardNotes(
  db: Db,
  ownerId: string,
  fromId: string,
  toId: string,
  now: Date,
): Promise<number> {
  const from = { target: targetKey({ kind: "board", board_id: fromId }), user_id: ownerId };
  const listLeft = () =>
    db.notes
      .find(from)
      .project<MovedDoc>(MOVED_FIELDS)
      .sort({ created_at: 1, _id: 1 })
      .limit(MOVED_AT_ONCE)
      .toArray();
  let moved = 0;
  for (let docs = await listLeft(); docs.length > 0; docs = await listLeft()) {
    await moveTogether(db, ownerId, docs, toId, now);
    const ids = docs.map(({ _id }) => _id);
    const left = await db.notes
      .find({ ...from, _id: { $in: ids } })
      .project<MovedDoc>(MOVED_FIELDS)
      .toArray();
    // Another write took a number or a title first, or changed the note.
    const isLeft = new Set(left.map(({ _id }) => _id.toHexString()));
    moved += docs.filter(({ _id, deleted_at }) => !deleted_at && !isLeft.has(_id.toHexString())).length;
    for (const doc of left) if ((await moveNote(db, doc, toId, now)) && !doc.deleted_at) moved += 1;
  }
  return moved;
}

/** What is taken on the new board is read once for all of them. A write that meets a number or a title that was taken since does nothing. */
async function moveTogether(
  db: Db,
  user_id: string,
  docs: readonly MovedDoc[],
  board_id: string,
  now: Date,
): Promise<void> {
  const target = targetKey({ kind: "board", board_id });
  const taken = await takenSlots(db.notes, { user_id, target }, "target_slot");
  const titled = await db.notes
    .find({ user_id, titled_in: target })
    .project<Pick<NoteDoc, "title">>({ _id: 0, title: 1 })
    .toArray();
  const titles = new Set(titled.map(({ title }) => title));
  const writes = docs.map((doc) => {
    const title = doc.deleted_at ? doc.title : findFreeTitle(doc.title, titles);
    const target_slot = doc.deleted_at ? null : lowestFree(taken);
    if (target_slot !== null) taken.add(target_slot);
    if (!doc.deleted_at) titles.add(title);
    return { updateOne: toMove(doc, { board_id, title, target_slot }, now) };
  });
  try {
    await db.notes.bulkWrite(writes, { ordered: false });
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
  }
}

/** A note whose first numbers are all taken keeps its title here, and is then moved by itself. */
const TITLES_TRIED_TOGETHER = 20;

function findFreeTitle(title: string | null, taken: ReadonlySet<string | null>): string | null {
  if (!title || !taken.has(title)) return title;
  for (let number = 2; number <= TITLES_TRIED_TOGETHER; number += 1) {
    const numbered = numberedTitle(title, number);
    if (!taken.has(numbered)) return numbered;
  }
  return title;
}

const TITLES_TRIED = 1000;

/** False where the note changed meanwhile; it is then met again. */
async function moveNote(db: Db, doc: MovedDoc, board_id: string, now: Date): Promise<boolean> {
  for (let number = 1; number <= TITLES_TRIED; number += 1) {
    const title = doc.title !== null && number > 1 ? numberedTitle(doc.title, number) : doc.title;
    try {
      return await takingSlots(
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
  doc: MovedDoc,
  { board_id, title }: { board_id: string; title: string | null },
  now: Date,
): Promise<boolean> {
  const target = targetKey({ kind: "board", board_id });
  const { user_id, deleted_at } = doc;
  const taken = deleted_at ? null : await takenSlots(db.notes, { user_id, target }, "target_slot");
  const { filter, update } = toMove(doc, { board_id, title, target_slot: taken && lowestFree(taken) }, now);
  return (await db.notes.updateOne(filter, update)).modifiedCount === 1;
}

type NewPlace = { board_id: string; title: string | null; target_slot: number | null };

/** A deleted note has no number and no title that others must not have. */
function toMove(
  { _id, user_id, updated_at, deleted_at, title: old }: MovedDoc,
  { board_id, title, target_slot }: NewPlace,
  now: Date,
) {
  const target = targetKey({ kind: "board", board_id });
  const place = target_slot === null ? {} : { target_slot, titled_in: title ? target : undefined };
  return {
    filter: { _id, user_id, updated_at, deleted_at, title: old },
    update: { $set: { board_id, target, title, updated_at: nextMoment(now, updated_at), ...place } },
  };
}

function lowestFree(taken: Set<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}
