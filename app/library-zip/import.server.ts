import { type Archive, damaged, openArchive } from "#app/library-zip/archive.server.ts";
import {
  Damaged,
  readManifest,
  readRecords,
  readSettings,
  readText,
} from "#app/library-zip/reading.server.ts";
import type { Db } from "#db/client.ts";
import { findTakenNames, importFile } from "#db/import-files.server.ts";
import { findArrivals } from "#db/import-ids.server.ts";
import {
  findDefaultBoardId,
  importBoard,
  importNote,
  importReminder,
  type Outcome,
} from "#db/import-notes.server.ts";
import { importSettings } from "#db/import-settings.server.ts";
import type { NoteQuota } from "#db/notes.server.ts";
import { type Imported, isTextPath, type RecordKind } from "#domain/export-format.ts";
import type { NoteTarget } from "#domain/note.ts";
import type { Refusal } from "#domain/refusal.ts";

/** What an import does, or would do, to each kind of record; `renamed` files get a number after their name. */
export type Tally = Record<Outcome, number>;
export type ImportReport = {
  made_at: Date;
  kinds: Record<RecordKind | "versions", Tally>;
  renamed: number;
};

type Import = {
  db: Db;
  ownerId: string;
  quota: NoteQuota;
  now: Date;
  /** Only looks: everything is read and checked, and nothing is written. */
  dry: boolean;
};
type Walk = Import & {
  archive: Archive;
  report: ImportReport;
  files: Map<string, string>;
  boards: Map<string, string>;
  notes: Map<string, { id: string; file_id: string | null }>;
};

const AT_ONCE = 100;

/** Goes through a zip from its first record to its last. Anything in it that an export does not have refuses the whole. */
export async function importLibrary(zipPath: string, given: Import): Promise<ImportReport | Refusal> {
  const archive = await openArchive(zipPath);
  if (!("paths" in archive)) return archive;
  try {
    const none = (): Tally => ({ added: 0, here: 0, left: 0 });
    const kinds = { files: none(), versions: none(), boards: none(), notes: none(), reminders: none() };
    const { created_at } = await readManifest(archive);
    const settings = await readSettings(archive);
    const walk: Walk = {
      ...given,
      archive,
      report: { made_at: created_at, kinds, renamed: 0 },
      files: new Map(),
      boards: new Map(),
      notes: new Map(),
    };
    await bringFiles(walk);
    await bringBoards(walk);
    await bringNotes(walk);
    await bringReminders(walk);
    if (!given.dry) await importSettings(given.db, given.ownerId, settings);
    return walk.report;
  } catch (error) {
    if (error instanceof Damaged) return error.refusal;
    throw error;
  } finally {
    archive.close();
  }
}

/** Records in portions, none with an id that another one has. */
async function* portions<Kind extends RecordKind>(
  archive: Archive,
  kind: Kind,
  idOf: (record: Imported<Kind>) => string,
): AsyncGenerator<Imported<Kind>[]> {
  const seen = new Set<string>();
  for await (const records of readRecords(archive, kind))
    for (let at = 0; at < records.length; at += AT_ONCE) {
      const portion = records.slice(at, at + AT_ONCE);
      for (const record of portion) {
        if (seen.has(idOf(record))) throw new Damaged(damaged("duplicate_record", `${kind} ${idOf(record)}`));
        seen.add(idOf(record));
      }
      yield portion;
    }
}

const isOver = (expires_at: Date | null, now: Date) => expires_at !== null && expires_at <= now;

async function bringFiles(walk: Walk): Promise<void> {
  const { db, ownerId, archive, report, files } = walk;
  const paths = new Set<string>();
  const names = new Set<string>();
  for await (const records of portions(archive, "files", ({ id }) => id)) {
    const arrivals = await findArrivals(
      db.files as never,
      ownerId,
      records.map(({ id }) => id),
    );
    const taken = await findTakenNames(
      db,
      ownerId,
      records.map(({ file_name }) => file_name),
    );
    for (const record of records) {
      for (const { path } of record.versions) {
        // One text for many versions would fill the store from a small zip.
        if (paths.has(path)) throw new Damaged(damaged("text_used_twice", path));
        paths.add(path);
      }
      const { id, state } = arrivals.get(record.id)!;
      const outcome = await bringFile(walk, id, state, record);
      report.kinds.files[outcome] += 1;
      report.kinds.versions[outcome] += record.versions.length;
      if (outcome !== "left") files.set(record.id, id);
      if (outcome !== "added" || record.deleted_at) continue;
      if (taken.has(record.file_name) || names.has(record.file_name)) report.renamed += 1;
      names.add(record.file_name);
    }
  }
  // What has no record would be lost without a word.
  for (const path of archive.paths)
    if (isTextPath(path) && !paths.has(path)) throw new Damaged(damaged("unclaimed", path));
}

