import type { Db } from "#db/client.ts";
import { readFolders } from "#db/folders/folders.server.ts";
import { listFolderContents } from "#db/shares/followed-folder.server.ts";
import { insertShare, type Share } from "#db/shares/shares.server.ts";
import { findFolder } from "#domain/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { LINK_FILES_MAX, LINK_TOKEN_BYTES } from "#domain/shares/share.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

type FolderLinkWish = {
  /** Whether it shows what is in the folder when it is opened, and not what is there now. */
  follows: boolean;
  /** Null for no end. */
  days: number | null;
};

/** Makes all that is in a folder public under one address, with its paths. */
export async function createFolderLink(
  db: Db,
  ownerId: string,
  folder_id: string,
  { follows, days }: FolderLinkWish,
  now: Date,
): Promise<Share | Refusal> {
  const folder = findFolder(await readFolders(db, ownerId), folder_id);
  if (!folder) return Refusal("folder_not_found", { folder_id });
  const files = await listFolderContents(db, ownerId, folder_id, LINK_FILES_MAX + 1);
  if (isRefusal(files)) return files;
  if (files.length === 0) return Refusal("folder_empty", { folder_id });
  if (files.length > LINK_FILES_MAX) return Refusal("folder_too_large", { max: LINK_FILES_MAX });
  return insertShare(db, ownerId, {
    _id: newToken(LINK_TOKEN_BYTES),
    kind: "link",
    folder: { id: folder.id, name: folder.name, follows },
    files: follows ? [] : files,
    mode: "full",
    lines: null,
    password: null,
    views_left: null,
    created_at: now,
    expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
  });
}
