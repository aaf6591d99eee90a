import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { createNote, type NewNote } from "#db/notes/notes.server.ts";
import { findMirroredPaths, listRepoNames } from "#db/repos/repo-trees.server.ts";
import { type NoteTarget, targetKey } from "#domain/notes/note.ts";
import { checkOrphaned } from "#domain/notes/orphans.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

export type RepoTarget = NoteTarget<"repo">;
type RepoNote = NoteRecord & { orphaned: boolean };

export const unreadableTree = (repo_name: string) =>
  Refusal("repo_not_synced", { repo_name, retry_after: 5 });

/** Lists the notes of a file, oldest first; for a missing file by its former path. */
export async function listRepoNotes(
  db: Db,
  ownerId: string,
  target: RepoTarget,
): Promise<{ notes: RepoNote[]; orphaned: boolean } | Refusal> {
  const { repo_name, repo_path } = target;
  const { tree } = await findMirroredPaths(db, ownerId, repo_name, [repo_path]);
  const orphaned = checkOrphaned(tree, repo_path);
  if (orphaned === null) return unreadableTree(repo_name);
  // A name that no repository could have may produce the key of another target; the fields distinguish them.
  const filter = { target: targetKey(target), user_id: ownerId, deleted_at: null, repo_name, repo_path };
  const docs = await db.notes.find(filter, { projection: LIGHT }).sort({ created_at: 1, _id: 1 }).toArray();
  return { notes: docs.map((doc) => ({ ...toNote(doc), orphaned })), orphaned };
}

export async function createRepoNote(
  db: Db,
  ownerId: string,
  note: NewNote<RepoTarget>,
): Promise<NoteRecord | Refusal> {
  return (await findRepoFileRefusal(db, ownerId, note.target)) ?? createNote(db, ownerId, note);
}

/** Returns why a new note cannot be put there; null if the mirror has the file. */
export async function findRepoFileRefusal(
  db: Db,
  ownerId: string,
  { repo_name, repo_path }: RepoTarget,
): Promise<Refusal | null> {
  const { tree } = await findMirroredPaths(db, ownerId, repo_name, [repo_path]);
  if (tree.state === "absent") return Refusal("repo_not_found", { repo_name });
  const orphaned = checkOrphaned(tree, repo_path);
  if (orphaned === null) return unreadableTree(repo_name);
  return orphaned ? Refusal("repo_path_not_found", { repo_name, path: repo_path }) : null;
}

/** Lists the notes of a repository whose files the mirror lacks, by path; all notes if it is not mirrored. */
export async function listRepoOrphans(
  db: Db,
  ownerId: string,
  repo_name: string,
): Promise<{ notes: NoteRecord[]; mirrored: boolean; last_sync_time: Date | null } | Refusal> {
  const docs = await db.notes
    .find({ ...toRepoNotesFilter(ownerId), repo_name }, { projection: LIGHT })
    .sort({ repo_path: 1, created_at: 1, _id: 1 })
    .toArray();
  const { tree, last_sync_time } = await findMirroredPaths(db, ownerId, repo_name, uniquePaths(docs));
  if (tree.state === "unreadable") return unreadableTree(repo_name);
  const notes = docs.filter(({ repo_path }) => checkOrphaned(tree, requirePath(repo_path))).map(toNote);
  return { notes, mirrored: tree.state === "read", last_sync_time };
}

export async function listUnmirroredRepos(
  db: Db,
  ownerId: string,
): Promise<{ repo_name: string; notes: number }[]> {
  const [counts, mirroredNames] = await Promise.all([
    countRepoNotes(db, ownerId),
    listRepoNames(db, ownerId),
  ]);
  return [...counts]
    .filter(([repo_name]) => !mirroredNames.has(repo_name))
    .map(([repo_name, notes]) => ({ repo_name, notes }))
    .sort((a, b) => (a.repo_name < b.repo_name ? -1 : 1));
}

export async function countRepoNotes(db: Db, ownerId: string): Promise<Map<string, number>> {
  const docs = await db.notes
    .find(toRepoNotesFilter(ownerId))
    .project<{ repo_name: string }>({ _id: 0, repo_name: 1 })
    .toArray();
  const counts = new Map<string, number>();
  for (const { repo_name } of docs) counts.set(repo_name, (counts.get(repo_name) ?? 0) + 1);
  return counts;
}

export type RepoNoteTally = { byPath: Map<string, number>; orphans: number };

/** Counts the notes of each file of a repository, and the orphans; none is an orphan while the tree cannot be read. */
export async function tallyRepoNotes(db: Db, ownerId: string, repo_name: string): Promise<RepoNoteTally> {
  const docs = await db.notes
    .find({ ...toRepoNotesFilter(ownerId), repo_name })
    .project<{ repo_path: string }>({ _id: 0, repo_path: 1 })
    .toArray();
  const byPath = new Map<string, number>();
  for (const { repo_path } of docs) byPath.set(repo_path, (byPath.get(repo_path) ?? 0) + 1);
  const { tree } = await findMirroredPaths(db, ownerId, repo_name, [...byPath.keys()]);
  const orphans = docs.filter(({ repo_path }) => checkOrphaned(tree, repo_path)).length;
  return { byPath, orphans };
}

/** Returns for each note if it is an orphan; null if the tree cannot be read. Notes outside repositories are left out. */
export async function checkNotesOrphaned(
  db: Db,
  ownerId: string,
  notes: readonly Pick<NoteRecord, "id" | "kind" | "repo_name" | "repo_path">[],
): Promise<Map<string, boolean | null>> {
  const orphanedById = new Map<string, boolean | null>();
  const byRepo = Map.groupBy(
    notes.filter(({ kind }) => kind === "repo"),
    ({ repo_name }) => required(repo_name, "repository of a note"),
  );
  for (const [repo_name, group] of byRepo) {
    const { tree } = await findMirroredPaths(db, ownerId, repo_name, uniquePaths(group));
    for (const note of group) orphanedById.set(note.id, checkOrphaned(tree, requirePath(note.repo_path)));
  }
  return orphanedById;
}

// The index by change reads all notes of a person, which the quota limits, and this selects those in repositories.
const toRepoNotesFilter = (user_id: string) => ({ user_id, deleted_at: null, kind: "repo" }) as const;

const requirePath = (repo_path: string | null) => required(repo_path, "path of a note on a repository");

const uniquePaths = (notes: readonly Pick<NoteDoc, "repo_path">[]) => [
  ...new Set(notes.map(({ repo_path }) => requirePath(repo_path))),
];
