import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { living } from "#db/files/living-files.server.ts";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { Refusal } from "#domain/refusal.ts";

export const toNameColumns = (file_name: string) => ({ file_name, name_order: toNameOrder(file_name) });

/** Filters the file of a name in a folder, outside the trash. Documents from before folders are at the root. */
export const toNameFilter = (ownerId: string, file_name: string, folder_id: string | null = null) => ({
  ...living(ownerId),
  folder_id,
  file_name,
});

/** Finds the file of a name in a folder. If two names look alike, the requested form decides. */
export async function findNamedDoc(
  db: Db,
  ownerId: string,
  file_name: string,
  folder_id: string | null = null,
): Promise<FileDoc | null> {
  const [requestedForm, ...otherForms] = listNameForms(file_name);
  const exact = await db.files.findOne(toNameFilter(ownerId, requestedForm ?? file_name, folder_id));
  if (exact || otherForms.length === 0) return exact;
  return db.files.findOne({ ...toNameFilter(ownerId, file_name, folder_id), file_name: { $in: otherForms } });
}

/** Returns the name of the file that a text becomes a version of, in its existing form; composed for a new file. */
export async function resolveFileName(
  db: Db,
  ownerId: string,
  { file_name, folder_id }: { file_name: string; folder_id?: string | null },
): Promise<string> {
  if (listNameForms(file_name).length === 1) return file_name;
  const existing = await findNamedDoc(db, ownerId, file_name, folder_id);
  return existing?.file_name ?? toComposedName(file_name);
}

/** Refuses a name that another file of the folder has in another form. The store itself refuses the same form. */
export async function checkNoLookAlike(
  db: Db,
  ownerId: string,
  { id, folder_id, file_name }: { id: string; folder_id: string | null; file_name: string },
): Promise<Refusal | null> {
  const otherForms = listNameForms(file_name).slice(1);
  if (otherForms.length === 0) return null;
  const filter = { ...toNameFilter(ownerId, file_name, folder_id), file_name: { $in: otherForms } };
  const existing = await db.files.findOne(
    { ...filter, _id: { $ne: new ObjectId(id) } },
    { projection: { _id: 1 } },
  );
  return existing && Refusal("file_name_taken", { file_name });
}

export async function listNewestNamesAndTags(db: Db, ownerId: string, limit: number): Promise<string[]> {
  const files = await db.files
    .find(living(ownerId), { hint: "by_creation" })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .project<Pick<FileDoc, "file_name" | "tags">>({ _id: 0, file_name: 1, tags: 1 })
    .toArray();
  return files.flatMap(({ file_name, tags }) => [file_name, ...tags]);
}
