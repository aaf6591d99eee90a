import { createHash } from "node:crypto";
import { type Collection, ObjectId } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";

/** The ids of documents with the same key; `count` is their total. */
type Collision = { count: number; documents: string[] };

const COLLISIONS_MAX = 10;
const DOCUMENTS_MAX = 5;

/** Finds the documents that prevent a unique index. Ids that may be secrets are shown as digests. */
export async function findCollisions(
  collection: Pick<Collection, "aggregate">,
  { key, options }: IndexSpec,
): Promise<Collision[]> {
  const fields = Object.keys(key).map((field, i) => [`k${i}`, { $ifNull: [`$${field}`, null] }]);
  const groups = await collection
    .aggregate<{ count: number; ids: unknown[] }>(
      [
        { $match: options?.partialFilterExpression ?? {} },
        { $group: { _id: Object.fromEntries(fields), count: { $sum: 1 }, ids: { $push: "$_id" } } },
        { $match: { count: { $gt: 1 } } },
        { $limit: COLLISIONS_MAX },
        { $project: { _id: 0, count: 1, ids: { $slice: ["$ids", DOCUMENTS_MAX] } } },
      ],
      { allowDiskUse: true },
    )
    .toArray();
  return groups.map(({ count, ids }) => ({ count, documents: ids.map(toDocumentName) }));
}

const toDocumentName = (id: unknown) =>
  id instanceof ObjectId
    ? id.toHexString()
    : `sha256:${createHash("sha256").update(String(id)).digest("hex").slice(0, 16)}`;

/** An index could not be built; an index in its place still exists. */
export class IndexNotBuilt extends Error {
  override name = "IndexNotBuilt";
  readonly collisions: Collision[];

  constructor(collection: CollectionName, { name, key }: IndexSpec, reason: Collision[] | "old_server") {
    const index = `${collection}.${name}`;
    const collisions = reason === "old_server" ? [] : reason;
    const groups = collisions.map(({ documents }) => documents.join(" = ")).join("; ") || "not known which";
    super(
      reason === "old_server"
        ? `${index} cannot be built beside the old one on this server, which has to be 5.0 or later for it. The old one stays.`
        : `${index} cannot be built: documents have the same ${Object.keys(key).join(", ")}: ${groups}`,
    );
    this.collisions = collisions;
  }
}
