import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import { findAccountState } from "#db/accounts/account-state.server.ts";
import type { Db } from "#db/client.ts";
import { duplicateFields, findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { findBody, findVersion } from "#db/files/file-versions.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { listChosenFiles, listMissingFileIds } from "#db/files/selection.server.ts";
import type { ShareDoc, SharedFileDoc, ShareKind } from "#db/shares/documents.ts";
import { listSharedFolderFiles } from "#db/shares/followed-folder.server.ts";
import { findFolder } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  checkSharedLines,
  checkShareEnd,
  isLinkToken,
  isShareId,
  LINK_FILES_MAX,
  LINK_TOKEN_BYTES,
  SHARE_ID_BYTES,
  SHARES_MAX,
  type ShareEnd,
  type ShareMode,
  sharedText,
  toEventShareName,
} from "#domain/shares/share.ts";
import { generateToken } from "#platform/ids.ts";
import { hashPassword } from "#platform/secrets/password.ts";

export type SharedFile = Omit<SharedFileDoc, "file_id"> & { file_id: string };
export type Share = Omit<ShareDoc, "_id" | "slot" | "files" | "bin_expires_at" | "tries" | "once"> & {
  id: string;
  files: SharedFile[];
};
/** A share that can be opened now. Its keys are only valid for this `owner_epoch`. */
export type LivingShare = Share & { owner_epoch: number };

export type ShareWish = ShareEnd & {
  mode: ShareMode;
  version?: number;
  /** As written: `4-8`. */
  lines: string | null;
  maxViews: number | null;
  password: string | null;
  /** A token of the form. While a share with it exists, sending the form again creates no second share. */
  once?: string;
};

export async function createShare(
  db: Db,
  ownerId: string,
  fileId: string,
  wish: ShareWish,
  now: Date,
): Promise<Share | Refusal> {
  const file = await findFile(db, ownerId, fileId);
  if (!file) return Refusal("file_not_found", { file_id: fileId });
  const version = wish.version ?? file.version;
  const record = await findVersion(db, ownerId, file, version);
  if (!record) return Refusal("version_not_found", { file_id: fileId, version });
  const lines = checkSharedLines(wish.lines, record.lines);
  if (isRefusal(lines)) return lines;
  const expires_at = checkShareEnd(wish, now);
  if (isRefusal(expires_at)) return expires_at;
  const { language, size_bytes } = record;
  const sharedVersion = { version, file_name: file.file_name, language, size_bytes, lines: record.lines };
  return insertShare(db, ownerId, {
    _id: generateToken(SHARE_ID_BYTES),
    kind: "file",
    files: [{ file_id: new ObjectId(file.id), place: 1, ...sharedVersion }],
    mode: wish.mode,
    lines,
    password: await hashSharePassword(wish.password),
    views_left: wish.maxViews,
    created_at: now,
    expires_at,
    ...(wish.once === undefined ? {} : { once: wish.once }),
  });
}

export const hashSharePassword = (password: string | null): Promise<string | null> =>
  password === null ? Promise.resolve(null) : hashPassword(password);

/** A second request for the same versions of the same files within this time counts as a double click. */
const DOUBLE_CLICK_MS = 10_000;

/** Makes the newest versions of several files public at one address: all of them, or none if one is missing. */
export async function createLink(
  db: Db,
  ownerId: string,
  fileIds: string[],
  days: number,
  now: Date,
  { isPressed = false } = {},
): Promise<Share | Refusal> {
  const files = await listChosenFiles(db, ownerId, fileIds);
  if (isRefusal(files)) return files;
  const expires_at = checkShareEnd({ days }, now);
  if (isRefusal(expires_at)) return expires_at;
  return insertShare(db, ownerId, {
    ...(isPressed ? { once: await prepareOnceToken(db, ownerId, files, now) } : {}),
    _id: generateToken(LINK_TOKEN_BYTES),
    kind: "link",
    files: files.map(({ id, version, file_name, language, size_bytes, lines }, i) => ({
      file_id: new ObjectId(id),
      place: i + 1,
      ...{ version, file_name, language, size_bytes, lines },
    })),
    mode: "full",
    lines: null,
    password: null,
    views_left: null,
    created_at: now,
    expires_at,
  });
}

