/**
 * One search over a person's files, notes and mirrors, ranked together: what is called so comes before what only says so, and among equals files
 * come first, then notes, then files of mirrors.
 */
import type { Db } from "#db/client.ts";
import { readFolders } from "#db/folders/folders.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { readInPages } from "#db/pages.ts";
import { listRepos, type RepoRecord } from "#db/repos/repos.server.ts";
import { findLivingNames } from "#db/search/note-search.server.ts";
import {
  type Precision,
  type Ranked,
  type RankedAnswer,
  type Searched,
  type SearchSource,
  searchRanked,
} from "#db/search/ranked-search.server.ts";
import { searchLibrary, searchMirror } from "#db/search/search-sources.server.ts";
import { toPath } from "#domain/folders/folder-tree.ts";
import { itemAt } from "#domain/required.ts";
import { folded } from "#domain/search/folded.ts";
import {
  type LinePart,
  type MatchingLine,
  type MatchingLines,
  markedParts,
  matchingLines,
} from "#domain/search/matching-line.ts";
import { findDefining, type Needle, RANKS, rankAll, readText, toNeedle } from "#domain/search/rank.ts";
import type { SearchKind, SearchQuery } from "#domain/search/search-query.ts";

export type SearchHit = {
  kind: "file" | "note" | "repo_file";
  /** Of the file, the note or the mirror. */
  id: string;
  title: string;
  titleParts: LinePart[];
  path: string | null;
  /** The name of the mirror. */
  repo: string | null;
  language: string | null;
  /** Of a file of the library; notes and files of mirrors have none. */
  tags: readonly string[];
  /** The best line first, and how many lines there are in all. */
  lines: MatchingLine[];
  lineCount: number;
  /** Whether it is called so; otherwise its text says so. */
  isNamed: boolean;
  updatedAt: Date;
};

export type SearchAnswer = {
  hits: SearchHit[];
  counts: Record<SearchKind, number>;
  precisions: Record<SearchKind, Precision>;
  more: boolean;
};

type Page = { offset: number; limit: number; now: Date };

const LINES_MAX = 5;
const KINDS = ["files", "notes", "repos"] as const satisfies readonly SearchKind[];
/** Of a kind that is not shown, so much is looked for to count it. */
const COUNTED = 1;

/** Ranks in order, and how the hits at some of their places are made. */
type Part = {
  ranks: number[];
  toHits(places: readonly number[]): Promise<SearchHit[]>;
  count: number;
  precision: Precision;
};

export async function search(db: Db, ownerId: string, query: SearchQuery, page: Page): Promise<SearchAnswer> {
  const isShown = (kind: SearchKind) => query.kinds.length === 0 || query.kinds.includes(kind);
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
  const found = parts.flatMap(({ kind, ...part }) =>
    isShown(kind) ? part.ranks.map((rank, place) => ({ rank, place, part })) : [],
  );
  // Sorting keeps the order of kinds among equals.
  const inOrder = found.sort((a, b) => a.rank - b.rank);
  const hits = await makeHits(inOrder.slice(page.offset, limit - 1));
  db.emit("business_metric", { metric: "search", value: hits.length });
  const byKind = <Value>(value: (part: Part) => Value) =>
    Object.fromEntries(parts.map((part) => [part.kind, value(part)])) as Record<SearchKind, Value>;
  return {
    hits,
    counts: byKind(({ count }) => count),
    precisions: byKind(({ precision }) => precision),
    more: inOrder.length >= limit,
  };
}

/** Each part makes its hits at once, because texts are read for them. */
async function makeHits(
  chosen: readonly { place: number; part: Pick<Part, "toHits"> }[],
): Promise<SearchHit[]> {
  const made = await Promise.all(
    [...Map.groupBy(chosen, ({ part }) => part)].map(async ([part, ones]) => {
      const hits = await part.toHits(ones.map(({ place }) => place));
      return ones.map((one, i) => [one, itemAt(hits, i)] as const);
    }),
  );
  const hits = new Map(made.flat());
  return chosen.flatMap((one) => hits.get(one) ?? []);
}

