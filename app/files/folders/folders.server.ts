import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { answerFolderArchive } from "#app/files/folders/folder-archive.server.ts";
import { folderShape, toWireFolder } from "#app/files/folders/folder-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, flagParam, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { listFilesWithin } from "#db/files/folders/folder-files.server.ts";
import { moveFolderToTrash, restoreTrashedFolder } from "#db/files/folders/folder-trash.server.ts";
import { createFolder, readFolders, updateFolder } from "#db/files/folders/folders.server.ts";
import { folderChanges, folderId, newFolder } from "#domain/files/folders/folder-schema.ts";
import { type Folder, findFolder, listChildren } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const oneFolder = z.object({ ok, folder: folderShape });

async function toFolderAnswer(db: Db, ownerId: string, folder: Folder) {
  return { ok: true, folder: toWireFolder(folder, await readFolders(db, ownerId)) };
}

export const folderEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/folders",
    gate: "user",
    summary: "List the folders within a folder, or at the root",
    query: z.object({
      parent_id: folderId.optional().describe("Id of the folder to list; the root if you leave it out."),
    }),
    refuses: ["folder_not_found"],
    returns: { 200: z.object({ ok, folders: z.array(folderShape) }) },
    answer: async ({ services: { db }, signedIn: { user }, query }) => {
      const tree = await readFolders(db, user.id);
      const { parent_id = null } = query;
      if (parent_id !== null && !findFolder(tree, parent_id))
        return Refusal("folder_not_found", { folder_id: parent_id });
      const children = listChildren(tree, parent_id);
      // Sorting and writing thousands of folders is split into two turns, so that other requests are answered in between.
      await setImmediate();
      return { ok: true, folders: children.map((folder) => toWireFolder(folder, tree)) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/folders",
    gate: "user",
    summary: "Create a folder",
    body: newFolder,
    refuses: [
      "invalid_folder_name",
      "folder_not_found",
      "folder_name_taken",
      "name_of_file",
      "folder_too_deep",
      "folder_limit",
      "folders_busy",
    ],
    returns: { 201: oneFolder },
    answer: async ({ services: { db, clock }, signedIn: { user }, body }) => {
      const fields = { name: body.name, parent_id: body.parent_id ?? null };
      const folder = await createFolder(db, user.id, fields, clock());
      if (isRefusal(folder)) return folder;
      return Response.json(await toFolderAnswer(db, user.id, folder), { status: 201 });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/api/folders/:folder_id",
    gate: "user",
    summary: "Rename or move a folder",
    body: folderChanges,
    refuses: [
      "invalid_folder_name",
      "folder_name_taken",
      "name_of_file",
      "folder_into_itself",
      "folder_too_deep",
      "folders_busy",
    ],
    returns: { 200: oneFolder },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { folder_id }, body }) => {
      const folder = await updateFolder(db, user.id, folder_id, body, clock());
      return isRefusal(folder) ? folder : toFolderAnswer(db, user.id, folder);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/folders/:folder_id",
    gate: "user",
    summary: "Move a folder to the trash with all that is in it",
    query: z.object({ if_empty: flagParam.describe("`1` refuses unless the folder is empty.") }),
    refuses: ["folder_not_empty", "folders_busy"],
    returns: { 200: z.object({ ok, folder_id: opaqueId, files: count, expires_at: timestamp }) },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { folder_id }, query }) => {
      const ifEmpty = query.if_empty === "1";
      const deletion = await moveFolderToTrash(db, user.id, folder_id, { ifEmpty }, clock());
      if (isRefusal(deletion)) return deletion;
      const { files, expires_at } = deletion;
      return { ok: true, folder_id, files, expires_at: toTimestamp(expires_at) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/folders/:folder_id/restore",
    gate: "user",
    summary: "Bring a folder back from the trash with what went there together with it",
    refuses: ["name_of_file", "folder_too_deep", "folder_limit", "folders_busy"],
    returns: { 200: oneFolder.extend({ files: count }) },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { folder_id } }) => {
      const result = await restoreTrashedFolder(db, user.id, folder_id, clock());
      if (isRefusal(result)) return result;
      return { ...(await toFolderAnswer(db, user.id, result.folder)), files: result.files };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/folders/:folder_id/zip",
    gate: "user",
    summary: "Download a folder as a zip",
    returns: { 200: "application/zip" },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { folder_id } }) => {
      const files = await listFilesWithin(db, user.id, folder_id);
      if (isRefusal(files)) return files;
      const tree = await readFolders(db, user.id);
      return answerFolderArchive(db, user.id, findFolder(tree, folder_id)?.name ?? "", files, clock());
    },
  }),
]);
