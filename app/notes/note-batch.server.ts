import { notesOnWire, storedIn } from "#app/notes/note-wire.server.ts";
import type { Db } from "#db/client.ts";
import { type NoteRecord, updateNote } from "#db/notes/notes.server.ts";
import { BATCH_MAX, checkUpdate, isObject } from "#domain/notes/note.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

/** Several updates in one request, each with its own result. A change to one note follows the change before it. */
export const BATCH_MAX_BYTES = 16 * 1024 * 1024;
// Enough to keep the store busy, few enough that one batch does not hold up everyone else's requests.
const AT_ONCE = 8;

export function checkBatch(given: unknown): unknown[] | Refusal {
  const updates = isObject(given) ? given.updates : undefined;
  if (!Array.isArray(updates) || updates.length < 1 || updates.length > BATCH_MAX)
    return Refusal("invalid_payload", {
      field: "updates",
      max: BATCH_MAX,
      message: `updates must be a list of 1 to ${BATCH_MAX} notes.`,
    });
  return updates;
}

export async function runBatch(db: Db, ownerId: string, updates: unknown[], now: Date): Promise<object[]> {
  const outcomes: Outcome[] = new Array(updates.length);
  const turns = [...turnsByNote(updates).values()];
  const work = async () => {
    for (let turn = turns.shift(); turn; turn = turns.shift())
      for (const i of turn) outcomes[i] = await updateOne(db, ownerId, updates[i], now);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return toBatchResults(db, ownerId, updates, outcomes);
}

type Outcome = NoteRecord | Refusal;

/** What else is told of the notes is read for all of them together. */
async function toBatchResults(
  db: Db,
  ownerId: string,
  updates: unknown[],
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
    const id = idIn(updates[i]);
    if (!isRefusal(outcome)) return { id, ok: true, status: 200, ...seen };
    const content = note ? { content: note.content } : {};
    return { id, ok: false, status: refusalStatus(outcome), ...refusalBody(outcome), ...seen, ...content };
  });
}

/** The places in the batch that concern the same note, in order. */
function turnsByNote(updates: unknown[]): Map<unknown, number[]> {
  const turns = new Map<unknown, number[]>();
  for (const [i, update] of updates.entries()) {
    const key = isObject(update) ? update.id : i;
    turns.set(key, [...(turns.get(key) ?? []), i]);
  }
  return turns;
}

const idIn = (given: unknown) => (isObject(given) && typeof given.id === "string" ? given.id : null);

async function updateOne(db: Db, ownerId: string, given: unknown, now: Date): Promise<Outcome> {
  const id = idIn(given);
  if (id === null)
    return Refusal("invalid_payload", { field: "id", message: "Each update names its note by id." });
  const update = checkUpdate(given);
  if (isRefusal(update)) return update;
  const { changes, ...seen } = update;
  return updateNote(db, ownerId, id, changes, { ...seen, now });
}