/** Returns the `once` token of a link made by a button, after removing it from a link that is too old for a double click. */
async function prepareOnceToken(db: Db, ownerId: string, files: FileRecord[], now: Date): Promise<string> {
  const once = hashTexts(files.map(({ id, version }) => `${id}:${version}`).toSorted());
  const old = { $lte: new Date(now.getTime() - DOUBLE_CLICK_MS) };
  await db.shares.updateOne({ user_id: ownerId, once, created_at: old }, { $unset: { once: "" } });
  return once;
}

const hashTexts = (words: string[]) => createHash("sha256").update(words.join(" ")).digest("base64url");

type NewShare = Omit<ShareDoc, "user_id" | "slot" | "views">;

export async function insertShare(db: Db, ownerId: string, draft: NewShare): Promise<Share | Refusal> {
  const insert = async () => {
    const slot = await findFreeSlot(db.shares, { user_id: ownerId }, "slot", SHARES_MAX);
    if (slot === null) return null;
    const doc: ShareDoc = { ...draft, user_id: ownerId, slot, views: 0 };
    await db.shares.insertOne(doc);
    return doc;
  };
  const doc = await writeWithFreeSlot(insert, (field) => field === "slot").catch((error) => {
    if (draft.once !== undefined && duplicateFields(error).includes("once")) return "twice" as const;
    throw error;
  });
  if (doc === "twice") return findOrInsertSameShare(db, ownerId, draft);
  if (!doc) return Refusal("share_limit", { max: SHARES_MAX });
  // A file may have been deleted since it was read, and that deletion did not find this share.
  const fileIds = doc.files.map(({ file_id }) => file_id.toHexString());
  const missing = await listMissingFileIds(db, ownerId, fileIds);
  if (missing.length === 0) {
    db.emit("share_created", {
      kind: doc.kind,
      mode: doc.mode,
      count: doc.files.length,
      ...nameShare(doc._id),
    });
    return toShare(doc);
  }
  await db.shares.deleteOne({ _id: doc._id, user_id: ownerId });
  return doc.kind === "file"
    ? Refusal("file_not_found", { file_id: missing[0] })
    : Refusal("files_not_found", { missing });
}

/** Returns the share that the same form created before, or a new one if that has ended. */
async function findOrInsertSameShare(
  db: Db,
  ownerId: string,
  { once, ...draft }: NewShare,
): Promise<Share | Refusal> {
  const twin = await db.shares.findOne({ user_id: ownerId, once, ...unexpired(draft.created_at) });
  return twin ? toShare(twin) : insertShare(db, ownerId, draft);
}

const unexpired = (now: Date) => ({ $or: [{ expires_at: null }, { expires_at: { $gt: now } }] });

/**
 * Finds the share of a file by the id in its public address. Null if it does not exist or has ended, if its file is in the
 * trash, or if its owner's account is locked.
 */
export async function findShare(db: Db, shareId: string, now: Date): Promise<LivingShare | null> {
  if (!isShareId(shareId)) return null;
  return findLivingShare(db, { _id: shareId, kind: "file" }, now);
}

/** Like `findShare`, for a link to several files. Files in the trash are left out; null if none remains. */
export async function findLink(db: Db, token: string, now: Date): Promise<LivingShare | null> {
  if (!isLinkToken(token)) return null;
  return findLivingShare(db, { _id: token, kind: "link" }, now);
}

async function findLivingShare(
  db: Db,
  address: { _id: string; kind: ShareKind },
  now: Date,
): Promise<LivingShare | null> {
  const doc = await db.shares.findOne({ ...address, ...unexpired(now) });
  if (!doc) return null;
  const files = await listSharedFiles(db, doc);
  const share = toShare({ ...doc, files });
  const fileIds = share.files.map(({ file_id }) => file_id);
  const [missing, owner] = await Promise.all([
    listMissingFileIds(db, share.user_id, fileIds),
    findAccountState(db, share.user_id),
  ]);
  if (!owner || owner.isLocked) return null;
  const visible = share.files.filter(({ file_id }) => !missing.includes(file_id));
  return visible.length === 0 ? null : { ...share, files: visible, owner_epoch: owner.credential_epoch };
}

