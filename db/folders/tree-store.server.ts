import { setImmediate } from "node:timers/promises";
import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { FolderChangesDoc, FolderTreeDoc } from "#db/folders/documents.ts";
import { type HeldTree, memoryOf } from "#db/folders/tree-memory.ts";
import { applyChange, type FolderTree, NO_FOLDERS, type TreeChange } from "#domain/folders/folder-tree.ts";

/**
 * A person's folders as two documents: the whole tree as it once was, and the changes since. A change is one write to the second,
 * however many folders there are. Once that one is long, the whole tree is written anew and the changes that it has are taken out, in
 * this order: what is cut off in between leaves changes that the tree has already, and their states tell that.
 */
const CHANGED_FOLDERS_MAX = 64;
/** Of a person who never made a folder. */
const NO_TREE: HeldTree = { tree: NO_FOLDERS, revision: 0, state: null, unmerged: null };

export async function readTree(db: Db, ownerId: string): Promise<HeldTree> {
  const memory = memoryOf(db);
  const held = memory.get(ownerId);
  if (held) {
    const doc = await db.folder_changes.findOne({ _id: ownerId }, { projection: { state: 1 } });
    if (doc?.state === held.state) return held;
  }
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  const read = (held && follow(held, doc)) ?? (await readWhole(db, ownerId, doc));
  // Reading thousands of folders takes its time; others are answered before anything is made of them.
  await setImmediate();
  if (read.state !== null) memory.set(ownerId, read);
  return read;
}

/** Adds a change to the tree that it was decided on. Null where another change came first. */
export async function writeChange(
  db: Db,
  ownerId: string,
  read: HeldTree,
  change: TreeChange,
): Promise<FolderTree | null> {
  const isLong = read.unmerged !== null && read.unmerged >= CHANGED_FOLDERS_MAX;
  if (isLong) await mergeChanges(db, ownerId, read);
  const tree = applyChange(read.tree, change);
  const state = new ObjectId().toHexString();
  const revision = read.revision + 1;
  const entry = { revision, state, put: [...change.put], remove: [...change.remove] };
  const head = { revision, state, expires_at: findExpiry(tree) };
  if (!(await writeEntry(db, ownerId, read, head, entry))) return null;
  const unmerged = (isLong ? 0 : (read.unmerged ?? 0)) + countFolders(entry);
  memoryOf(db).set(ownerId, { tree, revision, state, unmerged });
  return tree;
}

type Head = Pick<FolderChangesDoc, "revision" | "state" | "expires_at">;
type Entry = FolderChangesDoc["changes"][number];

async function writeEntry(
  db: Db,
  ownerId: string,
  read: HeldTree,
  head: Head,
  entry: Entry,
): Promise<boolean> {
  if (read.unmerged !== null) {
    const { matchedCount } = await db.folder_changes.updateOne(
      { _id: ownerId, state: read.state },
      { $set: head, $push: { changes: entry } },
    );
    return matchedCount === 1;
  }
  try {
    await db.folder_changes.insertOne({ _id: ownerId, ...head, base: read.state, changes: [entry] });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Writes the whole tree anew, unless a later one is there, and takes out the changes that it has. */
async function mergeChanges(db: Db, ownerId: string, { tree, revision, state }: HeldTree): Promise<void> {
  const folders = Object.fromEntries([...tree.values()].map(({ id, ...folder }) => [id, folder]));
  const whole = { revision, folders, ...(state === null ? {} : { state }) };
  try {
    await db.folder_trees.replaceOne({ _id: ownerId, revision: { $lte: revision } }, whole, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  await db.folder_changes.updateOne(
    { _id: ownerId, "changes.state": state },
    { $set: { base: state }, $pull: { changes: { revision: { $lte: revision } } } },
  );
}

/** The tree with the changes that came after it; null where these do not begin at its state. */
function follow(held: Omit<HeldTree, "unmerged">, doc: FolderChangesDoc): HeldTree | null {
  const { revision, state, base, changes } = doc;
  const begin = held.state === base ? 0 : changes.findIndex((change) => change.state === held.state) + 1;
  if (begin === 0 && held.state !== base) return null;
  const unmerged = changes.reduce((sum, change) => sum + countFolders(change), 0);
  return { tree: changes.slice(begin).reduce(applyChange, held.tree), revision, state, unmerged };
}

async function readWhole(db: Db, ownerId: string, head: FolderChangesDoc): Promise<HeldTree> {
  const whole = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const followed = follow(whole, head);
  if (followed) return followed;
  const doc = await db.folder_changes.findOne({ _id: ownerId });
  if (!doc) return NO_TREE;
  // The tree was written anew since the changes were read.
  if (doc.state !== head.state) return readWhole(db, ownerId, doc);
  // Both were restored from different moments: the next change writes the tree anew.
  const later = head.changes.filter(({ revision }) => revision > whole.revision);
  const revision = Math.max(whole.revision, head.revision);
  return { tree: later.reduce(applyChange, whole.tree), revision, state: head.state, unmerged: Infinity };
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

/** For a tree of an earlier release, which has no document of changes: upkeep finds its trash by that. */
export async function beginFolderChanges(db: Db, ownerId: string): Promise<void> {
  const { tree, revision, state } = toHeldTree(await db.folder_trees.findOne({ _id: ownerId }));
  const first = { revision, state, base: state, changes: [], expires_at: findExpiry(tree) };
  await db.folder_changes.updateOne({ _id: ownerId }, { $setOnInsert: first }, { upsert: true });
}

/** When the first of the folders in the trash expires. */
function findExpiry(tree: FolderTree): Date | null {
  const dates = [...tree.values()].flatMap(({ expires_at }) => (expires_at ? [expires_at.getTime()] : []));
  return dates.length > 0 ? new Date(Math.min(...dates)) : null;
}
