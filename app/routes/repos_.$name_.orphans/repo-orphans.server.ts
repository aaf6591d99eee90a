import type { AppLoadContext } from "@remix-run/node";
import type { ShownNote } from "#app/notes/note-card.tsx";
import { shownNotes } from "#app/notes/shown-note.server.ts";
import type { Db } from "#db/client.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findNamesakes } from "#db/repos/repo-namesakes.server.ts";
import { findRenamed } from "#db/repos/repo-tree.server.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { likelyPaths } from "#domain/notes/orphans.ts";
import { baseName } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";

/** The orphans of one lost path, where the syncs saw it go, and where else its file may be. */
type OrphanGroup = {
  path: string;
  notes: ShownNote[];
  renamed: string | null;
  likely: string[];
};

export async function orphanGroups(
  context: AppLoadContext,
  ownerId: string,
  repo: RepoRecord | null,
  notes: readonly NoteRecord[],
): Promise<OrphanGroup[]> {
  const shown = await shownNotes(context, ownerId, notes);
  const byPath = Map.groupBy(shown, ({ repo_path }) => required(repo_path, "path of a note on a repository"));
  const guesses = repo ? await guessPlaces(context.services.db, repo, [...byPath.keys()]) : null;
  return [...byPath].map(([path, those]) => {
    const { renamed = null, likely = [] } = guesses?.get(path) ?? {};
    return { path, notes: those, renamed, likely };
  });
}

type Guess = Pick<OrphanGroup, "renamed" | "likely">;

/** One walk over the tree finds all names. */
async function guessPlaces(db: Db, repo: RepoRecord, lost: readonly string[]): Promise<Map<string, Guess>> {
  const [namesakes, renames] = await Promise.all([
    findNamesakes(db, repo, new Set(lost.map(baseName))),
    Promise.all(lost.map((path) => findRenamed(db, repo, path))),
  ]);
  return new Map(
    lost.map((path, i) => {
      const renamed = renames[i] ?? null;
      const candidates = namesakes.get(baseName(path)) ?? [];
      return [path, { renamed, likely: likelyPaths(path, renamed, candidates) }];
    }),
  );
}
