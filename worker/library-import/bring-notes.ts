import type { Db } from "#db/client.ts";
import { findArrivals } from "#db/library-zip/import-ids.server.ts";
import {
  findDefaultBoardId,
  importBoard,
  importNote,
  importReminder,
  measureNote,
} from "#db/library-zip/import-notes.server.ts";
import type { Imported } from "#domain/files/export-format.ts";
import type { Outcome } from "#domain/files/library-import.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { required } from "#domain/required.ts";
import { type ImportWalk, isOver, orStop } from "#worker/library-import/walk.ts";

export async function bringBoards(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, boards, dry } = walk;
  for await (const records of reader.readRecords("boards")) {
    const arrivals = await findArrivals(
      db.boards as never,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      await walk.step("boards");
      const { id, state } = required(arrivals.get(record.id), "arrival of a board");
      const standard = record.is_default ? await findDefaultBoardId(db, ownerId) : null;
      const here = standard !== null || state === "here";
      const outcome = here ? "here" : dry ? "added" : await importBoard(db, ownerId, id, record);
      report.kinds.boards[outcome] += 1;
      if (outcome !== "left") boards.set(record.id, standard ?? id);
    }
  }
}

export async function bringNotes(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, notes, quota, now, dry } = walk;
  let room = dry ? quota.maxPerUser - (await countPlaced(db, ownerId)) : 0;
  for await (const records of reader.readRecords("notes")) {
    const arrivals = await findArrivals(
      db.notes as never,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      await walk.step("notes");
      const { id, state, isDeleted } = required(arrivals.get(record.id), "arrival of a note");
      // What was deleted here and lives in the zip comes back as the zip has it.
      const isHere = state === "here" && (record.deleted_at !== null || !isDeleted);
      const target = targetIn(walk, record);
      const bring = async (to: NoteTarget): Promise<Outcome> => {
        if (!dry) return orStop(await importNote(db, ownerId, id, to, record, quota, now));
        room -= record.deleted_at ? 0 : 1;
        if (room < 0) return "left";
        walk.bytes += measureNote(record);
        return "added";
      };
      const lost = target === null || isOver(record.expires_at, now);
      const outcome = isHere ? "here" : lost ? "left" : await bring(target);
      report.kinds.notes[outcome] += 1;
      if (outcome !== "left" && target)
        notes.set(record.id, { id, file_id: target.kind === "file" ? target.file_id : null });
    }
  }
}

const countPlaced = (db: Db, user_id: string) =>
  db.notes.countDocuments({ user_id, user_slot: { $gte: 0 } }, { hint: "user_slot" });

/** Where a note is put here; null where that is not in the zip. */
function targetIn({ files, boards }: ImportWalk, note: Imported<"notes">): NoteTarget | null {
  const { kind, file_id, board_id, repo_name, repo_path } = note;
  if (kind === "repo")
    return repo_name === null || repo_path === null ? null : { kind, repo_name, repo_path };
  const id = kind === "file" ? files.get(file_id ?? "") : boards.get(board_id ?? "");
  if (id === undefined) return null;
  return kind === "file" ? { kind, file_id: id } : { kind, board_id: id };
}

export async function bringReminders(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, notes, now, dry } = walk;
  for await (const records of reader.readRecords("reminders")) {
    const ids = records.flatMap(({ note_id }) => notes.get(note_id)?.id ?? []);
    const arrivals = await findArrivals(db.reminders as never, ownerId, ids);
    for (const record of records) {
      await walk.step("reminders");
      const note = notes.get(record.note_id);
      const bring = async (): Promise<Outcome> => {
        if (!note || isOver(record.expires_at, now)) return "left";
        if (required(arrivals.get(note.id), "arrival of a reminder").state === "here") return "here";
        return dry ? "added" : importReminder(db, ownerId, note, record, now);
      };
      report.kinds.reminders[await bring()] += 1;
    }
  }
}
