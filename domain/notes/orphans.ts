/**
 * Decides if a note on a repository's file has lost its file. The mirror decides, not the host: a file deleted there exists
 * here until the next sync. The answer is computed when notes are read and is not stored.
 */
export type MirroredTree =
  /** The repository is not mirrored, so every note in it is an orphan. */
  | { state: "absent" }
  /** The mirror cannot be read, so nothing is known. */
  | { state: "unreadable" }
  /** The requested paths that the last sync found. */
  | { state: "read"; paths: ReadonlySet<string> };

/** Returns null if it is not known. */
export function checkOrphaned(tree: MirroredTree, path: string): boolean | null {
  if (tree.state === "unreadable") return null;
  return tree.state === "absent" || !tree.paths.has(path);
}

const SUGGESTED_MAX = 5;

/** Suggests paths for an orphan: the path that a sync saw it move to, then files with its name, those in the most similar folders first. */
export function suggestPaths(lost: string, movedTo: string | null, namesakes: readonly string[]): string[] {
  const nearest = namesakes.toSorted(
    (a, b) => countSharedFolders(b, lost) - countSharedFolders(a, lost) || (a < b ? -1 : 1),
  );
  const candidates = new Set(movedTo === null ? nearest : [movedTo, ...nearest]);
  candidates.delete(lost);
  return [...candidates].slice(0, SUGGESTED_MAX);
}

function countSharedFolders(path: string, otherPath: string): number {
  const folders = new Set(listFolders(otherPath));
  return listFolders(path).filter((folder) => folders.has(folder)).length;
}

const listFolders = (path: string) => path.split("/").slice(0, -1);
