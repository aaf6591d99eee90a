import { type Collection, type Document, type Filter, MongoServerError } from "mongodb";
import { asFilter } from "#db/driver/driver-types.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { itemAt } from "#domain/required.ts";

/**
 * Limits on how many documents there may be, held without transactions: each document has a number of its own below the limit,
 * unique by an index. The number is part of the document, so nothing counts that is not there, and a crash leaves no count behind.
 */
const ATTEMPTS = 400;

/**
 * A number that is free right now, or null where the limit is reached. Of the free numbers only as many of the lowest are offered as
 * there is room, so that those who ask at once cannot pass the limit together, even where some hold numbers beyond it.
 */
export async function findFreeSlot<Doc extends Document>(
  collection: Collection<Doc>,
  filter: Filter<Doc>,
  field: string,
  max: number,
): Promise<number | null> {
  const taken = await takenSlots(collection, filter, field);
  const room = max - taken.size;
  if (room <= 0) return null;
  const free: number[] = [];
  for (let slot = 0; free.length < room; slot += 1) if (!taken.has(slot)) free.push(slot);
  return itemAt(free, Math.floor(Math.random() * free.length));
}

export async function takenSlots<Doc extends Document>(
  collection: Collection<Doc>,
  filter: Filter<Doc>,
  field: string,
): Promise<Set<number>> {
  const docs = await collection
    .find(asFilter<Doc>({ ...filter, [field]: { $gte: 0 } }))
    .project<Record<string, number>>({ _id: 0, [field]: 1 })
    .sort({ [field]: 1 })
    .toArray();
  return new Set(docs.flatMap((doc) => doc[field] ?? []));
}

/** Tries a write until no other has the number it chose. Every failed try means that another write succeeded. */
export async function takingSlots<T>(
  write: () => Promise<T>,
  isSlot: (field: string) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || !duplicateFields(error).some(isSlot)) throw error;
    }
  }
}

/** The fields of the unique index that a write met; none for any other fault. */
export function duplicateFields(error: unknown): string[] {
  if (!isDuplicateKey(error) || !(error instanceof MongoServerError)) return [];
  return Object.keys(error.keyPattern ?? {});
}
