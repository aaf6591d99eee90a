import type { Db } from "#db/client.ts";
import type { KeptAnchor, NotePlace } from "#db/note-anchors.server.ts";
import { type NoteRecord, targetOf } from "#db/note-docs.server.ts";
import { readRepoFile } from "#db/repo-tree.server.ts";
import { findRepo } from "#db/repos.server.ts";
import { type NoteFields, type NoteTarget, targetKey } from "#domain/note.ts";
import { anchorAt, linesOf, locate } from "#domain/note-anchor.ts";
import { isRefusal } from "#domain/refusal.ts";

/**
 * Where notes on lines of a repository's file are in the text of the last sync. A mirror keeps no older texts, so they are found again
 * by what they remember of their lines.
 */
type RepoTarget = Extract<NoteTarget, { kind: "repo" }>;

/** Files of repositories have no numbers of versions; what is asked for one gets this. */
const ONLY_VERSION = 1;
const ANY_MOMENT = new Date(0);

/** The text of a file as the last sync left it; null where there is none to read. */
export async function findRepoText(
  db: Db,
  ownerId: string,
  { repo_name, repo_path }: Omit<RepoTarget, "kind">,
): Promise<string | null> {
  const repo = await findRepo(db, ownerId, repo_name, ANY_MOMENT);
  const read = repo && (await readRepoFile(db, repo, repo_path));
  return !read || isRefusal(read) ? null : read.text;
}

export async function rememberRepoAnchor(
  db: Db,
  ownerId: string,
  target: RepoTarget,
  { line_start, line_end }: Pick<NoteFields, "line_start" | "line_end">,
): Promise<KeptAnchor | null> {
  const text = line_start === null ? null : await findRepoText(db, ownerId, target);
  if (text === null || line_start === null) return null;
  const place = { line_start, line_end: line_end ?? line_start };
  const anchor = anchorAt(linesOf(text), place, ONLY_VERSION);
  return anchor && { ...anchor, place };
}

/** The places of notes on lines of repositories' files, by note; one whose file has no text to read has none. */
export async function locateRepoNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const places = new Map<string, NotePlace>();
  const onLines = notes.filter(({ kind, line_start }) => kind === "repo" && line_start !== null);
  for (const those of Map.groupBy(onLines, (note) => targetKey(targetOf(note))).values()) {
    const text = await findRepoText(db, ownerId, targetOf(those[0]!) as RepoTarget);
    for (const note of those) if (text !== null) places.set(note.id, locateInText(note.anchor, text));
  }
  return places;
}

export function locateInText(anchor: KeptAnchor | null, text: string): NotePlace {
  const lines = linesOf(text);
  const verdict = !anchor
    ? LOST
    : isAsItWas(anchor, lines)
      ? { state: "same" as const, ...anchor.place }
      : locate(anchor, anchor.place, null, lines);
  return { ...verdict, anchor_id: null, from_version: anchor?.version ?? null, version: ONLY_VERSION };
}

const LOST = { state: "lost", line_start: null, line_end: null } as const;

/** The lines and all that is remembered around them are where they were. */
function isAsItWas({ place, before, quote, after }: KeptAnchor, lines: readonly string[]): boolean {
  const remembered = [...before, ...quote, ...after];
  const top = place.line_start - 1 - before.length;
  const whole = quote.length === place.line_end - place.line_start + 1;
  return whole && remembered.every((line, i) => lines[top + i] === line);
}
