import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readInPages } from "#db/core/pages.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findBodiesCached } from "#db/files/file-versions.server.ts";
import { living } from "#db/files/living-files.server.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import { findTexts } from "#db/repos/repo-tree.server.ts";
import { withNumbers } from "#db/search/index-search.server.ts";
import type { Searched, SearchSource } from "#db/search/search-source.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import {
  type Folder,
  type FolderTree,
  findFolder,
  listSubtree,
  toItemPath,
} from "#domain/files/folders/folder-tree.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { toTagKey } from "#domain/files/tags.ts";
import { contains } from "#domain/search/matching-line.ts";
import type { SearchQuery } from "#domain/search/search-query.ts";
import { foldCase } from "#domain/text/folded.ts";

const PREFERRED_MAX = 50;
const WALK_AT_ONCE = 100;

type LibraryFile = Searched & { id: string; version: number; folder_id: string | null };
type RepoFileFound = Searched & { blob: string; hasText: boolean };

type Narrowing = Pick<SearchQuery, "languages" | "tags" | "path" | "without">;
/** `tree` is set only if the search is limited to a folder or a path. */
type LibraryNarrowing = Narrowing & Pick<SearchQuery, "folder"> & { tree: FolderTree | null };

const SEARCHED = {
  file_name: 1,
  folder_id: 1,
  description: 1,
  tags: 1,
  language: 1,
  version: 1,
  size_bytes: 1,
  is_pinned: 1,
  is_favorite: 1,
  last_opened_at: 1,
  updated_at: 1,
  n: 1,
} as const;
type SearchedDoc = Pick<FileDoc, "_id" | keyof typeof SEARCHED>;

const PREFERRED = { _id: 0, n: 1, is_pinned: 1, is_favorite: 1, last_opened_at: 1 } as const;
type PreferredDoc = Pick<FileDoc, Exclude<keyof typeof PREFERRED, "_id">>;

function toLanguageFilter(any: readonly string[], none: readonly string[]) {
  if (any.length > 0) return { language: { $in: any.filter((language) => !none.includes(language)) } };
  return none.length > 0 ? { language: { $nin: none } } : {};
}

function toTagFilter(every: readonly string[], none: readonly string[]) {
  if (every.length + none.length === 0) return {};
  const [all, nin] = [every, none].map((tags) => tags.map(toTagKey));
  return { tag_keys: { ...(every.length > 0 ? { $all: all } : {}), $nin: nin } };
}

/** Returns null if every path is allowed. */
function toPathTest(part: string | null, excluded: readonly string[]): ((path: string) => boolean) | null {
  if (part === null && excluded.length === 0) return null;
  return (path) =>
    (part === null || contains(path, part)) && !excluded.some((needle) => contains(path, needle));
}

export function createLibrarySource(
  db: Db,
  ownerId: string,
  { languages, tags, path, folder, without, tree }: LibraryNarrowing,
): SearchSource<LibraryFile> {
  const within = folder === null || !tree ? null : findFolder(tree, folder) ? listSubtree(tree, folder) : [];
  const filter = {
    ...living(ownerId),
    ...(within ? { folder_id: { $in: within } } : {}),
    ...toLanguageFilter(languages, without.languages),
    ...toTagFilter(tags, without.tags),
  };
  const matchesPath = toPathTest(path, without.paths);
  const isOnPath = ({ name, folder_id }: LibraryFile) =>
    !matchesPath || !tree || matchesPath(toItemPath(tree, folder_id, name));
  const find = async (more: Filter<FileDoc>, hint: string) => {
    const docs = await db.files
      .find({ ...filter, ...more }, { hint })
      .project<SearchedDoc>(SEARCHED)
      .toArray();
    return docs.map(toLibraryFile).filter(isOnPath);
  };
  const findPreferredBy = (preferred: Filter<FileDoc>, hint: string) =>
    db.files
      .find({ ...filter, ...preferred }, { hint, limit: PREFERRED_MAX })
      .project<PreferredDoc>(PREFERRED)
      .toArray();
  const findPreferred = async () => {
    const groups = await Promise.all([
      findPreferredBy({ is_pinned: true }, "pinned_files"),
      findPreferredBy({ is_favorite: true }, "favorite_files"),
      findPreferredBy({ last_opened_at: { $gt: new Date(0) } }, "opened_files"),
    ]);
    const inOrder = groups.flat().sort((a, b) => (computePreference(a) ?? 0) - (computePreference(b) ?? 0));
    return [...new Set(inOrder.flatMap(({ n }) => n ?? []))];
  };
  return {
    indexOwner: ownerId,
    findByNumbers: (numbers) => find(withNumbers([...numbers]), "by_number"),
    findUnindexed: () => find({ unindexed: { $gt: "" } }, "unindexed"),
    findPreferred(known) {
      const question = JSON.stringify([known, folder, languages, tags, without]);
      return db.preferred?.recall(ownerId, question, findPreferred) ?? findPreferred();
    },
    async *listAll() {
      const docs = readInPages<FileDoc, SearchedDoc>(db.files, {
        filter,
        order: { created_at: -1, _id: -1 },
        projection: SEARCHED,
        pageSize: WALK_AT_ONCE,
      });
      for await (const doc of docs) yield [toLibraryFile(doc)].filter(isOnPath);
    },
    readTexts: (files) =>
      findBodiesCached(
        db,
        ownerId,
        files.map(({ id, version, updatedAt }) => ({ id, version, updated_at: updatedAt })),
      ),
  };
}

const AT_PATH_MAX = 50;
/** At most this many names with the same beginning are compared. */
const COMPARED_AT_PATH_MAX = 500;
const FOLDERS_AT_PATH_MAX = 20;

