import { linkOnWire, linkShape, madeOnWire, madeShape } from "#app/shares/share-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { createFolderLink } from "#db/shares/folder-links.server.ts";
import { createLink } from "#db/shares/shares.server.ts";
import { SELECTION_REFUSALS } from "#domain/files/selection-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { SHARE_DAYS } from "#domain/shares/share.ts";
import { filesToLink, folderToLink } from "#domain/shares/share-schema.ts";

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
      return isRefusal(link) ? link : linkOnWire(request, link);
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
      return isRefusal(link) ? link : madeOnWire(request, link);
    },
  }),
]);
