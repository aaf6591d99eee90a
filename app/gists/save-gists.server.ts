import type { Db } from "#db/client.ts";
import { findFileByName, readBody } from "#db/files/file-records.server.ts";
import { createFolder, ensureFolders, readFolders } from "#db/files/folders/folders.server.ts";
import { saveUnderFreeName } from "#db/files/free-name.server.ts";
import {
  FOLDERS_MAX,
  type Folder,
  followPath,
  toNumberedFolderName,
} from "#domain/files/folders/folder-tree.ts";
import {
  cutGistDescription,
  type Gist,
  type GistFile,
  type GistGap,
  nameGistFolder,
  SINGLE_GISTS_FOLDER,
} from "#domain/files/gist.ts";
import { checkGistFile } from "#domain/files/gist-schema.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";

/** The result of an import: its folders, the number of saved and of unchanged files, and the skipped files. */
export type GistsSaved = {
  folders: { id: string; name: string }[];
  files: number;
  unchanged: number;
  skipped: { name: string; why: GistGap | RefusalCode }[];
};

type Readable = { name: string; body: string };
type Saving = { db: Db; ownerId: string; now: Date; saved: GistsSaved };

/** Saves gists one after the other. A file that cannot be saved is listed, and the others are saved. */
export async function saveGists(
  db: Db,
  ownerId: string,
  gists: readonly Gist[],
  now: Date,
): Promise<GistsSaved> {
  const saved: GistsSaved = { folders: [], files: 0, unchanged: 0, skipped: [] };
  for (const gist of gists) await saveGist({ db, ownerId, now, saved }, gist);
  return saved;
}

async function saveGist(saving: Saving, gist: Gist): Promise<void> {
  const readable = gist.files.filter((file) => acceptGistFile(saving, file));
  if (readable.length === 0) return;
  const description = cutGistDescription(gist.description);
  const isSingle = gist.files.length === 1;
  const folder_id = isSingle
    ? await ensureSinglesFolder(saving)
    : ((await reuseImportedFolder(saving, gist, readable)) ?? (await createGistFolder(saving, gist)));
  for (const { name, body } of readable) {
    if (!isRefusal(folder_id) && (await hasSameFile(saving, folder_id, { name, body }))) {
      saving.saved.unchanged += 1;
      continue;
    }
    const result = isRefusal(folder_id)
      ? folder_id
      : await saveUnderFreeName(
          saving.db,
          saving.ownerId,
          { file_name: name, body, folder_id, description },
          saving.now,
        );
    if (isRefusal(result)) saving.saved.skipped.push({ name, why: result.refused });
    else saving.saved.files += 1;
  }
}

function acceptGistFile({ saved }: Saving, file: GistFile): file is Readable {
  const why = "missing" in file ? file.missing : checkGistFile(file)?.refused;
  if (why !== undefined) saved.skipped.push({ name: file.name, why });
  return why === undefined;
}

async function ensureSinglesFolder({ db, ownerId, now, saved }: Saving): Promise<string | null | Refusal> {
  const id = await ensureFolders(db, ownerId, [SINGLE_GISTS_FOLDER], now);
  if (id !== null && !isRefusal(id) && !saved.folders.some((folder) => folder.id === id))
    saved.folders.push({ id, name: SINGLE_GISTS_FOLDER });
  return id;
}

async function hasSameFile(
  { db, ownerId }: Saving,
  folder_id: string | null,
  { name, body }: Readable,
): Promise<boolean> {
  const file = await findFileByName(db, ownerId, name, folder_id);
  return file !== null && (await readBody(db, ownerId, file)) === body;
}

/** Finds the folder that an earlier import of the identical gist made, and lists it among the saved folders. */
async function reuseImportedFolder(
  saving: Saving,
  gist: Gist,
  readable: readonly Readable[],
): Promise<string | null> {
  const [folder] = followPath(await readFolders(saving.db, saving.ownerId), [nameGistFolder(gist)]);
  if (!folder) return null;
  for (const file of readable) if (!(await hasSameFile(saving, folder.id, file))) return null;
  saving.saved.folders.push({ id: folder.id, name: folder.name });
  return folder.id;
}

const TAKEN: readonly RefusalCode[] = ["folder_name_taken", "name_of_file"];

/** Creates a folder for the gist, with a number if its name is taken. */
async function createGistFolder({ db, ownerId, now, saved }: Saving, gist: Gist): Promise<string | Refusal> {
  const name = nameGistFolder(gist);
  const tree = await readFolders(db, ownerId);
  for (let number = 1; number <= FOLDERS_MAX; number += 1) {
    const free = toNumberedFolderName(name, number);
    if (followPath(tree, [free]).length > 0) continue;
    const folder: Folder | Refusal = await createFolder(db, ownerId, { name: free, parent_id: null }, now);
    if (!isRefusal(folder)) saved.folders.push({ id: folder.id, name: folder.name });
    if (!isRefusal(folder)) return folder.id;
    if (!TAKEN.includes(folder.refused)) return folder;
  }
  return Refusal("folder_limit", { max: FOLDERS_MAX });
}
