import { notesOnWire, storedIn } from "#app/notes/note-wire.server.ts";
import type { Db } from "#db/client.ts";
import { type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import type { BatchedUpdate } from "#domain/notes/note-request.ts";
import { isRefusal, type Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";

/** Several updates in one request, each with its own result. A change to one note follows the change before it. */
export const BATCH_MAX_BYTES = 16 * 1024 * 1024;
// Enough to use the store well, and few enough not to delay other requests.
const AT_ONCE = 8;

export async function runBatch(
  db: Db,
  ownerId: string,
  updates: BatchedUpdate[],
  now: Date,
): Promise<object[]> {
  const outcomes: Outcome[] = new Array(updates.length);
  const turns = [...turnsByNote(updates).values()];
  const work = async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift())
      for (const i of turn) outcomes[i] = await updateOne(db, ownerId, itemAt(updates, i), now);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return toBatchResults(db, ownerId, updates, outcomes);
}

type Outcome = NoteRecord | Refusal;

/** Whatever else the answer says about notes is read for all of them together. */
async function toBatchResults(
  db: Db,
  ownerId: string,
  updates: BatchedUpdate[],
  outcomes: Outcome[],
): Promise<object[]> {
  const stored = outcomes.map((outcome) => (isRefusal(outcome) ? storedIn(outcome) : outcome));
  const onWire = await notesOnWire(
    db,
    ownerId,
    stored.filter((note) => note !== undefined),
  );
  return outcomes.map((outcome, i) => {
    const note = stored[i] && onWire.shift();
    const seen = note ? { updated_at: note.updated_at, note } : {};
    const { id } = itemAt(updates, i);
    if (!isRefusal(outcome)) return { id, ok: true, status: 200, ...seen };
    const content = note ? { content: note.content } : {};
    return { id, ok: false, status: refusalStatus(outcome), ...refusalBody(outcome), ...seen, ...content };
  });
}

/** The places in the batch that concern the same note, in order. */
function turnsByNote(updates: BatchedUpdate[]): Map<unknown, number[]> {
  const turns = new Map<unknown, number[]>();
  for (const [i, { id }] of updates.entries()) {
    const key = id ?? i;
    turns.set(key, [...(turns.get(key) ?? []), i]);
  }
  return turns;
}

async function updateOne(
  db: Db,
  ownerId: string,
  { id, update }: BatchedUpdate,
  now: Date,
): Promise<Outcome> {
  if (isRefusal(update)) return update;
  const { changes, ...seen } = update;
  return updateNote(db, ownerId, required(id, "id of a note"), changes, { ...seen, now });
}
