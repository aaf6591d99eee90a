import { createHash } from "node:crypto";
import { type Document, ObjectId } from "mongodb";

/**
 * Decides where an imported document goes. It keeps its id, so that importing the same zip again finds it. If that id belongs
 * to another person, it gets a derived one, always the same for the same person.
 */
type ImportTarget = { id: string; state: "new" | "here" | "unfinished"; isDeleted: boolean };

function deriveOwnId(ownerId: string, id: string): string {
  return createHash("sha256").update(`${ownerId}:${id}`).digest("hex").slice(0, 24);
}

type ExistingDoc = { _id: ObjectId; user_id: string; importing?: true; deleted_at?: Date | null };

/** The methods of a collection that are used here; the documents differ. */
type ImportedCollection = {
  find(filter: { _id: { $in: ObjectId[] } }): {
    project<Row extends Document>(fields: object): { toArray(): Promise<Row[]> };
  };
};

export async function findImportTargets(
  collection: ImportedCollection,
  ownerId: string,
  ids: readonly string[],
): Promise<Map<string, ImportTarget>> {
  const docsById = await findByIds(collection, ids);
  const foreignIds = ids.filter((id) => (docsById.get(id)?.user_id ?? ownerId) !== ownerId);
  const derivedDocsById = await findByIds(
    collection,
    foreignIds.map((id) => deriveOwnId(ownerId, id)),
  );
  return new Map(
    ids.map((id) => {
      const targetId = foreignIds.includes(id) ? deriveOwnId(ownerId, id) : id;
      const existingDoc = foreignIds.includes(id) ? derivedDocsById.get(targetId) : docsById.get(id);
      if (existingDoc && existingDoc.user_id !== ownerId)
        throw new Error("An id of one's own is somebody else's");
      const state = !existingDoc ? "new" : existingDoc.importing ? "unfinished" : "here";
      return [id, { id: targetId, state, isDeleted: Boolean(existingDoc?.deleted_at) }];
    }),
  );
}

async function findByIds(
  collection: ImportedCollection,
  ids: readonly string[],
): Promise<Map<string, ExistingDoc>> {
  if (ids.length === 0) return new Map();
  const docs = await collection
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } })
    .project<ExistingDoc>({ user_id: 1, importing: 1, deleted_at: 1 })
    .toArray();
  return new Map(docs.map((doc) => [doc._id.toHexString(), doc]));
}
