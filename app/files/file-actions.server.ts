import { z } from "zod";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerSuccess } from "#app/web/answers/replies.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { createLimitParam, cursorParam, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { listTrash } from "#db/files/trash/trash.server.ts";
import { listOldFolders } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

const trashed = z.object({ ok, file_id: opaqueId, deleted_at: timestamp, expires_at: timestamp });
const restored = z.object({ ok, restored: z.literal(1), file_id: opaqueId, file_name: z.string() });
const purged = z.object({ ok, deleted: z.literal(1), file_id: opaqueId });
const starred = z.object({ ok, file_id: opaqueId, is_favorite: z.boolean() });
const pinned = z.object({ ok, file_id: opaqueId, is_pinned: z.boolean() });

const TRASH_PAGE_SIZE = 50;
const TRASH_LIMIT_MAX = 200;
const trashItem = z.object({
  file_id: opaqueId,
  file_name: z.string(),
  path: z.string(),
  deleted_at: timestamp,
  expires_at: timestamp.nullable(),
});

export const fileActionEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/trash",
    gate: "user",
    summary: "List the files in the trash, the last deleted first",
    refuses: ["invalid_cursor"],
    returns: { 200: z.object({ ok, items: z.array(trashItem), next_cursor: z.string().nullable() }) },
    query: z.object({ cursor: cursorParam, limit: createLimitParam(TRASH_PAGE_SIZE, TRASH_LIMIT_MAX) }),
    answer: async ({ services: { db }, signedIn: { user }, query }) => {
      const page = await listTrash(db, user.id, query);
      if (isRefusal(page)) return page;
      const tree = await readFolders(db, user.id);
      const items = page.files.map(({ id, file_name, folder_id, deleted_at, expires_at }) => ({
        file_id: id,
        file_name,
        path: [...listOldFolders(tree, folder_id), file_name].join("/"),
        deleted_at: toTimestamp(deleted_at),
        expires_at: toTimestampOrNull(expires_at),
      }));
      return { ok: true, items, next_cursor: page.next_cursor };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/file/:file_id/trash",
    gate: "user",
    summary: "Move a file to the trash",
    returns: { 200: trashed },
    answer: async ({ request, context, services: { db, clock }, signedIn, params: { file_id } }) => {
      const deletion = await trashFile(db, signedIn.user.id, file_id, clock());
      if (isRefusal(deletion)) return deletion;
      if (wantsPage(request.headers.get("Accept")))
        context.session.flash({ say: "files_trashed", count: 1, at: deletion.deleted_at.getTime() });
      const [deleted_at, expires_at] = [deletion.deleted_at, deletion.expires_at].map(toTimestamp);
      return answerSuccess(request, { ok: true, file_id, deleted_at, expires_at }, "/files");
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/trash/:file_id/restore",
    gate: "user",
    summary: "Restore a file from the trash",
    returns: { 200: restored },
    answer: async ({ request, services: { db, clock }, signedIn, params: { file_id } }) => {
      const file = await restoreFile(db, signedIn.user.id, file_id, clock());
      if (isRefusal(file)) return file;
      return answerSuccess(
        request,
        { ok: true, restored: 1, file_id, file_name: file.file_name },
        `/file/${file_id}`,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/trash/:file_id/purge",
    gate: "user",
    summary: "Delete a file in the trash forever",
    returns: { 200: purged },
    answer: async ({ request, services: { db, clock }, signedIn, params: { file_id } }) => {
      const purge = await purgeFile(db, signedIn.user.id, file_id, clock());
      return isRefusal(purge) ? purge : answerSuccess(request, { ok: true, deleted: 1, file_id }, "/trash");
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/favorite/toggle/:file_id",
    gate: "user",
    summary: "Add or remove a favourite",
    returns: { 200: starred },
    answer: async ({ request, services: { db }, signedIn, params: { file_id } }) => {
      const file = await toggleFavorite(db, signedIn.user.id, file_id);
      if (isRefusal(file)) return file;
      return answerSuccess(request, { ok: true, file_id, is_favorite: file.is_favorite }, `/file/${file_id}`);
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/pin/toggle/:file_id",
    gate: "user",
    summary: "Pin or unpin a file",
    refuses: ["pin_limit"],
    returns: { 200: pinned },
    answer: async ({ request, services: { db }, signedIn, params: { file_id } }) => {
      const file = await togglePin(db, signedIn.user.id, file_id);
      if (isRefusal(file)) return file;
      return answerSuccess(request, { ok: true, file_id, is_pinned: file.is_pinned }, `/file/${file_id}`);
    },
  }),
];
