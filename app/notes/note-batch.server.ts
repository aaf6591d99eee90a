import { findStoredNote, toWireNotes } from "#app/notes/note-wire.server.ts";
import type { Db } from "#db/client.ts";
import { type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import type { BatchedUpdate } from "#domain/notes/note-request.ts";
import { isRefusal, type Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";

/** One request with several updates, each with its own result. Updates of one note run in order. */
export const BATCH_MAX_BYTES = 16 * 1024 * 1024;
// Enough to use the store well, and few enough not to delay other requests.
const CONCURRENT_UPDATES = 8;

export async function applyNoteUpdates(
  db: Db,
  ownerId: string,
  updates: BatchedUpdate[],
  now: Date,
): Promise<object[]> {
  const outcomes: Outcome[] = new Array(updates.length);
  const groups = [...groupIndexesByNote(updates).values()];
  const work = async () => {
    for (let group = groups.shift(); group; group = groups.shift())
      for (const i of group) outcomes[i] = await updateOne(db, ownerId, itemAt(updates, i), now);
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPDATES }, work));
  return toBatchResults(db, ownerId, updates, outcomes);
}

type Outcome = NoteRecord | Refusal;

/** Turns outcomes into results. Data that the answer adds to the notes is read for all of them at once. */
async function toBatchResults(
  db: Db,
  ownerId: string,
  updates: BatchedUpdate[],
  outcomes: Outcome[],
): Promise<object[]> {
  const storedNotes = outcomes.map((outcome) => (isRefusal(outcome) ? findStoredNote(outcome) : outcome));
  const onWire = await toWireNotes(
    db,
    ownerId,
    storedNotes.filter((note) => note !== undefined),
  );
  return outcomes.map((outcome, i) => {
    const note = storedNotes[i] && onWire.shift();
    const state = note ? { updated_at: note.updated_at, note } : {};
    const { id } = itemAt(updates, i);
    if (!isRefusal(outcome)) return { id, ok: true, status: 200, ...state };
    const content = note ? { content: note.content } : {};
    return { id, ok: false, status: refusalStatus(outcome), ...refusalBody(outcome), ...state, ...content };
  });
}

/** Groups the indexes of the batch by note, in order. An update without an id is a group of its own. */
function groupIndexesByNote(updates: BatchedUpdate[]): Map<unknown, number[]> {
  const groups = new Map<unknown, number[]>();
  for (const [i, { id }] of updates.entries()) {
    const key = id ?? i;
    groups.set(key, [...(groups.get(key) ?? []), i]);
  }
  return groups;
}

async function updateOne(
  db: Db,
  ownerId: string,
  { id, update }: BatchedUpdate,
  now: Date,
): Promise<Outcome> {
  if (isRefusal(update)) return update;
  const { changes, ...expectedState } = update;
  return updateNote(db, ownerId, required(id, "id of a note"), changes, { ...expectedState, now });
}
