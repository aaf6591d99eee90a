/**
 * Searches a person's files, notes and mirrors, ranked together: matches of names come before matches of texts, and among
 * equals files come first, then notes, then files of mirrors.
 */
import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { listRepos, type RepoRecord } from "#db/repos/repos.server.ts";
import { rankNotes } from "#db/search/ranked-notes.server.ts";
import {
  type Precision,
  type Ranked,
  type RankedAnswer,
  searchRanked,
} from "#db/search/ranked-search.server.ts";
import {
  findDefiningLine,
  LINES_MAX,
  NO_HITS,
  type SearchHit,
  type SearchPart,
  type SearchRequest,
  toTitle,
} from "#db/search/search-part.ts";
import type { Searched, SearchSource } from "#db/search/search-source.ts";
import {
  createLibrarySource,
  createMirrorSource,
  findFilesAtPath,
} from "#db/search/search-sources.server.ts";
import { toItemPath } from "#domain/files/folders/folder-tree.ts";
import { itemAt } from "#domain/required.ts";
import { type MatchingLines, matchingLines } from "#domain/search/matching-line.ts";
import { type Needle, RANKS, toNeedle } from "#domain/search/rank.ts";
import type { SearchKind, SearchQuery } from "#domain/search/search-query.ts";
import { foldCase } from "#domain/text/folded.ts";
import { mapKeys } from "#domain/typed-keys.ts";

export type SearchAnswer = {
  hits: SearchHit[];
  counts: Record<SearchKind, number>;
  precisions: Record<SearchKind, Precision>;
  more: boolean;
};

type Page = { offset: number; limit: number; now: Date };

const KINDS = ["files", "notes", "repos"] as const satisfies readonly SearchKind[];
/** For a kind that is not shown, only this many hits are looked for, to count it. */
const COUNTED = 1;

export async function search(db: Db, ownerId: string, query: SearchQuery, page: Page): Promise<SearchAnswer> {
  const isShown = (kind: SearchKind) =>
    (query.kinds.length === 0 || query.kinds.includes(kind)) && !query.without.kinds.includes(kind);
  const limit = page.offset + page.limit + 1;
  const request: SearchRequest = {
    ownerId,
    query,
    needles: query.terms.map(toNeedle),
    excluded: query.excluded.map((text) => toNeedle({ text, literal: true })),
    now: page.now,
  };
  const parts = await Promise.all(
    KINDS.map(async (kind) => {
      const part = await SEARCHES[kind](db, request, isShown(kind) ? limit : COUNTED);
      return { kind, ...part };
    }),
  );
  const entries = parts.flatMap(({ kind, ...part }) =>
    isShown(kind) ? part.ranks.map((rank, place) => ({ rank, place, part })) : [],
  );
  // Sorting keeps the order of kinds among equals.
  const sortedEntries = entries.sort((a, b) => a.rank - b.rank);
  const hits = await createHits(sortedEntries.slice(page.offset, limit - 1));
  db.emit("business_metric", { metric: "search", value: hits.length });
  const byKind = <Value>(value: (part: SearchPart) => Value) =>
    mapKeys(
      parts.map(({ kind }) => kind),
      (_, i) => value(itemAt(parts, i)),
    );
  return {
    hits,
    counts: byKind(({ count }) => count),
    precisions: byKind(({ precision }) => precision),
    more: sortedEntries.length >= limit,
  };
}

/** Creates the hits of each part together, because texts are read for them. */
async function createHits(
  chosen: readonly { place: number; part: Pick<SearchPart, "toHits"> }[],
): Promise<SearchHit[]> {
  const hitEntries = await Promise.all(
    [...Map.groupBy(chosen, ({ part }) => part)].map(async ([part, entries]) => {
      const hits = await part.toHits(entries.map(({ place }) => place));
      return entries.map((entry, i) => [entry, itemAt(hits, i)] as const);
    }),
  );
  const hits = new Map(hitEntries.flat());
  return chosen.flatMap((entry) => hits.get(entry) ?? []);
}

const SEARCHES: Record<SearchKind, (db: Db, request: SearchRequest, limit: number) => Promise<SearchPart>> = {
  files: searchFiles,
  notes: rankNotes,
  repos: searchRepos,
};

async function searchFiles(db: Db, request: SearchRequest, limit: number): Promise<SearchPart> {
  const { folder, path, without } = request.query;
  const typedPath = readTypedPath(request);
  const isPlaced = folder !== null || path !== null || without.paths.length > 0 || typedPath !== null;
  const tree = isPlaced ? await readFolders(db, request.ownerId) : null;
  const source = createLibrarySource(db, request.ownerId, { ...toNarrowing(request), folder, tree });
  const ranked = await searchRanked(db, source, toRankedSearch(request, limit));
  const atPath = tree && typedPath ? await findFilesAtPath(db, request.ownerId, tree, typedPath) : [];
  const answer = putFilesFirst(atPath, ranked);
  return toSearchPart(answer, source, request, async (files) => {
    const isInFolders = files.some(({ folder_id }) => folder_id !== null);
    const folderTree = tree ?? (isInFolders ? await readFolders(db, request.ownerId) : new Map());
    return files.map(({ id, name, folder_id, language, tags }) => ({
      ...{ kind: "file", id, ...toTitle(name, request), repo: null, language, tags },
      path: toItemPath(folderTree, folder_id, name),
    }));
  });
}

