import { setImmediate } from "node:timers/promises";
import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { upsertBatchOnce } from "#db/core/add-once.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { FolderChangesDoc, FolderTreeDoc } from "#db/files/folders/documents.ts";
import { getTreeMemory, type HeldTree } from "#db/files/folders/tree-memory.ts";
import {
  applyChange,
  type FolderTree,
  NO_FOLDERS,
  type TreeChange,
} from "#domain/files/folders/folder-tree.ts";

/**
 * Stores a person's folders in two documents: the tree after one of its changes, and the changes since then. A change is a single write to
 * the second document, for any number of folders. A long list of changes is merged: first the tree is replaced, then the changes that it
 * contains are removed. An interrupted merge leaves changes that the tree contains already; readers recognise them by their states.
 */
const CHANGED_FOLDERS_MAX = 64;
/** The tree of a person who never created a folder. */
const NO_TREE: HeldTree = { tree: NO_FOLDERS, revision: 0, state: null, unmerged: null };

export async function readTree(db: Db, ownerId: string): Promise<HeldTree> {
  const memory = getTreeMemory(db);
  const earlier = memory.get(ownerId);
  const head = { projection: { state: 1, revision: 1 } };
  const stored = earlier && (await db.folder_changes.findOne({ _id: ownerId }, head));
  const cached = memory.get(ownerId);
  // This process may have written or read a later tree during the query.
  const isLater = cached && stored && cached !== earlier && cached.revision > stored.revision;
  if (cached && (isLater || stored?.state === cached.state)) return cached;
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  const current = (cached && applyChanges(cached, doc)) ?? (await readStoredTree(db, ownerId, doc));
  // Reading thousands of folders takes time, so other requests run before this continues.
  await setImmediate();
  if (current.state !== null) memory.set(ownerId, current);
  return current;
}

/** The tree after some changes, and these changes together. */
export type DecidedChange = { tree: FolderTree; changes: number; change: TreeChange };

/** Adds changes to the tree that they were decided on. Returns false if another change came first. */
export async function writeChange(
  db: Db,
  ownerId: string,
  base: HeldTree,
  { tree, changes, change }: DecidedChange,
): Promise<boolean> {
  if (base.unmerged === null) {
    await createFolderChangesDoc(db, ownerId);
    return false;
  }
  const isLong = base.unmerged >= CHANGED_FOLDERS_MAX;
  if (isLong && !(await mergeChanges(db, ownerId, base))) return false;
  const state = new ObjectId().toHexString();
  const revision = base.revision + changes;
  const entry = { revision, state, put: [...change.put], remove: [...change.remove] };
  const { matchedCount } = await db.folder_changes.updateOne(
    { _id: ownerId, state: base.state },
    { $set: { revision, state, expires_at: findEarliestExpiry(tree) }, $push: { changes: entry } },
  );
  if (matchedCount === 0) return false;
  const unmerged = (isLong ? 0 : base.unmerged) + countFolders(entry);
  getTreeMemory(db).set(ownerId, { tree, revision, state, unmerged });
  return true;
}

/** Replaces the stored tree unless a later one is stored, and removes the changes that it contains. Returns false for an outdated tree. */
async function mergeChanges(db: Db, ownerId: string, { tree, revision, state }: HeldTree): Promise<boolean> {
  // A process may have cached the tree of an account that was deleted and created again.
  if (!(await db.folder_changes.findOne({ _id: ownerId, state }, { projection: { _id: 1 } }))) return false;
  const folders = Object.fromEntries([...tree.values()].map(({ id, ...folder }) => [id, folder]));
  const stored = { revision, folders, ...(state === null ? {} : { state }) };
  const notNewer = { _id: ownerId, revision: { $lte: revision } };
  await skipDuplicate(db.folder_trees.replaceOne(notNewer, stored, { upsert: true }));
  await db.folder_changes.updateOne(
    { _id: ownerId, "changes.state": state },
    { $set: { base: state }, $pull: { changes: { revision: { $lte: revision } } } },
  );
  return true;
}

/** Applies the later changes to a tree; null if they do not continue at its state. */
function applyChanges(remembered: Omit<HeldTree, "unmerged">, doc: FolderChangesDoc): HeldTree | null {
  const { revision, state, base, changes } = doc;
  const begin =
    remembered.state === base ? 0 : changes.findIndex((change) => change.state === remembered.state) + 1;
  if (begin === 0 && remembered.state !== base) return null;
  const unmerged = changes.reduce((sum, change) => sum + countFolders(change), 0);
  return { tree: changes.slice(begin).reduce(applyChange, remembered.tree), revision, state, unmerged };
}

async function readStoredTree(db: Db, ownerId: string, head: FolderChangesDoc): Promise<HeldTree> {
  const stored = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const current = applyChanges(stored, head);
  if (current) return current;
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  // Another process replaced the stored tree after these changes were read.
  if (doc.state !== head.state) return readStoredTree(db, ownerId, doc);
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

/** Creates the document of changes, which is missing before a person's first change and for trees of earlier releases. */
export async function createFolderChangesDoc(db: Db, ownerId: string): Promise<void> {
  const { tree, revision, state } = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const first = { revision, state, base: state, changes: [], expires_at: findEarliestExpiry(tree) };
  await upsertBatchOnce(() =>
    db.folder_changes.updateOne({ _id: ownerId }, { $setOnInsert: first }, { upsert: true }),
  );
}

function findEarliestExpiry(tree: FolderTree): Date | null {
  const dates = [...tree.values()].flatMap(({ expires_at }) => (expires_at ? [expires_at.getTime()] : []));
  return dates.length > 0 ? new Date(Math.min(...dates)) : null;
}
