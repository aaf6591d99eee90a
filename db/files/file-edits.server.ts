import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { updateVersion } from "#db/files/file-versions.server.ts";
import {
  type EditedFrom,
  type FileToSave,
  findFile,
  living,
  readBody,
  type SavedFile,
  saveFile,
  toFile,
} from "#db/files/files.server.ts";
import { indexChanged, unindexed } from "#db/search/search-index.server.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import { detectLanguage } from "#domain/files/language.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export type Edit = FileToSave & { onto: EditedFrom };
/** `described`: only the words about the file changed, and its version is the one it had. */
type EditedFile = SavedFile & { described: boolean };

/**
 * Saves an edit. A version is a text under a name: where both are as they were, what is known about the file is changed and no
 * version made, while the file still shows the version the edit began with.
 */
export async function editFile(
  db: Db,
  ownerId: string,
  edit: Edit,
  now: Date,
): Promise<EditedFile | Refusal> {
  const described = await describe(db, ownerId, edit);
  if (described) return described;
  const saved = await saveFile(db, ownerId, edit, now);
  return isRefusal(saved) ? saved : { ...saved, described: false };
}

/** Null where the edit is of more than words, or where the file is another by now. */
async function describe(
  db: Db,
  ownerId: string,
  { onto, file_name, body, language, ...about }: Edit,
): Promise<EditedFile | null> {
  const file = await findFile(db, ownerId, onto.id);
  if (file?.version !== onto.version || file.file_name !== file_name) return null;
  if ((await readBody(db, ownerId, file)) !== body) return null;
  const shown = language ?? detectLanguage(file_name, body);
  const doc = await db.files.findOneAndUpdate(
    { _id: new ObjectId(onto.id), ...living(ownerId), version: onto.version, file_name },
    { $set: { language: shown, ...pickDetails(about), ...unindexed() } },
    { returnDocument: "after" },
  );
  if (!doc) return null;
  await updateVersion(db, doc._id, onto.version, { language: shown });
  await indexChanged(db, ownerId, [onto.id]);
  return { file: toFile(doc), version: doc.version, created: false, described: true };
}
