import { z } from "zod";
import { answerArchive } from "#app/files/archive.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { moveFiles } from "#db/files/folders/folder-files.server.ts";
import { addTags, listChosenFiles, setFavorites } from "#db/files/selection.server.ts";
import { trashFiles } from "#db/files/trash/file-deletion.server.ts";
import {
  fileSelection,
  filesToMove,
  filesToTag,
  filesToTrash,
  SELECTION_REFUSALS,
} from "#domain/files/selection-schema.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const success = z.literal(true);
const updatedShape = z.object({ success, updated: count });
const trashedShape = z.object({ success, deleted: count, expires_at: timestamp });

const toUpdatedOnWire = (updated: number | Refusal) =>
  isRefusal(updated) ? updated : { success: true, updated };

const favor = async (db: Db, ownerId: string, fileIds: string[], isFavorite: boolean) =>
  toUpdatedOnWire(await setFavorites(db, ownerId, fileIds, isFavorite));

export const bulkEndpoints = withFailureFlag("success", [
  endpoint({
    method: "POST",
    path: "/api/files/bulk-favorite",
    gate: "user",
    summary: "Add several files to favourites",
    body: fileSelection,
    refuses: SELECTION_REFUSALS,
    returns: { 200: updatedShape },
    answer: ({ services: { db }, signedIn: { user }, body }) => favor(db, user.id, body.file_ids, true),
  }),
  endpoint({
    method: "POST",
    path: "/api/files/bulk-unfavorite",
    gate: "user",
    summary: "Remove several files from favourites",
    body: fileSelection,
    refuses: SELECTION_REFUSALS,
    returns: { 200: updatedShape },
    answer: ({ services: { db }, signedIn: { user }, body }) => favor(db, user.id, body.file_ids, false),
  }),
  endpoint({
    method: "POST",
    path: "/api/files/bulk-tag",
    gate: "user",
    summary: "Add tags to several files",
    body: filesToTag,
    refuses: [...SELECTION_REFUSALS, "no_tags", "invalid_tags"],
    returns: { 200: updatedShape },
    answer: async ({ services: { db }, signedIn: { user }, body }) =>
      toUpdatedOnWire(await addTags(db, user.id, body.file_ids, body.tags)),
  }),
  endpoint({
    method: "POST",
    path: "/api/files/bulk-move",
    gate: "user",
    summary: "Move several files to a folder, or to the root",
    body: filesToMove,
    refuses: [...SELECTION_REFUSALS, "folder_not_found", "name_taken", "name_of_folder"],
    returns: { 200: updatedShape },
    answer: async ({ services: { db }, signedIn: { user }, body: { file_ids, folder_id } }) =>
      toUpdatedOnWire(await moveFiles(db, user.id, file_ids, folder_id)),
  }),
  endpoint({
    method: "POST",
    path: "/api/files/bulk-delete",
    gate: "user",
    summary: "Move several files to the trash",
    body: filesToTrash,
    refuses: SELECTION_REFUSALS,
    returns: { 200: trashedShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, body: { file_ids, ttl_days } }) => {
      const deletion = await trashFiles(db, user.id, file_ids, clock(), ttl_days ?? undefined);
      if (isRefusal(deletion)) return deletion;
      return { success: true, deleted: deletion.deleted, expires_at: toTimestamp(deletion.expires_at) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/files/create-zip",
    gate: "user",
    summary: "Download several files as a zip",
    body: fileSelection,
    refuses: SELECTION_REFUSALS,
    returns: { 200: "application/zip" },
    answer: async ({ services: { db, clock }, signedIn: { user }, body }) => {
      const files = await listChosenFiles(db, user.id, body.file_ids);
      return isRefusal(files) ? files : answerArchive(db, user.id, files, clock());
    },
  }),
]);