/**
 * Files at a typed or pasted path, in any letter case. The typed folders may be the end of a longer path, and the typed name may
 * be the beginning of a longer name.
 */
export async function findFilesAtPath(
  db: Db,
  ownerId: string,
  tree: FolderTree,
  path: string,
): Promise<LibraryFile[]> {
  const slash = path.lastIndexOf("/");
  const [folders, name] = [foldCase(path.slice(0, slash)).split("/").reverse(), path.slice(slash + 1)];
  const folderIds = tree
    .values()
    .filter((folder) => isAtEndOfPath(tree, folder, folders))
    .map(({ id }) => id)
    .take(FOLDERS_AT_PATH_MAX)
    .toArray();
  if (folderIds.length === 0) return [];
  // Names are ordered with numbers by value, so a typed number at the end is not a prefix of a longer number. It is left out.
  const order = toNameOrder(name.replace(/[0-9]+$/, ""));
  const docs = await db.files
    .find(
      {
        ...living(ownerId),
        folder_id: { $in: folderIds },
        name_order: { $gte: order, $lt: `${order}\uffff` },
      },
      { hint: "files_of_folder_by_name", limit: COMPARED_AT_PATH_MAX },
    )
    .project<SearchedDoc>(SEARCHED)
    .toArray();
  return docs
    .filter(({ file_name }) => foldCase(file_name).startsWith(foldCase(name)))
    .slice(0, AT_PATH_MAX)
    .map(toLibraryFile);
}

/** True if the folder and its parents have these names, innermost first. Names are compared one by one, because a path can be long. */
function isAtEndOfPath(tree: FolderTree, folder: Folder, foldedNames: readonly string[]): boolean {
  let current: Folder | undefined = folder;
  for (const name of foldedNames) {
    if (!current || !isNamed(current, name)) return false;
    current = tree.get(current.parent_id ?? "");
  }
  return findFolder(tree, folder.id) !== null;
}

/** Folding never shortens a name, so a longer name cannot match. */
const isNamed = ({ name }: Folder, foldedName: string) =>
  name.length <= foldedName.length && foldCase(name) === foldedName;

function toLibraryFile(doc: SearchedDoc): LibraryFile {
  const {
    _id,
    file_name,
    folder_id = null,
    description,
    tags,
    language,
    version,
    size_bytes,
    updated_at,
    n,
  } = doc;
  const id = _id.toHexString();
  return {
    ...{ key: id, id, version, folder_id, name: file_name, description, tags, language, bytes: size_bytes },
    preference: computePreference(doc),
    updatedAt: updated_at,
    ...(n === undefined ? {} : { n }),
  };
}

const NOT_PREFERRED = 3;

/** Ranks pinned files before favourites and those before recently opened ones; within a group the last opened comes first. */
function computePreference({ is_pinned, is_favorite, last_opened_at }: PreferredDoc): number | null {
  const group = is_pinned ? 0 : is_favorite ? 1 : last_opened_at ? 2 : NOT_PREFERRED;
  if (group === NOT_PREFERRED) return null;
  const openedMs = last_opened_at?.getTime() ?? 0;
  // A later opening gives a lower number. The fraction is below 1, so it never changes the group.
  return group + (1 - openedMs / 1e13);
}

type RepoKey = { id: string; user_id: string };
const REPO_SEARCHED = { _id: 0, path: 1, blob: 1, size: 1, language: 1, kind: 1, n: 1 } as const;
type RepoSearchedDoc = Pick<RepoFileDoc, "path" | "blob" | "size" | "language" | "kind" | "n">;

/** Searches the files of one mirror. They have no tags. */
export function createMirrorSource(
  db: Db,
  repo: RepoKey & { syncedAt: Date },
  { languages, path, without }: Narrowing,
): SearchSource<RepoFileFound> {
  const repo_id = new ObjectId(repo.id);
  const filter = {
    repo_id,
    user_id: repo.user_id,
    ...toLanguageFilter(languages, without.languages),
  };
  const matchesPath = toPathTest(path, without.paths);
  const isOnPath = ({ name }: RepoFileFound) => !matchesPath || matchesPath(name);
  const toFoundFile = ({ path: name, blob, size, language, kind, n }: RepoSearchedDoc): RepoFileFound => ({
    ...{ key: name, name, blob, language, bytes: kind === "text" ? size : 0, hasText: kind === "text" },
    ...{ description: "", tags: [], preference: null, updatedAt: repo.syncedAt },
    ...(n === undefined ? {} : { n }),
  });
  const find = async (more: Filter<RepoFileDoc>) => {
    const docs = await db.repo_files
      .find({ ...filter, ...more })
      .project<RepoSearchedDoc>(REPO_SEARCHED)
      .toArray();
    return docs.map(toFoundFile).filter(isOnPath);
  };
  return {
    indexOwner: indexOwner(repo_id),
    findByNumbers: (numbers) => find(withNumbers([...numbers])),
    findUnindexed: () => find({ unindexed: true }),
    findPreferred: async () => [],
    async *listAll() {
      const docs = readInPages<RepoFileDoc, RepoSearchedDoc>(db.repo_files, {
        filter,
        order: { path: 1 },
        projection: REPO_SEARCHED,
        pageSize: WALK_AT_ONCE,
      });
      for await (const doc of docs) yield [toFoundFile(doc)].filter(isOnPath);
    },
    async readTexts(files) {
      const texts = await findTexts(
        db,
        repo,
        files.filter(({ hasText }) => hasText),
      );
      return files.map(({ blob }) => texts.get(blob) ?? null);
    },
  };
}
