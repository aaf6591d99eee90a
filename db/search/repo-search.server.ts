/**
 * Finds files of a mirror by a part of their path or text, with the same kind of index as the library's: the index names the
 * files that may match, and these are read by path until a page is full. A file that is not in the index yet, or has too many
 * different keys, is read itself.
 */

import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import { findTexts, type RepoFile } from "#db/repos/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import {
  areCandidatesFew,
  findNeedleCandidates,
  readUntilFull,
  toNumberFilters,
} from "#db/search/index-search.server.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import type { Candidates } from "#db/segments/segments.server.ts";
import { lastItem } from "#domain/required.ts";
import { contains, type MatchingLine, matchingLine } from "#domain/search/matching-line.ts";
import { foldCase } from "#domain/text/folded.ts";

/** `line` is the first matching line of the text; null if only the path matches. */
type RepoHit = { file: RepoFile; line: MatchingLine | null };
/** `more` is true if the search stopped before the end. */
type RepoHits = { hits: RepoHit[]; more: boolean };

const WALK_AT_ONCE = 200;
const SHOWN = { _id: 0, path: 1, blob: 1, size: 1, language: 1, kind: 1, n: 1, unindexed: 1 } as const;

type IndexedFile = RepoFile & Pick<RepoFileDoc, "n" | "unindexed">;

export async function searchRepo(
  db: Db,
  repo: RepoRecord,
  { q, limit }: { q: string; limit: number },
): Promise<RepoHits> {
  const needle = foldCase(q);
  // Unindexed files come first: a file that is indexed in between is then in both results, and in the other order in neither.
  const unindexed = await findFiles(db, repo, { unindexed: true });
  const candidates = await findNeedleCandidates(db, indexOwner(new ObjectId(repo.id)), needle);
  const markedPaths = new Set(unindexed.map(({ path }) => path));
  const possible =
    candidates && areCandidatesFew(candidates, limit)
      ? await possibleFiles(db, repo, unindexed, candidates)
      : walkPossibleFiles(
          db,
          repo,
          ({ path, n, unindexed }) =>
            unindexed || markedPaths.has(path) || candidates === null || candidates.has(n ?? 0),
        );
  const { hits, more } = await readUntilFull(possible, {
    limit,
    maxRead: Number.POSITIVE_INFINITY,
    countBytes: ({ kind, size }) => (kind === "text" ? size : 0),
    verify: (files) => verifyFiles(db, repo, files, needle),
  });
  return { hits, more };
}

function findFiles(db: Db, { id, user_id }: RepoRecord, filter: Filter<RepoFileDoc>): Promise<IndexedFile[]> {
  return db.repo_files
    .find({ repo_id: new ObjectId(id), user_id, ...filter })
    .project<IndexedFile>(SHOWN)
    .toArray();
}

/** Lists all files that may match, by path. */
async function possibleFiles(
  db: Db,
  repo: RepoRecord,
  unindexed: IndexedFile[],
  candidates: Candidates,
): Promise<RepoFile[]> {
  const numbered = await Promise.all(
    toNumberFilters(candidates).map((numbers) => findFiles(db, repo, numbers)),
  );
  const allFiles = [...unindexed, ...numbered.flat()];
  const files = new Map(allFiles.map(({ n: _n, unindexed: _u, ...file }) => [file.path, file]));
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function* walkPossibleFiles(
  db: Db,
  { id, user_id }: RepoRecord,
  mayHave: (file: IndexedFile) => boolean | undefined,
): AsyncGenerator<RepoFile> {
  const repo_id = new ObjectId(id);
  for (let after = ""; ; ) {
    const files = await db.repo_files
      .find({ repo_id, user_id, path: { $gt: after } })
      .project<IndexedFile>(SHOWN)
      .sort({ path: 1 })
      .limit(WALK_AT_ONCE)
      .toArray();
    for (const { n: _n, unindexed: _u, ...file } of files.filter(mayHave)) yield file;
    if (files.length < WALK_AT_ONCE) return;
    after = lastItem(files).path;
  }
}

async function verifyFiles(db: Db, repo: RepoRecord, files: RepoFile[], needle: string): Promise<RepoHit[]> {
  const texts = await findTexts(
    db,
    repo,
    files.filter(({ kind }) => kind === "text"),
  );
  return files.flatMap((file) => {
    const text = file.kind === "text" ? texts.get(file.blob) : undefined;
    const line = text === undefined ? null : matchingLine(text, needle);
    return line !== null || contains(file.path, needle) ? [{ file, line }] : [];
  });
}
