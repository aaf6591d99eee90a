import { z } from "zod";
import {
  linkShape,
  madeShape,
  revokedShape,
  shareShape,
  toWireCreatedShare,
  toWireLink,
  toWireShare,
} from "#app/shares/share-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, ok, opaqueId } from "#app/web/api/shapes.server.ts";
import { createFolderLink } from "#db/shares/folder-links.server.ts";
import { openShare } from "#db/shares/share-opening.server.ts";
import { saveSharedFile } from "#db/shares/share-saving.server.ts";
import { createLink, createShare, findShare, listShares, removeShare } from "#db/shares/shares.server.ts";
import { FILE_NAME_REFUSALS } from "#domain/files/file.ts";
import { SELECTION_REFUSALS } from "#domain/files/selection-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { SHARE_DAYS } from "#domain/shares/share.ts";
import { filesToLink, folderToLink, shareRequest, shareToSave } from "#domain/shares/share-schema.ts";

const savedShape = z.object({ ok, file_id: opaqueId, file_name: z.string(), version: count });

const refuseMissing = (share_id: string) => Refusal("share_not_found", { share_id });

export const shareEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/share/:file_id",
    gate: "user",
    summary: "Create a link to a version of a file",
    body: shareRequest,
    refuses: [
      "invalid_share_end",
      "invalid_share_lines",
      "invalid_share_views",
      "invalid_share_password",
      "version_not_found",
      "share_limit",
    ],
    returns: { 200: madeShape },
    answer: async ({ request, services: { db, clock }, signedIn, params: { file_id }, body }) => {
      const share = await createShare(db, signedIn.user.id, file_id, body, clock());
      return isRefusal(share) ? share : toWireCreatedShare(request, share);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/shares/:share_id",
    gate: "user",
    summary: "Revoke a link",
    returns: { 200: revokedShape },
    answer: async ({ services: { db }, signedIn, params: { share_id } }) => {
      const isRemoved = await removeShare(db, signedIn.user.id, share_id);
      return isRemoved ? { ok: true, revoked: 1, share_id } : refuseMissing(share_id);
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/shares",
    gate: "user",
    summary: "List links",
    returns: { 200: z.object({ ok, shares: z.array(shareShape), count }) },
    answer: async ({ request, services: { db, clock }, signedIn }) => {
      const shares = await listShares(db, signedIn.user.id, clock());
      return { ok: true, shares: shares.map((share) => toWireShare(request, share)), count: shares.length };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/shared/save",
    gate: "user",
    summary: "Save a shared file to the library, as Markdown",
    body: shareToSave,
    refuses: [
      "missing_share_id",
      ...FILE_NAME_REFUSALS,
      "wrong_share_password",
      "share_not_found",
      "share_without_content",
      "library_full",
    ],
    returns: { 200: savedShape },
    answer: async ({ services: { db, clock }, signedIn, body: { share_id, file_name, password = "" } }) => {
      const share = await findShare(db, share_id, clock());
      const isOwn = share?.user_id === signedIn.user.id;
      if (!share || (share.views_left === 0 && !isOwn)) return refuseMissing(share_id);
      const mayRead = async () => (isOwn ? true : openShare(db, share, password, clock()));
      const copy = { fileName: file_name, mayRead };
      const result = await saveSharedFile(db, signedIn.user.id, share, itemAt(share.files, 0), copy, clock());
      if (isRefusal(result)) return result;
      return { ok: true, file_id: result.file.id, file_name: result.file.file_name, version: result.version };
    },
  }),
];

export const fileLinkEndpoints = withFailureFlag("success", [
  endpoint({
    method: "POST",
    path: "/api/files/create-share-link",
    gate: "user",
    summary: "Create one link for several files",
    body: filesToLink,
    refuses: [...SELECTION_REFUSALS, "share_limit"],
    returns: { 200: linkShape },
    answer: async ({ request, services: { db, clock }, signedIn: { user }, body }) => {
      const days = body.expires_in_days ?? SHARE_DAYS;
      const link = await createLink(db, user.id, body.file_ids, days, clock());
      return isRefusal(link) ? link : toWireLink(request, link);
    },
  }),
]);

export const folderLinkEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "POST",
    path: "/api/folders/:folder_id/share",
    gate: "user",
    summary: "Create one link for all that is in a folder",
    body: folderToLink,
    refuses: [
      "invalid_share_end",
      "invalid_share_password",
      "folder_empty",
      "folder_too_large",
      "share_limit",
    ],
    returns: { 200: madeShape },
    answer: async ({ request, services: { db, clock }, signedIn: { user }, params: { folder_id }, body }) => {
      const link = await createFolderLink(db, user.id, folder_id, body, clock());
      return isRefusal(link) ? link : toWireCreatedShare(request, link);
    },
  }),
]);
