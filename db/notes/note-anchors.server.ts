import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { type FileRecord, findFile, findFiles } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import { createAnchorOnThread, locateNotesOnThread } from "#db/notes/anchor-work.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { locateRepoNotes } from "#db/notes/repos/repo-anchors.server.ts";
import type { NoteKind } from "#domain/notes/note.ts";
import {
  type Anchored,
  type AnchoredNote,
  isAnchored,
  type KeptAnchor,
  locateNotesInTexts,
  type NotePlace,
} from "#domain/notes/note-locating.ts";
import { itemAt } from "#domain/required.ts";

/** Creates the anchor of a note on lines or a heading of the file's current version. */
export async function createFileAnchor(
  db: Db,
  ownerId: string,
  file: FileRecord,
  fields: Anchored,
): Promise<KeptAnchor | null> {
  if (!isAnchored(fields)) return null;
  const { line_start, line_end, anchor_id, anchor_text } = fields;
  const body = (await readVersionBody(db, ownerId, file, file.version)) ?? "";
  const anchorFields = { line_start, line_end, anchor_id, anchor_text };
  return createAnchorOnThread(db, ownerId, { body, fields: anchorFields, version: file.version });
}

/**
 * Locates notes on one file, by note id. A note without a line or heading has no place. Notes from each older version are
 * located separately, so that only two texts are in memory at a time.
 */
export async function locateNotes(
  db: Db,
  ownerId: string,
  file: FileRecord,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const places = new Map<string, NotePlace>();
  const byVersion = Map.groupBy(notes.filter(isAnchored), ({ anchor }) => anchor?.version ?? file.version);
  for (const [version, group] of byVersion) {
    const groupPlaces = await locateFromVersion(db, ownerId, file, version, group.map(toAnchoredNote));
    for (const [i, { id }] of group.entries()) places.set(id, itemAt(groupPlaces, i));
  }
  return places;
}

const toAnchoredNote = ({
  line_start,
  line_end,
  anchor_id,
  anchor_text,
  anchor,
}: NoteRecord): AnchoredNote => ({
  line_start,
  line_end,
  anchor_id,
  anchor_text,
  anchor,
});

/** Notes from the current version are where they were put; texts are only read for others. */
async function locateFromVersion(
  db: Db,
  ownerId: string,
  file: FileRecord,
  from: number,
  notes: AnchoredNote[],
): Promise<NotePlace[]> {
  const { id, version, updated_at } = file;
  if (from === version) return locateNotesInTexts({ texts: new Map(), version, notes });
  return locateNotesOnThread(db, ownerId, {
    version,
    notes,
    // A version number can be used twice; the time distinguishes such texts.
    textsKey: `${id}:${version} ${updated_at.getTime()}`,
    readTexts: async () => {
      const read = async (n: number) => [n, await readVersionBody(db, ownerId, file, n)] as const;
      return new Map(await Promise.all([from, version].map(read)));
    },
  });
}

/** Locates notes on any files, by note id. Files are read one after the other, and other requests run in between. */
export async function locateFileNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const byFile = Map.groupBy(notes.filter(isAnchored), ({ file_id }) => file_id);
  const ids = [...byFile.keys()].filter((id) => id !== null);
  const places = new Map<string, NotePlace>();
  for (const file of await findFiles(db, ownerId, ids)) {
    const inFile = await locateNotes(db, ownerId, file, byFile.get(file.id) ?? []);
    for (const [id, place] of inFile) places.set(id, place);
    await setImmediate();
  }
  return places;
}

/** Locates notes on any files and repositories, by note id. */
export async function locateAllNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<Map<string, NotePlace>> {
  const [onFiles, inRepos] = await Promise.all([
    locateFileNotes(db, ownerId, notes),
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

/** Returns the place of a note; null if it is on no line or heading of a file, or if its file is gone. */
export function locateNote(db: Db, ownerId: string, note: NoteRecord): Promise<NotePlace | null> {
  return LOCATORS[note.kind](db, ownerId, note);
}
