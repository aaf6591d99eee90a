import type { Db } from "#db/client.ts";
import { memoryOf } from "#db/folders/tree-memory.ts";
import { type DecidedChange, readTree, writeChange } from "#db/folders/tree-store.server.ts";
import { copyTree, type FolderTree, putIntoCopy, type TreeChange } from "#domain/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type Decide = (tree: FolderTree) => Partial<TreeChange> | Refusal;
type Waiting = { decide: Decide; resolve(refusal: Refusal | null): void; reject(error: unknown): void };

/** Each attempt that fails lets another change through, so that only so many changes at once can use them up. */
const CHANGE_ATTEMPTS = 100;
const GROUP_MAX = 50;

const lines = new WeakMap<Db, Map<string, Waiting[]>>();

/**
 * Changes a person's folders onto the very tree that the change was decided on. Changes that come while another is written are decided
 * one after another and written together, because only one write can follow a state. Where another process came first, they are
 * decided again.
 */
export function changeTree(db: Db, ownerId: string, decide: Decide): Promise<Refusal | null> {
  const waiting = lines.get(db) ?? new Map<string, Waiting[]>();
  lines.set(db, waiting);
  const { promise, resolve, reject } = Promise.withResolvers<Refusal | null>();
  const line = waiting.get(ownerId);
  if (line) line.push({ decide, resolve, reject });
  else {
    const begun = [{ decide, resolve, reject }];
    waiting.set(ownerId, begun);
    void writeLine(db, ownerId, begun).finally(() => waiting.delete(ownerId));
  }
  return promise;
}

async function writeLine(db: Db, ownerId: string, line: Waiting[]): Promise<void> {
  while (line.length > 0) {
    const group = line.splice(0, GROUP_MAX);
    try {
      const refusals = await changeUntilWritten(db, ownerId, group);
      for (const [n, { resolve }] of group.entries()) resolve(refusals[n] ?? null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

type Refusals = readonly (Refusal | null)[];

async function changeUntilWritten(db: Db, ownerId: string, group: readonly Waiting[]): Promise<Refusals> {
  // What is remembered may be old: nothing is refused or left as it is by it, and a write onto it fails then.
  const remembered = memoryOf(db).get(ownerId);
  if (remembered) {
    const decided = decideGroup(remembered.tree, group);
    if (decided.changes === group.length && (await writeChange(db, ownerId, remembered, decided)))
      return decided.refusals;
  }
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS; attempt += 1) {
    const read = await readTree(db, ownerId);
    const decided = decideGroup(read.tree, group);
    if (decided.changes === 0 || (await writeChange(db, ownerId, read, decided))) return decided.refusals;
  }
  return group.map(() => Refusal("folders_busy"));
}

type Decided = DecidedChange & { refusals: Refusals };

/** Decides each change onto the tree that those before it leave. */
function decideGroup(read: FolderTree, group: readonly Waiting[]): Decided {
  const tree = copyTree(read);
  const put = new Map<string, TreeChange["put"][number]>();
  const removed = new Set<string>();
  let changes = 0;
  const refusals = group.map(({ decide }) => {
    const decided = decide(tree);
    if (isRefusal(decided)) return decided;
    const change = { put: decided.put ?? [], remove: decided.remove ?? [] };
    if (change.put.length + change.remove.length === 0) return null;
    putIntoCopy(tree, change);
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
