import type { Db } from "#db/client.ts";
import { listFilesWithin } from "#db/files/folders/folder-files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { toSharedFiles } from "#db/shares/followed-folder.server.ts";
import { hashSharePassword, insertShare, type Share } from "#db/shares/shares.server.ts";
import { findFolder } from "#domain/files/folders/folder-tree.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkShareEnd, LINK_FILES_MAX, LINK_TOKEN_BYTES, type ShareEnd } from "#domain/shares/share.ts";
import { generateToken } from "#platform/ids.ts";

type FolderLinkOptions = ShareEnd & {
  /** True to show the folder's files when it is opened, instead of those it has now. */
  follows: boolean;
  password?: string | null;
  /** True to include files that may hold secrets. */
  with_secrets?: boolean;
};

/** Lists paths of files in a folder that may hold secrets, among as many files as a link can have. */
export async function listSecretFilesWithin(db: Db, ownerId: string, folder_id: string): Promise<string[]> {
  const within = await listFilesWithin(db, ownerId, folder_id, LINK_FILES_MAX);
  return isRefusal(within) ? [] : within.map(({ path }) => path).filter(isSecretFile);
}

/** Makes a folder public with its files and their paths. */
export async function createFolderLink(
  db: Db,
  ownerId: string,
  folder_id: string,
  { follows, with_secrets = false, password = null, ...end }: FolderLinkOptions,
  now: Date,
): Promise<Share | Refusal> {
  const folder = findFolder(await readFolders(db, ownerId), folder_id);
  if (!folder) return Refusal("folder_not_found", { folder_id });
  const sharedFolder = { id: folder.id, name: folder.name, follows, with_secrets };
  const within = await listFilesWithin(db, ownerId, folder_id, LINK_FILES_MAX + 1);
  if (isRefusal(within)) return within;
  // Counted before secrets are left out: otherwise files beyond the limit would be dropped silently.
  if (within.length > LINK_FILES_MAX) return Refusal("folder_too_large", { max: LINK_FILES_MAX });
  const files = toSharedFiles(within, with_secrets);
  if (files.length === 0) return Refusal("folder_empty", { folder_id });
  const expires_at = checkShareEnd(end, now);
  if (isRefusal(expires_at)) return expires_at;
  return insertShare(db, ownerId, {
    _id: generateToken(LINK_TOKEN_BYTES),
    kind: "link",
    folder: sharedFolder,
    files: follows ? [] : files,
    mode: "full",
    lines: null,
    password: await hashSharePassword(password),
    views_left: null,
    created_at: now,
    expires_at,
  });
}