type SearchRequest = {
  ownerId: string;
  query: SearchQuery;
  needles: Needle[];
  excluded: Needle[];
  now: Date;
};

const SEARCHES: Record<SearchKind, (db: Db, request: SearchRequest, limit: number) => Promise<Part>> = {
  files: searchFiles,
  notes: searchNotes,
  repos: searchRepos,
};

const NOTHING: Part = { ranks: [], toHits: async () => [], count: 0, precision: "exact" };

async function searchFiles(db: Db, request: SearchRequest, limit: number): Promise<Part> {
  const { folder, path } = request.query;
  const tree = folder === null && path === null ? null : await readFolders(db, request.ownerId);
  const source = searchLibrary(db, request.ownerId, { ...narrow(request), folder, tree });
  const answer = await searchRanked(db, source, toRankedSearch(request, limit));
  return toPart(answer, source, request, async (files) => {
    const isInFolders = files.some(({ folder_id }) => folder_id !== null);
    const known = tree ?? (isInFolders ? await readFolders(db, request.ownerId) : new Map());
    return files.map(({ id, name, folder_id, language, tags }) => ({
      ...{ kind: "file", id, ...titled(name, request), repo: null, language, tags },
      path: toPath(known, folder_id, name),
    }));
  });
}

const toRankedSearch = ({ query: { languages, tags }, needles, excluded }: SearchRequest, limit: number) => ({
  ...{ needles, excluded, languages, tags, limit },
});

const narrow = ({ query: { languages, tags, path } }: SearchRequest) => ({
  ...{ languages, tags },
  path: path === null ? null : folded(path),
});

type Described = Omit<SearchHit, "lines" | "lineCount" | "isNamed" | "updatedAt">;

function toPart<File extends Searched>(
  { ranked, count, precision }: RankedAnswer<File>,
  source: SearchSource<File>,
  request: SearchRequest,
  describe: (files: File[]) => Promise<Described[]>,
): Part {
  return {
    ranks: ranked.map(({ rank }) => rank),
    async toHits(places) {
      const chosen = places.map((place) => itemAt(ranked, place));
      const lines = await findLines(chosen, source, request.needles);
      const described = await describe(chosen.map(({ file }) => file));
      return chosen.map(({ file, text }, i) => ({
        ...itemAt(described, i),
        ...itemAt(lines, i),
        isNamed: text === null,
        updatedAt: file.updatedAt,
      }));
    },
    ...{ count, precision },
  };
}

const titled = (title: string, { needles }: Pick<SearchRequest, "needles">) => ({
  title,
  titleParts: markedParts(
    title,
    needles.map((needle) => needle.folded),
  ),
});

/** Longer texts are not read only to show a line of a file that is found by its name. */
const SHOWN_TEXT_BYTES = 256 * 1024;

/** The lines of each file that have a term. Texts that ranking did not read are read here. */
async function findLines<File extends Searched>(
  chosen: readonly Ranked<File>[],
  source: SearchSource<File>,
  needles: readonly Needle[],
): Promise<MatchingLines[]> {
  const foldedNeedles = needles.map((needle) => needle.folded);
  if (foldedNeedles.length === 0) return chosen.map(() => ({ lines: [], lineCount: 0 }));
  const unread = chosen.filter(({ file, text }) => !text && file.bytes <= SHOWN_TEXT_BYTES);
  const texts = unread.length === 0 ? [] : await source.readTexts(unread.map(({ file }) => file));
  const read = new Map(unread.map((one, i) => [one, texts[i] ?? ""]));
  return chosen.map((one) => {
    const body = one.text?.text ?? read.get(one) ?? "";
    return matchingLines(body, foldedNeedles, LINES_MAX, findDefiningLine(one, needles));
  });
}

/** The line that defines one of the terms. The rank tells whether there may be one. */
function findDefiningLine(
  { rank, text }: Pick<Ranked<unknown>, "rank" | "text">,
  needles: readonly Needle[],
): number | undefined {
  if (!text || rank === needles.length * RANKS.line) return undefined;
  for (const needle of needles) {
    const { line } = findDefining(text, needle);
    if (line !== undefined) return line;
  }
  return undefined;
}

