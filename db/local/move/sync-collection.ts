import { createHash, type Hash } from "node:crypto";
import type { Collection, Document } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { hasOnlyDuplicates } from "#db/faults.server.ts";
import { required } from "#domain/required.ts";
import { type ReadDocument, readDocuments } from "./read-documents.ts";

/** One collection in both places, as it was found. */
export type Comparison = {
  collection: CollectionName;
  source: Contents;
  target: Contents;
  /** How many documents were missing, different or too many. */
  differences: number;
};
type Contents = { documents: number; bytes: number; digest: string };

type SyncOptions = {
  collection: CollectionName;
  source: Collection<Document>;
  target: Collection<Document>;
  /** Goes on after this `_id`; what comes before is left to a later pass. */
  after?: unknown;
  /** Documents of which the store itself decides until then are copied, and not compared. */
  comparedFrom: number;
  onProgress: (documents: number) => void;
};

/** Documents of the move itself, which stay where they are. */
const OF_THE_MOVE = { installation: ["writing", "arriving"] } as const;

const leaveOut = (collection: CollectionName): Document =>
  collection === "installation" ? { _id: { $nin: OF_THE_MOVE.installation } } : {};

/**
 * Makes the target like the source and says how they compared before. Both are read in the order of `_id`. What differs is
 * deleted and inserted again, because replacing two documents that swapped a unique value would fail; what
 * is refused for a value that another document still has is done by the next pass.
 */
export async function syncCollection(options: SyncOptions): Promise<Comparison> {
  const { collection, source, target, after, comparedFrom, onProgress } = options;
  const found = { source: openContents(), target: openContents() };
  const isCompared = ({ expiresAt }: ReadDocument) => expiresAt > comparedFrom;
  const readRange = (range: Document, from: Collection<Document>) =>
    readDocuments(from, collection, { $and: [leaveOut(collection), range] });
  let differences = 0;
  let last = after;

  async function repair(expected: ReadDocument[], range: Document): Promise<void> {
    const there = new Map<string, ReadDocument>();
    for await (const batch of readRange(range, target)) for (const read of batch) there.set(read.key, read);
    found.source.add(expected.filter(isCompared));
    found.target.add([...there.values()].filter(isCompared));
    const { missing, surplus } = compare(expected, there);
    differences += new Set([...missing, ...surplus].filter(isCompared).map(({ key }) => key)).size;
    if (surplus.length > 0)
      await target.deleteMany({ _id: { $in: surplus.map(({ document }) => document._id) } });
    if (missing.length > 0) await insert(target, missing);
  }

  for await (const batch of readRange(toRange(last), source)) {
    const { _id } = required(batch.at(-1), "batch").document;
    await repair(batch, toRange(last, _id));
    last = _id;
    onProgress(found.source.documents());
  }
  await repair([], toRange(last));
  return { collection, source: found.source.close(), target: found.target.close(), differences };
}

/** A document that differs is both: missing as it is here, and too many as it is there. */
function compare(expected: ReadDocument[], there: Map<string, ReadDocument>) {
  const same = new Set<string>();
  for (const { key, digest } of expected) if (there.get(key)?.digest.equals(digest)) same.add(key);
  const isDifferent = ({ key }: ReadDocument) => !same.has(key);
  return { missing: expected.filter(isDifferent), surplus: [...there.values()].filter(isDifferent) };
}

/** Ids of one collection are of one type, so that a range finds all of them. */
function toRange(after: unknown, upTo?: unknown): Document {
  const bounds = {
    ...(after === undefined ? {} : { $gt: after }),
    ...(upTo === undefined ? {} : { $lte: upTo }),
  };
  return Object.keys(bounds).length > 0 ? { _id: bounds } : {};
}

async function insert(target: Collection<Document>, missing: ReadDocument[]): Promise<void> {
  try {
    await target.insertMany(
      missing.map(({ document }) => document),
      { ordered: false },
    );
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
  }
}

function openContents() {
  const hash: Hash = createHash("sha256");
  let documents = 0;
  let bytes = 0;
  return {
    add(read: ReadDocument[]) {
      for (const one of read) {
        hash.update(one.digest);
        bytes += one.bytes;
      }
      documents += read.length;
    },
    documents: () => documents,
    close: (): Contents => ({ documents, bytes, digest: hash.digest("hex").slice(0, 16) }),
  };
}
