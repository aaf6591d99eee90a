import { setImmediate } from "node:timers/promises";
import { ObjectId } from "mongodb";
import { addOnce } from "#db/add-once.ts";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { FolderChangesDoc, FolderTreeDoc } from "#db/folders/documents.ts";
import { type HeldTree, memoryOf } from "#db/folders/tree-memory.ts";
import { applyChange, type FolderTree, NO_FOLDERS, type TreeChange } from "#domain/folders/folder-tree.ts";

/**
 * Stores a person's folders in two documents: the tree after one of its changes, and the changes since then. A change is one write to
 * the second document, however many folders there are. A document of many changes is merged: the tree is replaced first, and the
 * changes that it contains are removed afterwards. A merge that is interrupted in between leaves changes that the tree contains, which
 * readers recognise by their states.
 */
const CHANGED_FOLDERS_MAX = 64;
/** A person who never made a folder has this tree. */
const NO_TREE: HeldTree = { tree: NO_FOLDERS, revision: 0, state: null, unmerged: null };

export async function readTree(db: Db, ownerId: string): Promise<HeldTree> {
  const memory = memoryOf(db);
  const before = memory.get(ownerId);
  const head = { projection: { state: 1, revision: 1 } };
  const last = before && (await db.folder_changes.findOne({ _id: ownerId }, head));
  const remembered = memory.get(ownerId);
  // This process may have written or read a later tree since it asked.
  const isLater = remembered && last && remembered !== before && remembered.revision > last.revision;
  if (remembered && (isLater || last?.state === remembered.state)) return remembered;
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  const read = (remembered && follow(remembered, doc)) ?? (await readWhole(db, ownerId, doc));
  // Reading thousands of folders takes its time; others are answered before anything is made of them.
  await setImmediate();
  if (read.state !== null) memory.set(ownerId, read);
  return read;
}

/** What some changes make of a tree together. */
export type DecidedChange = { tree: FolderTree; changes: number; change: TreeChange };

/** Adds changes to the tree that they were decided on. False where another change came first. */
export async function writeChange(
  db: Db,
  ownerId: string,
  read: HeldTree,
  { tree, changes, change }: DecidedChange,
): Promise<boolean> {
  if (read.unmerged === null) {
    await beginFolderChanges(db, ownerId);
    return false;
  }
  const isLong = read.unmerged >= CHANGED_FOLDERS_MAX;
  if (isLong && !(await mergeChanges(db, ownerId, read))) return false;
  const state = new ObjectId().toHexString();
  const revision = read.revision + changes;
  const entry = { revision, state, put: [...change.put], remove: [...change.remove] };
  const { matchedCount } = await db.folder_changes.updateOne(
    { _id: ownerId, state: read.state },
    { $set: { revision, state, expires_at: findExpiry(tree) }, $push: { changes: entry } },
  );
  if (matchedCount === 0) return false;
  const unmerged = (isLong ? 0 : read.unmerged) + countFolders(entry);
  memoryOf(db).set(ownerId, { tree, revision, state, unmerged });
  return true;
}

/** Replaces the stored tree, unless a later one is stored, and removes the changes that it contains. False for a tree of before. */
async function mergeChanges(db: Db, ownerId: string, { tree, revision, state }: HeldTree): Promise<boolean> {
  // A process may remember the tree of an account that was deleted and made again.
  if (!(await db.folder_changes.findOne({ _id: ownerId, state }, { projection: { _id: 1 } }))) return false;
  const folders = Object.fromEntries([...tree.values()].map(({ id, ...folder }) => [id, folder]));
  const stored = { revision, folders, ...(state === null ? {} : { state }) };
  try {
    await db.folder_trees.replaceOne({ _id: ownerId, revision: { $lte: revision } }, stored, {
      upsert: true,
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  await db.folder_changes.updateOne(
    { _id: ownerId, "changes.state": state },
    { $set: { base: state }, $pull: { changes: { revision: { $lte: revision } } } },
  );
  return true;
}

/** The tree with the changes that came after it; null where these do not begin at its state. */
function follow(remembered: Omit<HeldTree, "unmerged">, doc: FolderChangesDoc): HeldTree | null {
  const { revision, state, base, changes } = doc;
  const begin =
    remembered.state === base ? 0 : changes.findIndex((change) => change.state === remembered.state) + 1;
  if (begin === 0 && remembered.state !== base) return null;
  const unmerged = changes.reduce((sum, change) => sum + countFolders(change), 0);
  return { tree: changes.slice(begin).reduce(applyChange, remembered.tree), revision, state, unmerged };
}

async function readWhole(db: Db, ownerId: string, head: FolderChangesDoc): Promise<HeldTree> {
  const stored = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const followed = follow(stored, head);
  if (followed) return followed;
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  // Another process replaced the stored tree after these changes were read.
  if (doc.state !== head.state) return readWhole(db, ownerId, doc);
  // The two documents come from different backups. The next change replaces the stored tree.
  const later = head.changes.filter(({ revision }) => revision > stored.revision);
  const revision = Math.max(stored.revision, head.revision);
  return { tree: later.reduce(applyChange, stored.tree), revision, state: head.state, unmerged: Infinity };
}

function toHeldTree(doc: FolderTreeDoc | null): Omit<HeldTree, "unmerged"> {
  if (!doc) return { tree: NO_FOLDERS, revision: 0, state: null };
  const { revision, state = null, folders } = doc;
  return {
    tree: new Map(Object.entries(folders).map(([id, folder]) => [id, { id, ...folder }])),
    revision,
    state,
  };
}

const countFolders = ({ put, remove }: TreeChange) => put.length + remove.length;

/** Makes the document of changes that a person's first change needs, and a tree of an earlier release does not have. */
export async function beginFolderChanges(db: Db, ownerId: string): Promise<void> {
  const { tree, revision, state } = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const first = { revision, state, base: state, changes: [], expires_at: findExpiry(tree) };
  await addOnce(() =>
    db.folder_changes.updateOne({ _id: ownerId }, { $setOnInsert: first }, { upsert: true }),
  );
}

/** When the first of the folders in the trash expires. */
function findExpiry(tree: FolderTree): Date | null {
  const dates = [...tree.values()].flatMap(({ expires_at }) => (expires_at ? [expires_at.getTime()] : []));
  return dates.length > 0 ? new Date(Math.min(...dates)) : null;
}