async function bringFile(
  { db, ownerId, archive, now, dry }: Walk,
  id: string,
  state: "new" | "here" | "unfinished",
  record: Imported<"files">,
): Promise<Outcome> {
  if (isOver(record.expires_at, now)) return "left";
  if (state === "here") return "here";
  const textAt = (path: string) => readText(archive, path);
  if (!dry) return (await importFile(db, ownerId, id, record, textAt, now)) ? "added" : "here";
  for (const { path } of record.versions) await textAt(path);
  return "added";
}

async function bringBoards({ db, ownerId, archive, report, boards, dry }: Walk): Promise<void> {
  for await (const records of portions(archive, "boards", ({ id }) => id)) {
    const arrivals = await findArrivals(
      db.boards as never,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      const { id, state } = arrivals.get(record.id)!;
      const standard = record.is_default ? await findDefaultBoardId(db, ownerId) : null;
      const here = standard !== null || state === "here";
      const outcome = here ? "here" : dry ? "added" : await importBoard(db, ownerId, id, record);
      report.kinds.boards[outcome] += 1;
      if (outcome !== "left") boards.set(record.id, standard ?? id);
    }
  }
}

async function bringNotes(walk: Walk): Promise<void> {
  const { db, ownerId, archive, report, notes, quota, now, dry } = walk;
  let room = dry ? quota.maxPerUser - (await countPlaced(db, ownerId)) : 0;
  for await (const records of portions(archive, "notes", ({ id }) => id)) {
    const arrivals = await findArrivals(
      db.notes as never,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      const { id, state, isDeleted } = arrivals.get(record.id)!;
      // What was deleted here and lives in the zip comes back as the zip has it.
      const isHere = state === "here" && (record.deleted_at !== null || !isDeleted);
      const target = targetIn(walk, record);
      const bring = (to: NoteTarget): Promise<Outcome> | Outcome => {
        if (!dry) return importNote(db, ownerId, id, to, record, quota);
        room -= record.deleted_at ? 0 : 1;
        return room < 0 ? "left" : "added";
      };
      const lost = target === null || isOver(record.expires_at, now);
      const outcome = isHere ? "here" : lost ? "left" : await bring(target);
      report.kinds.notes[outcome] += 1;
      if (outcome !== "left" && target)
        notes.set(record.id, { id, file_id: target.kind === "file" ? target.file_id : null });
    }
  }
}

const countPlaced = (db: Db, user_id: string) => db.notes.countDocuments({ user_id, user_slot: { $gte: 0 } });

/** Where a note is put here; null where that is not in the zip. */
function targetIn({ files, boards }: Walk, note: Imported<"notes">): NoteTarget | null {
  const { kind, file_id, board_id, repo_name, repo_path } = note;
  if (kind === "repo") return { kind, repo_name: repo_name!, repo_path: repo_path! };
  const id = kind === "file" ? files.get(file_id!) : boards.get(board_id!);
  if (id === undefined) return null;
  return kind === "file" ? { kind, file_id: id } : { kind, board_id: id };
}

async function bringReminders({ db, ownerId, archive, report, notes, now, dry }: Walk): Promise<void> {
  for await (const records of portions(archive, "reminders", ({ note_id }) => note_id)) {
    const ids = records.flatMap(({ note_id }) => notes.get(note_id)?.id ?? []);
    const arrivals = await findArrivals(db.reminders as never, ownerId, ids);
    for (const record of records) {
      const note = notes.get(record.note_id);
      const lost = !note || isOver(record.expires_at, now);
      const bring = async (): Promise<Outcome> =>
        arrivals.get(note!.id)!.state === "here"
          ? "here"
          : dry
            ? "added"
            : importReminder(db, ownerId, note!, record, now);
      report.kinds.reminders[lost ? "left" : await bring()] += 1;
    }
  }
}
