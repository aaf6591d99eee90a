import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import { textKey } from "#db/repos/repo-contents.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkTreePath, TREE_ENTRIES_MAX } from "#domain/repos/repo.ts";

/** Reads a mirror: its directories, its files and their texts from the last sync. */
export type RepoFile = Pick<RepoFileDoc, "path" | "blob" | "size" | "language" | "kind">;
type RepoTree = { path: string; folders: string[]; files: RepoFile[]; truncated: boolean };

const toRepoFilter = ({ id, user_id }: RepoRecord) => ({ repo_id: new ObjectId(id), user_id });
const SHOWN = { _id: 0, path: 1, blob: 1, size: 1, language: 1, kind: 1 } as const;

export async function listTree(db: Db, repo: RepoRecord, path: string): Promise<RepoTree | Refusal> {
  const dir = checkTreePath(path);
  if (isRefusal(dir)) return dir;
  const inside = { ...toRepoFilter(repo), dir };
  const [folders, files] = await Promise.all([
    db.repo_folders
      .find(inside)
      .sort({ path: 1 })
      .limit(TREE_ENTRIES_MAX + 1)
      .toArray(),
    db.repo_files
      .find(inside)
      .project<RepoFile>(SHOWN)
      .sort({ path: 1 })
      .limit(TREE_ENTRIES_MAX + 1)
      .toArray(),
  ]);
  if (dir !== "" && folders.length + files.length === 0) return Refusal("repo_path_not_found", { path });
  return {
    path: dir,
    folders: folders.slice(0, TREE_ENTRIES_MAX).map((folder) => folder.path),
    files: files.slice(0, TREE_ENTRIES_MAX),
    truncated: Math.max(folders.length, files.length) > TREE_ENTRIES_MAX,
  };
}

function findRepoFile(db: Db, repo: RepoRecord, path: string): Promise<RepoFile | null> {
  return db.repo_files.findOne<RepoFile>({ ...toRepoFilter(repo), path }, { projection: SHOWN });
}

export async function findKnownPaths(
  db: Db,
  repo: RepoRecord,
  paths: readonly string[],
): Promise<Set<string>> {
  const docs = await db.repo_files
    .find({ ...toRepoFilter(repo), path: { $in: [...new Set(paths)] } })
    .project<{ path: string }>({ _id: 0, path: 1 })
    .toArray();
  return new Set(docs.map(({ path }) => path));
}

type ReadRepoFile = { file: RepoFile; text: string | null };

/** Reads a file and its text; null for a file that is no text or too large to be stored. */
export async function readRepoFile(db: Db, repo: RepoRecord, path: string): Promise<ReadRepoFile | Refusal> {
  const file = await findRepoFile(db, repo, path);
  if (!file) return Refusal("repo_path_not_found", { path });
  const text = file.kind === "text" ? (await findTexts(db, repo, [file])).get(file.blob) : null;
  return { file, text: text ?? null };
}

/** Reads texts by their hash; a text that a sync replaced in between is missing. */
export async function findTexts(
  db: Db,
  repo: Pick<RepoRecord, "id" | "user_id">,
  files: readonly Pick<RepoFile, "blob">[],
): Promise<Map<string, string>> {
  const repo_id = new ObjectId(repo.id);
  const keys = [...new Set(files.map(({ blob }) => textKey(repo_id, blob)))];
  const docs = await db.repo_texts.find({ _id: { $in: keys }, user_id: repo.user_id }).toArray();
  return new Map(docs.map(({ _id, text }) => [_id.slice(_id.indexOf(":") + 1), text]));
}

const RENAMES_FOLLOWED = 16;

/** Follows the renames that syncs recorded to the current path of a missing file; null if it is unknown. */
export async function findRenamedPath(db: Db, repo: RepoRecord, path: string): Promise<string | null> {
  const visitedPaths = new Set([path]);
  for (let from = path; visitedPaths.size <= RENAMES_FOLLOWED; ) {
    const rename = await db.repo_renames.findOne({ ...toRepoFilter(repo), from });
    if (!rename || visitedPaths.has(rename.to)) return null;
    if (await findRepoFile(db, repo, rename.to)) return rename.to;
    from = rename.to;
    visitedPaths.add(from);
  }
  return null;
}

export type RepoCommit = { commit: string; author: string; at: Date; subject: string; touched: number };

export function listCommits(
  db: Db,
  repo: RepoRecord,
  { path, limit }: { path?: string; limit: number },
): Promise<RepoCommit[]> {
  return db.repo_commits
    .find({ ...toRepoFilter(repo), ...(path === undefined ? {} : { paths: path }) })
    .project<RepoCommit>({ _id: 0, commit: 1, author: 1, at: 1, subject: 1, touched: 1 })
    .sort({ at: -1, commit: -1 })
    .limit(limit)
    .toArray();
}