async function searchRepos(db: Db, request: SearchRequest, limit: number): Promise<Part> {
  if (request.query.tags.length > 0 || request.query.folder !== null) return NOTHING;
  const repos = await listRepos(db, request.ownerId, request.now);
  const parts = await Promise.all(repos.map((repo) => searchOneRepo(db, repo, request, limit)));
  const all = parts.flatMap((part) => part.ranks.map((rank, place) => ({ rank, place, part })));
  return {
    ranks: all.map(({ rank }) => rank),
    toHits: (places) => makeHits(places.map((place) => itemAt(all, place))),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    precision: parts.find(({ precision }) => precision !== "exact")?.precision ?? "exact",
  };
}

async function searchOneRepo(db: Db, repo: RepoRecord, request: SearchRequest, limit: number): Promise<Part> {
  const syncedAt = repo.last_sync_time ?? repo.created_at;
  const source = searchMirror(db, { id: repo.id, user_id: repo.user_id, syncedAt }, narrow(request));
  const answer = await searchRanked(db, source, toRankedSearch(request, limit));
  return toPart(answer, source, request, async (files) =>
    files.map(({ name: path, language }) => ({
      ...{ kind: "repo_file", id: repo.id, path, repo: repo.repo_name, language, tags: [] },
      ...titled(path.slice(path.lastIndexOf("/") + 1), request),
    })),
  );
}

const NOTES_AT_ONCE = 250;
const NOTE_READ = { title: 1, content: 1, updated_at: 1, file_id: 1 } as const;

/** There are at most as many notes as the quota allows, so each is asked itself. Notes on files in the trash are not found. */
async function searchNotes(db: Db, request: SearchRequest, limit: number): Promise<Part> {
  const { languages, tags, path, folder } = request.query;
  if (languages.length + tags.length > 0 || path !== null || folder !== null) return NOTHING;
  const notes = readInPages<NoteDoc, Pick<NoteDoc, "_id" | keyof typeof NOTE_READ>>(db.notes, {
    filter: { user_id: request.ownerId, deleted_at: null },
    order: { updated_at: -1, _id: -1 },
    projection: NOTE_READ,
    pageSize: NOTES_AT_ONCE,
  });
  const ranked = [];
  for await (const note of notes) {
    const named = { name: note.title ?? "", description: "", tags: [], language: "markdown" };
    const text = readText(note.content, "markdown");
    const rank = rankAll(named, request.needles, text);
    if (rank !== null && request.excluded.every((needle) => rankAll(named, [needle], text) === null))
      ranked.push({ note, text, rank });
  }
  const living = await findLivingNames(
    db,
    request.ownerId,
    ranked.map(({ note }) => note.file_id),
  );
  const seen = ranked.filter(({ note: { file_id } }) => file_id === null || living.has(file_id));
  const found = seen.sort((a, b) => a.rank - b.rank).slice(0, limit);
  const needles = request.needles.map((needle) => needle.folded);
  return {
    ranks: found.map(({ rank }) => rank),
    toHits: async (places) =>
      places.map((place) => {
        const { note, text, rank } = itemAt(found, place);
        return {
          ...{ kind: "note", id: note._id.toHexString(), repo: null, language: null, tags: [] },
          path: living.get(note.file_id ?? "") ?? null,
          ...titled(note.title ?? firstLine(note.content), request),
          ...withoutTitle(
            note,
            matchingLines(
              note.content,
              needles,
              LINES_MAX,
              findDefiningLine({ rank, text }, request.needles),
            ),
          ),
          isNamed: false,
          updatedAt: note.updated_at,
        };
      }),
    count: seen.length,
    precision: "exact",
  };
}

/** A note without a title is called by its first line, which is then not told twice. */
function withoutTitle(
  { title, content }: Pick<NoteDoc, "title" | "content">,
  found: MatchingLines,
): MatchingLines {
  if (title !== null) return found;
  const first = content.slice(0, Math.max(0, content.search(/\S/))).split("\n").length;
  const lines = found.lines.filter(({ number }) => number !== first);
  return { lines, lineCount: found.lineCount - (found.lines.length - lines.length) };
}

const firstLine = (content: string) => content.trim().split("\n", 1)[0] ?? "";
