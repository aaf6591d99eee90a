import type { Db } from "#db/client.ts";
import { type FileRecord, findFile, findFiles } from "#db/files/file-records.server.ts";
import { readVersion } from "#db/files/file-versions.server.ts";
import { locateApart, makeAnchorApart } from "#db/notes/anchor-work.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { locateRepoNotes } from "#db/repos/repo-anchors.server.ts";
import type { NoteKind } from "#domain/notes/note.ts";
import {
  type Anchored,
  isAnchored,
  type KeptAnchor,
  locateNotesIn,
  type NotePlace,
} from "#domain/notes/note-locating.ts";
import { itemAt } from "#domain/required.ts";

/** What a note on these lines or this heading has to remember of the file as it is now. */
export async function rememberAnchor(
  db: Db,
  ownerId: string,
  file: FileRecord,
  fields: Anchored,
): Promise<KeptAnchor | null> {
  if (!isAnchored(fields)) return null;
  const { line_start, line_end, anchor_id, anchor_text } = fields;
  const body = (await readVersion(db, ownerId, file, file.version)) ?? "";
  const anchorFields = { line_start, line_end, anchor_id, anchor_text };
  return makeAnchorApart(db, ownerId, { body, fields: anchorFields, version: file.version });
}

/** The places of notes on one file, by note. A note that is on no line and no heading has none. */
export async function locateNotes(
  db: Db,
  ownerId: string,
  file: FileRecord,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const { version } = file;
  const anchored = notes.filter(isAnchored);
  const older = anchored.flatMap(({ anchor }) =>
    anchor && anchor.version !== version ? [anchor.version] : [],
  );
  const needed = older.length === 0 ? [] : [...new Set([...older, version])];
  const texts = new Map(
    await Promise.all(needed.map(async (n) => [n, await readVersion(db, ownerId, file, n)] as const)),
  );
  const places = await locateAll(db, ownerId, { texts, version, notes: anchored });
  return new Map(anchored.map(({ id }, i) => [id, itemAt(places, i)]));
}

/** Notes that were put on the version that is shown are where they were put; only for others are texts read. */
function locateAll(
  db: Db,
  ownerId: string,
  { texts, version, notes }: { texts: Map<number, string | null>; version: number; notes: NoteRecord[] },
): Promise<NotePlace[]> | NotePlace[] {
  const toLocate = notes.map(({ line_start, line_end, anchor_id, anchor_text, anchor }) => ({
    line_start,
    line_end,
    anchor_id,
    anchor_text,
    anchor,
  }));
  return texts.size === 0
    ? locateNotesIn({ texts, version, notes: toLocate })
    : locateApart(db, ownerId, { texts, version, notes: toLocate });
}

/** The places of notes on any files, by note. */
export async function locateOnFiles(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const byFile = Map.groupBy(notes.filter(isAnchored), ({ file_id }) => file_id);
  const ids = [...byFile.keys()].filter((id) => id !== null);
  const files = await findFiles(db, ownerId, ids);
  const places = await Promise.all(
    files.map((file) => locateNotes(db, ownerId, file, byFile.get(file.id) ?? [])),
  );
  return new Map(places.flatMap((ofFile) => [...ofFile]));
}

/** The places of notes on any files and repositories, by note. */
export async function locateEach(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const [onFiles, inRepos] = await Promise.all([
    locateOnFiles(db, ownerId, notes),
    locateRepoNotes(db, ownerId, notes),
  ]);
  return new Map([...onFiles, ...inRepos]);
}

type Locate = (db: Db, ownerId: string, note: NoteRecord) => Promise<NotePlace | null>;

const LOCATORS: Record<NoteKind, Locate> = {
  file: async (db, ownerId, note) => {
    if (note.file_id === null || !isAnchored(note)) return null;
    const file = await findFile(db, ownerId, note.file_id);
    return file && ((await locateNotes(db, ownerId, file, [note])).get(note.id) ?? null);
  },
  board: async () => null,
  repo: async (db, ownerId, note) => (await locateRepoNotes(db, ownerId, [note])).get(note.id) ?? null,
};

/** The place of one note; null where it is on no file's line or heading, or its file is gone. */
export function locateOne(db: Db, ownerId: string, note: NoteRecord): Promise<NotePlace | null> {
  return LOCATORS[note.kind](db, ownerId, note);
}
