import type { AppLoadContext } from "@remix-run/node";
import type { ShownNote } from "#app/notes/note-card.tsx";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findNamesakes } from "#db/repos/repo-namesakes.server.ts";
import { findRenamedPath } from "#db/repos/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { suggestPaths } from "#domain/notes/orphans.ts";
import { baseName } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";

/** The notes of one lost path. `renamed` is the path that the syncs saw it move to; `likely` are other paths where its file can be. */
type OrphanGroup = {
  path: string;
  notes: ShownNote[];
  renamed: string | null;
  likely: string[];
};

export async function listOrphanGroups(
  context: AppLoadContext,
  ownerId: string,
  repo: RepoRecord | null,
  notes: readonly NoteRecord[],
): Promise<OrphanGroup[]> {
  const cards = await toShownNotes(context, ownerId, notes);
  const groups = Map.groupBy(cards, ({ repo_path }) => required(repo_path, "path of a note on a repository"));
  const guesses = repo ? await guessPaths(context.services.db, repo, [...groups.keys()]) : null;
  return [...groups].map(([path, pathCards]) => {
    const { renamed = null, likely = [] } = guesses?.get(path) ?? {};
    return { path, notes: pathCards, renamed, likely };
  });
}

type Guess = Pick<OrphanGroup, "renamed" | "likely">;

/** Finds all names in a single walk over the tree. */
async function guessPaths(db: Db, repo: RepoRecord, paths: readonly string[]): Promise<Map<string, Guess>> {
  const [namesakes, renames] = await Promise.all([
    findNamesakes(db, repo, new Set(paths.map(baseName))),
    Promise.all(paths.map((path) => findRenamedPath(db, repo, path))),
  ]);
  return new Map(
    paths.map((path, i) => {
      const renamed = renames[i] ?? null;
      const candidates = namesakes.get(baseName(path)) ?? [];
      return [path, { renamed, likely: suggestPaths(path, renamed, candidates) }];
    }),
  );
}
