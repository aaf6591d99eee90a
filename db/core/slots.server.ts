import { type Collection, type Document, type Filter, MongoServerError } from "mongodb";
import { asFilter } from "#db/core/driver/driver-types.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { itemAt } from "#domain/required.ts";

/**
 * Limits numbers of documents without transactions: each document has its own number below the limit, unique by an index. The
 * number is part of the document, so only existing documents count, and a crash leaves no wrong count.
 */
const ATTEMPTS = 400;

/**
 * Returns a currently free number, or null at the limit. It offers only as many of the lowest free numbers as there is room, so
 * that simultaneous writers cannot exceed the limit together, even if some documents have numbers beyond it.
 */
export async function findFreeSlot<Doc extends Document>(
  collection: Collection<Doc>,
  filter: Filter<Doc>,
  field: string,
  max: number,
): Promise<number | null> {
  const takenNumbers = await listTakenSlots(collection, filter, field);
  const room = max - takenNumbers.size;
  if (room <= 0) return null;
  const freeNumbers: number[] = [];
  for (let slot = 0; freeNumbers.length < room; slot += 1)
    if (!takenNumbers.has(slot)) freeNumbers.push(slot);
  return itemAt(freeNumbers, Math.floor(Math.random() * freeNumbers.length));
}

export async function listTakenSlots<Doc extends Document>(
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

/** Repeats a write until no other one has its number. Every failed attempt means that another write succeeded. */
export async function writeWithFreeSlot<T>(
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

/** Returns the fields of the unique index that a write violated; none for any other fault. */
export function duplicateFields(error: unknown): string[] {
  if (!isDuplicateKey(error) || !(error instanceof MongoServerError)) return [];
  return Object.keys(error.keyPattern ?? {});
}
