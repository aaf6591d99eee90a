import type { Db } from "#db/client.ts";
import { createAnchorOnThread, locateByAnchorsOnThread } from "#db/notes/anchor-work.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { readRepoFile } from "#db/repos/repo-tree.server.ts";
import { findRepo } from "#db/repos/repos.server.ts";
import { type NoteTarget, targetKey, toTarget } from "#domain/notes/note.ts";
import type { KeptAnchor, NotePlace } from "#domain/notes/note-locating.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/**
 * Locates notes on lines of a repository's file in the text of the last sync. A mirror stores no older texts, so notes are
 * located by their anchors.
 */
type RepoTarget = NoteTarget<"repo">;

/** Files of repositories have no version numbers; this is used where one is required. */
const ONLY_VERSION = 1;
const ANY_MOMENT = new Date(0);

/** Returns the text of a file from the last sync; null if there is none to read. */
export async function findRepoText(
  db: Db,
  ownerId: string,
  { repo_name, repo_path }: Omit<RepoTarget, "kind">,
): Promise<string | null> {
  const repo = await findRepo(db, ownerId, repo_name, ANY_MOMENT);
  const contents = repo && (await readRepoFile(db, repo, repo_path));
  return !contents || isRefusal(contents) ? null : contents.text;
}

export async function createRepoAnchor(
  db: Db,
  ownerId: string,
  target: RepoTarget,
  { line_start, line_end }: Pick<NoteFields, "line_start" | "line_end">,
): Promise<KeptAnchor | null> {
  const text = line_start === null ? null : await findRepoText(db, ownerId, target);
  if (text === null || line_start === null) return null;
  const fields = { line_start, line_end, anchor_id: null, anchor_text: null };
  return createAnchorOnThread(db, ownerId, { body: text, fields, version: ONLY_VERSION });
}

/** Locates notes on lines of repository files, by note id. A note whose file has no readable text has no place. */
export async function locateRepoNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const places = new Map<string, NotePlace>();
  const onLines = notes.filter(({ kind, line_start }) => kind === "repo" && line_start !== null);
  for (const group of Map.groupBy(onLines, (note) => targetKey(toTarget(note))).values()) {
    const target = toTarget(itemAt(group, 0));
    const text = target.kind === "repo" ? await findRepoText(db, ownerId, target) : null;
    if (text === null) continue;
    const groupPlaces = await locateInText(db, ownerId, group, text);
    for (const [i, note] of group.entries()) places.set(note.id, itemAt(groupPlaces, i));
  }
  return places;
}

export function locateInText(
  db: Db,
  ownerId: string,
  notes: readonly Pick<NoteRecord, "anchor">[],
  text: string,
): Promise<NotePlace[]> {
  const anchors = notes.map(({ anchor }) => anchor);
  return locateByAnchorsOnThread(db, ownerId, { text, version: ONLY_VERSION, anchors });
}