/** A search for a single word with a slash may be the path of a file. */
function readTypedPath({ query, needles, excluded }: SearchRequest): string | null {
  const [needle, ...otherNeedles] = needles;
  const { languages, tags, paths } = query.without;
  const filters = [query.languages, query.tags, languages, tags, paths];
  const isNarrowed = query.folder !== null || query.path !== null || filters.some(({ length }) => length > 0);
  if (!needle || needle.literal || otherNeedles.length + excluded.length > 0 || isNarrowed) return null;
  const path = needle.text.replace(/^\.?\/+/, "");
  return path.includes("/") ? path : null;
}

/** Puts files at the typed path first, independent of their texts. */
function putFilesFirst<File extends Searched>(
  files: readonly File[],
  answer: RankedAnswer<File>,
): RankedAnswer<File> {
  const keys = new Set(files.map(({ key }) => key));
  const pathMatches = files.map((file) => ({ file, rank: RANKS.exact, text: null }));
  const otherMatches = answer.ranked.filter(({ file }) => !keys.has(file.key));
  const repeated = answer.ranked.length - otherMatches.length;
  return {
    ...answer,
    ranked: [...pathMatches, ...otherMatches],
    count: answer.count + files.length - repeated,
  };
}

const toRankedSearch = (
  { query: { languages, tags, without }, needles, excluded }: SearchRequest,
  limit: number,
) => ({
  ...{ needles, excluded, languages, tags, without, limit },
});

const toNarrowing = ({ query: { languages, tags, path, without } }: SearchRequest) => ({
  ...{ languages, tags, without: { ...without, paths: without.paths.map(foldCase) } },
  path: path === null ? null : foldCase(path),
});

type HitDescription = Omit<SearchHit, "lines" | "lineCount" | "isNamed" | "updatedAt">;

function toSearchPart<File extends Searched>(
  { ranked, count, precision }: RankedAnswer<File>,
  source: SearchSource<File>,
  request: SearchRequest,
  describe: (files: File[]) => Promise<HitDescription[]>,
): SearchPart {
  return {
    ranks: ranked.map(({ rank }) => rank),
    async toHits(places) {
      const chosen = places.map((place) => itemAt(ranked, place));
      const lines = await findLinesOfFiles(chosen, source, request.needles);
      const descriptions = await describe(chosen.map(({ file }) => file));
      return chosen.map(({ file, text }, i) => ({
        ...itemAt(descriptions, i),
        ...itemAt(lines, i),
        isNamed: text === null,
        updatedAt: file.updatedAt,
      }));
    },
    ...{ count, precision },
  };
}

/** Longer texts are not read only to show a line of a file that was found by its name. */
const SHOWN_TEXT_BYTES = 256 * 1024;

/** Finds the lines of each file with a term. Texts that ranking did not read are read here. Other requests run between files. */
async function findLinesOfFiles<File extends Searched>(
  chosen: readonly Ranked<File>[],
  source: SearchSource<File>,
  needles: readonly Needle[],
): Promise<MatchingLines[]> {
  const foldedNeedles = needles.map((needle) => needle.folded);
  if (foldedNeedles.length === 0) return chosen.map(() => ({ lines: [], lineCount: 0 }));
  const unread = chosen.filter(({ file, text }) => !text && file.bytes <= SHOWN_TEXT_BYTES);
  const texts = unread.length === 0 ? [] : await source.readTexts(unread.map(({ file }) => file));
  const textByEntry = new Map(unread.map((entry, i) => [entry, texts[i] ?? ""]));
  const lines: MatchingLines[] = [];
  for (const entry of chosen) {
    const body = entry.text?.text ?? textByEntry.get(entry) ?? "";
    lines.push(matchingLines(body, foldedNeedles, LINES_MAX, findDefiningLine(entry, needles)));
    await setImmediate();
  }
  return lines;
}

async function searchRepos(db: Db, request: SearchRequest, limit: number): Promise<SearchPart> {
  if (request.query.tags.length > 0 || request.query.folder !== null) return NO_HITS;
  const repos = await listRepos(db, request.ownerId, request.now);
  const parts = await Promise.all(repos.map((repo) => searchOneRepo(db, repo, request, limit)));
  const entries = parts.flatMap((part) => part.ranks.map((rank, place) => ({ rank, place, part })));
  return {
    ranks: entries.map(({ rank }) => rank),
    toHits: (places) => createHits(places.map((place) => itemAt(entries, place))),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    precision: parts.find(({ precision }) => precision !== "exact")?.precision ?? "exact",
  };
}

async function searchOneRepo(
  db: Db,
  repo: RepoRecord,
  request: SearchRequest,
  limit: number,
): Promise<SearchPart> {
  const syncedAt = repo.last_sync_time ?? repo.created_at;
  const source = createMirrorSource(
    db,
    { id: repo.id, user_id: repo.user_id, syncedAt },
    toNarrowing(request),
  );
  const answer = await searchRanked(db, source, toRankedSearch(request, limit));
  return toSearchPart(answer, source, request, async (files) =>
    files.map(({ name: path, language }) => ({
      ...{ kind: "repo_file", id: repo.id, path, repo: repo.repo_name, language, tags: [] },
      ...toTitle(path.slice(path.lastIndexOf("/") + 1), request),
    })),
  );
}
