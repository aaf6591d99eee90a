import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { readShareEnd } from "#app/shares/share-form.server.ts";
import { shareUrl } from "#app/shares/share-wire.server.ts";
import { moveFolderToTrash, restoreTrashedFolder } from "#db/files/folders/folder-trash.server.ts";
import { createFolder, readFolders, updateFolder } from "#db/files/folders/folders.server.ts";
import { createFolderLink } from "#db/shares/folder-links.server.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { findFolder } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkSharePassword } from "#domain/shares/share.ts";
import type { Verb } from "./form.server.ts";

export const FOLDER_VERBS: Record<string, Verb> = {
  "folder-create": async ({ services: { db }, ownerId, form, now }) => {
    const parent = await readChosenFolder(db, ownerId, form.folder);
    if (isRefusal(parent)) return parent;
    const fields = { name: (form.name ?? "").trim(), parent_id: parent.id };
    const folder = await createFolder(db, ownerId, fields, now);
    if (isRefusal(folder)) return folder;
    return { flash: { say: "folder_changed", what: "created", name: folder.name, count: 0 } };
  },
  "folder-edit": async ({ services: { db }, ownerId, form, fileId, now }) => {
    const parent =
      form.folder === undefined ? null : await readChosenFolder(db, ownerId, form.folder || ROOT_FOLDER);
    if (isRefusal(parent)) return parent;
    const changes = {
      ...(form.name === undefined ? {} : { name: form.name.trim() }),
      ...(parent ? { parent_id: parent.id } : {}),
    };
    const before = findFolder(await readFolders(db, ownerId), fileId);
    const folder = await updateFolder(db, ownerId, fileId, changes, now);
    if (isRefusal(folder)) return folder;
    const undo = before
      ? { folder_id: fileId, name: before.name, parent: before.parent_id ?? ROOT_FOLDER }
      : undefined;
    return { flash: { say: "folder_changed", what: "saved", name: folder.name, count: 0, undo } };
  },
  "folder-delete": async ({ services: { db }, ownerId, fileId, now }) => {
    const folder = findFolder(await readFolders(db, ownerId), fileId);
    if (!folder) return Refusal("folder_not_found", { folder_id: fileId });
    const deletion = await moveFolderToTrash(db, ownerId, fileId, {}, now);
    if (isRefusal(deletion)) return deletion;
    const { name } = folder;
    return { flash: { say: "folder_trashed", folder_id: fileId, name, count: deletion.files } };
  },
  "folder-share": async ({ request, services: { db }, ownerId, ownZone, form, fileId, now }) => {
    const end = readShareEnd(form, ownZone);
    if (isRefusal(end)) return end;
    const password = form.password ? checkSharePassword(form.password) : null;
    if (isRefusal(password)) return password;
    const wish = {
      ...end,
      password,
      follows: form.mode === "follow",
      with_secrets: form.with_secrets !== undefined,
    };
    const link = await createFolderLink(db, ownerId, fileId, wish, now);
    if (isRefusal(link)) return link;
    const url = shareUrl(request, link);
    return { flash: { say: "shared", count: 1, name: link.folder?.name, url } };
  },
  "folder-restore": async ({ services: { db }, ownerId, fileId, now }) => {
    const result = await restoreTrashedFolder(db, ownerId, fileId, now);
    if (isRefusal(result)) return result;
    const { folder, files } = result;
    const flash = { say: "folder_changed", what: "restored", name: folder.name, count: files } as const;
    return { flash, goTo: folderAddress(folder.id) };
  },
};