/** Returns the files of a share. A share that follows a folder has the folder's current files; none while it is in the trash. */
async function listSharedFiles(db: Db, { user_id, folder, files }: ShareDoc): Promise<SharedFileDoc[]> {
  if (!folder?.follows) return files;
  const currentFiles = await listSharedFolderFiles(db, user_id, folder, LINK_FILES_MAX);
  return isRefusal(currentFiles) ? [] : currentFiles;
}

export async function readSharedText(db: Db, share: Share, file: SharedFile): Promise<string> {
  const body = await findBody(db, share.user_id, new ObjectId(file.file_id), file.version);
  if (body === null) throw new Error(`Version ${file.version} of file ${file.file_id} has no body`);
  return sharedText(body, share);
}

/** Counts a view. False if the share has a limit and no view is left; concurrent requests cannot exceed the limit. */
export async function countView(db: Db, share: Share, now: Date): Promise<boolean> {
  const isLimited = share.views_left !== null;
  const { modifiedCount } = await db.shares.updateOne(
    { _id: share.id, ...unexpired(now), ...(isLimited ? { views_left: { $gt: 0 } } : {}) },
    { $inc: isLimited ? { views: 1, views_left: -1 } : { views: 1 } },
  );
  return modifiedCount === 1;
}

/** A share in its owner's list. `living` counts its files that are not in the trash; a followed folder counts as one. */
export type ListedShare = Share & { living: number };

/** Lists the shares of a person that have not ended, newest first. */
export async function listShares(db: Db, ownerId: string, now: Date): Promise<ListedShare[]> {
  const docs = await db.shares
    .find({ user_id: ownerId, ...unexpired(now) })
    .sort({ created_at: -1, _id: -1 })
    .toArray();
  const ids = docs.flatMap(({ files }) => files.map(({ file_id }) => file_id));
  const files = await db.files
    .find({ _id: { $in: ids }, ...living(ownerId) })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const existingIds = new Set(files.map(({ _id }) => _id.toHexString()));
  const tree = docs.some(({ folder }) => folder) ? await readFolders(db, ownerId) : null;
  const countLiving = ({ folder, files }: ShareDoc) =>
    folder?.follows
      ? Number(tree !== null && findFolder(tree, folder.id) !== null)
      : files.filter(({ file_id }) => existingIds.has(file_id.toHexString())).length;
  return docs.map((doc) => ({ ...toShare(doc), living: countLiving(doc) }));
}

const nameShare = (id: string) => ({ resource: { type: "share", id: toEventShareName(id) } });

/** Ends a share of either kind. From then on its address answers as if it never existed. */
export async function removeShare(db: Db, ownerId: string, id: string): Promise<boolean> {
  const { deletedCount } = await db.shares.deleteOne({ _id: id, user_id: ownerId });
  if (deletedCount > 0) db.emit("share_revoked", nameShare(id));
  return deletedCount > 0;
}

/** Makes everyone who has opened a share enter its password again. */
export async function revokeShareKeys(db: Db, ownerId: string, id: string): Promise<boolean> {
  const protectedShare = { _id: id, user_id: ownerId, password: { $gt: "" } };
  const { matchedCount } = await db.shares.updateOne(protectedShare, { $inc: { key_epoch: 1 } });
  if (matchedCount > 0) db.emit("share_keys_revoked", nameShare(id));
  return matchedCount > 0;
}

function toShare({
  _id,
  slot: _,
  bin_expires_at: __,
  tries: ___,
  once: ____,
  files,
  ...share
}: ShareDoc): Share {
  return {
    id: _id,
    ...share,
    files: files.map((file) => ({ ...file, file_id: file.file_id.toHexString() })),
  };
}
