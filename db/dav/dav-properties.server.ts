import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { saveFolderChange } from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { DavProblem, isProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { setFolderProperties } from "#domain/dav/folder-properties.ts";
import { changeProperties, checkProperties, type PropertyChange } from "#domain/dav/property-changes.ts";
import { type DeadProperty, FILE_PROPERTIES_MAX_BYTES } from "#domain/files/dead-property.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/**
 * Dead properties are stored in the record of their file and in the entry of their folder, so they are moved, trashed, restored
 * and deleted with it.
 */
const CHANGE_ATTEMPTS = 20;

export const readFileProperties = ({ dead_properties }: Pick<FileDoc, "dead_properties">): DeadProperty[] =>
  dead_properties?.list ?? [];

/** Applies all changes or none, only if the properties have not changed since the decision. */
export async function updateFileProperties(
  db: Db,
  ownerId: string,
  fileId: string,
  changes: readonly PropertyChange[],
): Promise<DavProblem | null> {
  const file = { _id: new ObjectId(fileId), ...living(ownerId) };
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const doc = await db.files.findOne(file, { projection: { dead_properties: 1 } });
    if (!doc) return toProblem(Refusal("file_not_found", { file_id: fileId }));
    const list = changeProperties(readFileProperties(doc), changes);
    const problem = checkProperties(list, FILE_PROPERTIES_MAX_BYTES);
    if (problem) return problem;
    const revision = doc.dead_properties?.revision;
    const { matchedCount } = await db.files.updateOne(
      { ...file, "dead_properties.revision": revision ?? { $exists: false } },
      { $set: { dead_properties: { revision: (revision ?? 0) + 1, list } } },
    );
    if (matchedCount > 0) return null;
  }
  return DavProblem(503, "The properties are being changed a lot right now.", { retryAfter: 1 });
}

export async function updateFolderProperties(
  db: Db,
  ownerId: string,
  folderId: string,
  changes: readonly PropertyChange[],
): Promise<DavProblem | null> {
  let problem: DavProblem | null = null;
  const folder = await saveFolderChange(db, ownerId, (tree) => {
    const changed = setFolderProperties(tree, folderId, changes);
    problem = isProblem(changed) ? changed : null;
    // The refusal leaves the tree unchanged; the answer is the problem.
    return isProblem(changed) ? Refusal("folder_limit") : changed;
  });
  return problem ?? (isRefusal(folder) ? toProblem(folder) : null);
}
