import { createHash } from "node:crypto";
import { BSON, type Collection, type Document } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { readInPages } from "#db/core/pages.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { SECOND_MS } from "#domain/time/durations.ts";

export type ReadDocument = {
  document: Document;
  /** Its `_id` as text. */
  key: string;
  digest: Buffer;
  bytes: number;
  /** When the store itself removes it. */
  expiresAt: number;
};

/** Every value keeps its type: a number that is stored with 64 bits remains one. */
const EXACT = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;
/** With files of the maximal size, a page is 200 MB. */
const PAGE_DOCUMENTS = 100;
const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 4_000_000;

/** Reads documents in the order of their `_id`, a few megabytes at a time. */
export async function* readDocuments(
  collection: Collection<Document>,
  name: CollectionName,
  filter: Document,
): AsyncGenerator<ReadDocument[]> {
  let batch: ReadDocument[] = [];
  let bytes = 0;
  const walk = { filter, order: { _id: 1 }, pageSize: PAGE_DOCUMENTS, values: EXACT } as const;
  for await (const document of readInPages(collection, walk)) {
    const readDocument = toReadDocument(name, document);
    batch.push(readDocument);
    bytes += readDocument.bytes;
    if (batch.length < BATCH_DOCUMENTS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function toReadDocument(name: CollectionName, document: Document): ReadDocument {
  const { _id } = document;
  // MongoDB puts `_id` first, independent of its original position.
  const serialized = BSON.serialize({ _id, ...document });
  return {
    document,
    key: `${typeof _id} ${_id}`,
    digest: createHash("sha256").update(serialized).digest(),
    bytes: serialized.length,
    expiresAt: findEarliestExpiry(name, document),
  };
}

/** Returns the earliest time at which an index removes the document. */
function findEarliestExpiry(name: CollectionName, document: Document): number {
  const moments = INDEXES[name].flatMap(({ key, options }) => {
    const [field = ""] = Object.keys(key);
    const value = document[field];
    const seconds = options?.expireAfterSeconds;
    return seconds !== undefined && value instanceof Date ? [value.getTime() + seconds * SECOND_MS] : [];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...moments);
}
