import { createHash } from "node:crypto";
import { type Document, ObjectId } from "mongodb";

/**
 * Where what is imported goes. It keeps its id, so that the same zip finds it again; only where that id is somebody else's does it
 * get another, always the same one for the same person.
 */
type ImportTarget = { id: string; state: "new" | "here" | "unfinished"; isDeleted: boolean };

function ownIdFor(ownerId: string, id: string): string {
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
  const known = await findByIds(collection, ids);
  const others = ids.filter((id) => (known.get(id)?.user_id ?? ownerId) !== ownerId);
  const moved = await findByIds(
    collection,
    others.map((id) => ownIdFor(ownerId, id)),
  );
  return new Map(
    ids.map((id) => {
      const arriving = others.includes(id) ? ownIdFor(ownerId, id) : id;
      const there = others.includes(id) ? moved.get(arriving) : known.get(id);
      if (there && there.user_id !== ownerId) throw new Error("An id of one's own is somebody else's");
      const state = !there ? "new" : there.importing ? "unfinished" : "here";
      return [id, { id: arriving, state, isDeleted: Boolean(there?.deleted_at) }];
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
