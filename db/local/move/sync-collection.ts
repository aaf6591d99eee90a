import { createHash, type Hash } from "node:crypto";
import type { Collection, Document } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { hasOnlyDuplicates } from "#db/core/faults.server.ts";
import { required } from "#domain/required.ts";
import { type ReadDocument, readDocuments } from "./read-documents.ts";

/** The contents of a collection on both sides before it was synced. */
export type Comparison = {
  collection: CollectionName;
  source: Contents;
  target: Contents;
  /** The number of missing, different or surplus documents. */
  differences: number;
};
type Contents = { documents: number; bytes: number; digest: string };

type SyncOptions = {
  collection: CollectionName;
  source: Collection<Document>;
  target: Collection<Document>;
  /** Continues after this `_id`; earlier documents are left to a later pass. */
  after?: unknown;
  /** Documents that the store may remove until then are copied, but not compared. */
  comparedFrom: number;
  onProgress: (documents: number) => void;
};

/** Documents of the move itself, which are not copied. */
const OF_THE_MOVE = { installation: ["writing", "arriving"] } as const;

const toExclusion = (collection: CollectionName): Document =>
  collection === "installation" ? { _id: { $nin: OF_THE_MOVE.installation } } : {};

/**
 * Makes the target equal to the source and returns how they compared before. Both are read in the order of `_id`. Different
 * documents are deleted and inserted again, because replacing two documents that swapped a unique value would fail. An
 * insertion that is refused because another document still has a value succeeds in the next pass.
 */
export async function syncCollection(options: SyncOptions): Promise<Comparison> {
  const { collection, source, target, after, comparedFrom, onProgress } = options;
  const contents = { source: createContentsDigest(), target: createContentsDigest() };
  const isCompared = ({ expiresAt }: ReadDocument) => expiresAt > comparedFrom;
  const readRange = (range: Document, from: Collection<Document>) =>
    readDocuments(from, collection, { $and: [toExclusion(collection), range] });
  let differences = 0;
  let last = after;

  async function repairRange(expected: ReadDocument[], range: Document): Promise<void> {
    const existing = new Map<string, ReadDocument>();
    for await (const batch of readRange(range, target))
      for (const readDocument of batch) existing.set(readDocument.key, readDocument);
    contents.source.add(expected.filter(isCompared));
    contents.target.add([...existing.values()].filter(isCompared));
    const { missing, surplus } = compareDocuments(expected, existing);
    differences += new Set([...missing, ...surplus].filter(isCompared).map(({ key }) => key)).size;
    if (surplus.length > 0)
      await target.deleteMany({ _id: { $in: surplus.map(({ document }) => document._id) } });
    if (missing.length > 0) await insertMissing(target, missing);
  }

  for await (const batch of readRange(toRange(last), source)) {
    const { _id } = required(batch.at(-1), "batch").document;
    await repairRange(batch, toRange(last, _id));
    last = _id;
    onProgress(contents.source.documents());
  }
  await repairRange([], toRange(last));
  return { collection, source: contents.source.close(), target: contents.target.close(), differences };
}

/** A different document is in both lists: missing as in the source, and surplus as in the target. */
function compareDocuments(expected: ReadDocument[], existing: Map<string, ReadDocument>) {
  const sameKeys = new Set<string>();
  for (const { key, digest } of expected) if (existing.get(key)?.digest.equals(digest)) sameKeys.add(key);
  const isDifferent = ({ key }: ReadDocument) => !sameKeys.has(key);
  return { missing: expected.filter(isDifferent), surplus: [...existing.values()].filter(isDifferent) };
}

/** Ids of a collection have one type, so a range finds all of them. */
function toRange(after: unknown, upTo?: unknown): Document {
  const bounds = {
    ...(after === undefined ? {} : { $gt: after }),
    ...(upTo === undefined ? {} : { $lte: upTo }),
  };
  return Object.keys(bounds).length > 0 ? { _id: bounds } : {};
}

async function insertMissing(target: Collection<Document>, missing: ReadDocument[]): Promise<void> {
  try {
    await target.insertMany(
      missing.map(({ document }) => document),
      { ordered: false },
    );
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
  }
}

function createContentsDigest() {
  const hash: Hash = createHash("sha256");
  let documents = 0;
  let bytes = 0;
  return {
    add(read: ReadDocument[]) {
      for (const entry of read) {
        hash.update(entry.digest);
        bytes += entry.bytes;
      }
      documents += read.length;
    },
    documents: () => documents,
    close: (): Contents => ({ documents, bytes, digest: hash.digest("hex").slice(0, 16) }),
  };
}
