import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { moveFiles } from "#db/files/folders/folder-files.server.ts";
import {
  finishFolderDeletions,
  moveFolderToTrash,
  restoreTrashedFolder,
} from "#db/files/folders/folder-trash.server.ts";
import {
  copyFolderTree,
  createFolder,
  ensureFolders,
  updateFolder,
} from "#db/files/folders/folders.server.ts";
import { dateInterruptedDeletions } from "#db/files/trash/trash-upkeep.server.ts";
import { createFolderLink } from "#db/shares/folder-links.server.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { givenFolders } from "#tests/support/files/folder-trees.ts";
import { NOON } from "#tests/support/store.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenFiles, toIds } from "./given.ts";

const DATE = new Date(NOON.getTime() + 30 * DAY_MS);
const DATES = { deleted_at: NOON, expires_at: DATE };

export async function givenFolder(db: Db, more: object = {}): Promise<string> {
  const id = new ObjectId().toHexString();
  await givenFolders(db, OWNER, [{ id, name: "lib", ...more }], NOON);
  return id;
}

async function givenFolderWithFiles(db: Db, dates: object = {}, files: object = {}): Promise<string> {
  const folder_id = await givenFolder(db, dates);
  await givenFiles(db, { folder_id, ...files });
  return folder_id;
}

/** Does what the hourly upkeep does: remaining files go to the trash too, and missing dates are set. */
async function finishDeletion(db: Db): Promise<void> {
  await finishFolderDeletions(db, NOON);
  await dateInterruptedDeletions(db, new Date(NOON.getTime() + DAY_MS));
}

export const FOLDER_VERBS: Record<string, VerbRow> = {
  "folder-links/createFolderLink": row(givenFolderWithFiles, (db, id) =>
    createFolderLink(db, OWNER, id, { follows: false, days: 7 }, NOON),
  ),
  "folders/createFolder": row(nothing, (db) =>
    createFolder(db, OWNER, { name: "lib", parent_id: null }, NOON),
  ),
  "folders/copyFolderTree": row(givenFolder, (db, id) =>
    copyFolderTree(db, OWNER, id, { name: "copy", parent_id: null }, true, NOON),
  ),
  "folders/updateFolder": row(givenFolder, (db, id) => updateFolder(db, OWNER, id, { name: "src" }, NOON)),
  "folders/ensureFolders": row(givenFolder, (db) => ensureFolders(db, OWNER, ["lib", "a", "b"], NOON)),
  "folder-files/moveFiles": row(
    async (db) => ({ folder_id: await givenFolder(db), ids: toIds(await givenFiles(db)) }),
    (db, { folder_id, ids }) => moveFiles(db, OWNER, ids, folder_id),
  ),
  "folder-trash/moveFolderToTrash": row(
    givenFolderWithFiles,
    (db, id) => moveFolderToTrash(db, OWNER, id, {}, NOON),
    {
      finish: async (db, id) => {
        await moveFolderToTrash(db, OWNER, id, {}, NOON);
        await finishDeletion(db);
      },
    },
  ),
  "folder-trash/restoreTrashedFolder": row(
    (db) => givenFolderWithFiles(db, DATES, { ...DATES, expiring: true }),
    (db, id) => restoreTrashedFolder(db, OWNER, id, NOON),
  ),
  "folder-trash/finishFolderDeletions": row(
    (db) => givenFolderWithFiles(db, DATES),
    (db) => finishFolderDeletions(db, NOON),
    { finish: finishDeletion },
  ),
};
