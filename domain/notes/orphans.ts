/**
 * Whether a note on a file of a repository has lost its file. The mirrored copy decides, not the host: a file that was deleted
 * there is here until the next sync. The flag is computed whenever notes are read and is not stored.
 */
export type MirroredTree =
  /** The repository is not mirrored, or no longer: every note in it is an orphan. */
  | { state: "absent" }
  /** It is mirrored, but its tree cannot be read, so nothing is known. */
  | { state: "unreadable" }
  /** Of the given paths, those that the last sync found. */
  | { state: "read"; paths: ReadonlySet<string> };

/** Null where it is not known. */
export function isOrphaned(tree: MirroredTree, path: string): boolean | null {
  if (tree.state === "unreadable") return null;
  return tree.state === "absent" || !tree.paths.has(path);
}

const SUGGESTED_MAX = 5;

/** Where the file of an orphan may be now: where a sync saw it go, then files of its name, those in the most similar folders first. */
export function likelyPaths(lost: string, renamed: string | null, namesakes: readonly string[]): string[] {
  const near = namesakes.toSorted(
    (a, b) => foldersShared(b, lost) - foldersShared(a, lost) || (a < b ? -1 : 1),
  );
  const all = new Set(renamed === null ? near : [renamed, ...near]);
  all.delete(lost);
  return [...all].slice(0, SUGGESTED_MAX);
}

function foldersShared(one: string, other: string): number {
  const folders = new Set(listFolders(other));
  return listFolders(one).filter((folder) => folders.has(folder)).length;
}

const listFolders = (path: string) => path.split("/").slice(0, -1);
