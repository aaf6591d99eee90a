import type { Db } from "#db/client.ts";
import { getTreeMemory } from "#db/files/folders/tree-memory.ts";
import { type DecidedChange, readTree, writeChange } from "#db/files/folders/tree-store.server.ts";
import {
  applyToCopy,
  copyTree,
  type FolderTree,
  type TreeChange,
} from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type Decide = (tree: FolderTree) => Partial<TreeChange> | Refusal;
type Waiting = { decide: Decide; resolve(refusal: Refusal | null): void; reject(error: unknown): void };

/** Each failed attempt means that another change succeeded, so only this many simultaneous changes can exhaust it. */
const CHANGE_ATTEMPTS = 100;
const GROUP_MAX = 50;

const queues = new WeakMap<Db, Map<string, Waiting[]>>();

/**
 * Changes a person's folders, only if the tree has not changed since the decision. Changes that arrive while another is written
 * are decided one after the other and written together, because only one write can follow a state. If another process wrote
 * first, they are decided again.
 */
export function changeTree(db: Db, ownerId: string, decide: Decide): Promise<Refusal | null> {
  const queuesByOwner = queues.get(db) ?? new Map<string, Waiting[]>();
  queues.set(db, queuesByOwner);
  const { promise, resolve, reject } = Promise.withResolvers<Refusal | null>();
  const queue = queuesByOwner.get(ownerId);
  if (queue) queue.push({ decide, resolve, reject });
  else {
    const newQueue = [{ decide, resolve, reject }];
    queuesByOwner.set(ownerId, newQueue);
    // A change that comes after the last group is written must not join a queue that nothing writes any more.
    void writeQueuedChanges(db, ownerId, newQueue, () => queuesByOwner.delete(ownerId));
  }
  return promise;
}

async function writeQueuedChanges(
  db: Db,
  ownerId: string,
  queue: Waiting[],
  close: () => void,
): Promise<void> {
  while (queue.length > 0) {
    const group = queue.splice(0, GROUP_MAX);
    try {
      const refusals = await changeUntilWritten(db, ownerId, group);
      for (const [n, { resolve }] of group.entries()) resolve(refusals[n] ?? null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
  close();
}

type Refusals = readonly (Refusal | null)[];

async function changeUntilWritten(db: Db, ownerId: string, group: readonly Waiting[]): Promise<Refusals> {
  // The cached tree may be old, so it is never a reason to refuse or to skip a change, and a write onto an old tree fails.
  const cached = getTreeMemory(db).get(ownerId);
  if (cached) {
    const decision = decideGroup(cached.tree, group);
    if (decision.changes === group.length && (await writeChange(db, ownerId, cached, decision)))
      return decision.refusals;
  }
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const current = await readTree(db, ownerId);
    const decision = decideGroup(current.tree, group);
    if (decision.changes === 0 || (await writeChange(db, ownerId, current, decision)))
      return decision.refusals;
  }
  return group.map(() => Refusal("folders_busy"));
}

type GroupDecision = DecidedChange & { refusals: Refusals };

/** Decides each change on the tree after the changes before it. */
function decideGroup(base: FolderTree, group: readonly Waiting[]): GroupDecision {
  const tree = copyTree(base);
  const put = new Map<string, TreeChange["put"][number]>();
  const removed = new Set<string>();
  let changes = 0;
  const refusals = group.map(({ decide }) => {
    const decision = decide(tree);
    if (isRefusal(decision)) return decision;
    const change = { put: decision.put ?? [], remove: decision.remove ?? [] };
    if (change.put.length + change.remove.length === 0) return null;
    applyToCopy(tree, change);
    changes += 1;
    for (const id of change.remove) {
      put.delete(id);
      removed.add(id);
    }
    for (const folder of change.put) put.set(folder.id, folder);
    return null;
  });
  return { tree, changes, change: { put: [...put.values()], remove: [...removed] }, refusals };
}
