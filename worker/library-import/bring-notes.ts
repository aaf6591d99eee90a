import type { Db } from "#db/client.ts";
import { findImportTargets } from "#db/library-zip/import-ids.server.ts";
import {
  findDefaultBoardId,
  importBoard,
  importNote,
  importReminder,
  measureNote,
} from "#db/library-zip/import-notes.server.ts";
import type { Outcome } from "#domain/library-zip/library-import.ts";
import { type NoteKind, type NoteTarget, toTarget } from "#domain/notes/note.ts";
import { required } from "#domain/required.ts";
import { type ImportWalk, isOver, stopOnRefusal } from "#worker/library-import/walk.ts";

export async function importBoards(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, boards, dry } = walk;
  for await (const records of reader.readRecords("boards")) {
    const importTargets = await findImportTargets(
      db.boards,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      await walk.step("boards");
      const { id, state } = required(importTargets.get(record.id), "import target of a board");
      const defaultBoardId = record.is_default ? await findDefaultBoardId(db, ownerId) : null;
      const isHere = defaultBoardId !== null || state === "here";
      const outcome = isHere ? "here" : dry ? "added" : await importBoard(db, ownerId, id, record);
      report.kinds.boards[outcome] += 1;
      if (outcome !== "left") boards.set(record.id, defaultBoardId ?? id);
    }
  }
}

export async function importNotes(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, notes, quota, now, dry } = walk;
  let room = dry ? quota.maxPerUser - (await countPlaced(db, ownerId)) : 0;
  for await (const records of reader.readRecords("notes")) {
    const importTargets = await findImportTargets(
      db.notes,
      ownerId,
      records.map(({ id }) => id),
    );
    for (const record of records) {
      await walk.step("notes");
      const { id, state, isDeleted } = required(importTargets.get(record.id), "import target of a note");
      // A note that was deleted here but not in the zip is restored from the zip.
      const isHere = state === "here" && (record.deleted_at !== null || !isDeleted);
      const target = findTargetInLibrary(walk, toTarget(record));
      const importRecord = async (noteTarget: NoteTarget): Promise<Outcome> => {
        if (!dry) return stopOnRefusal(await importNote(db, ownerId, id, noteTarget, record, quota, now));
        room -= record.deleted_at ? 0 : 1;
        if (room < 0) return "left";
        walk.bytes += measureNote(record);
        return "added";
      };
      const isLost = target === null || isOver(record.expires_at, now);
      const outcome = isHere ? "here" : isLost ? "left" : await importRecord(target);
      report.kinds.notes[outcome] += 1;
      if (outcome !== "left" && target)
        notes.set(record.id, { id, file_id: target.kind === "file" ? target.file_id : null });
    }
  }
}

const countPlaced = (db: Db, user_id: string) =>
  db.notes.countDocuments({ user_id, user_slot: { $gte: 0 } }, { hint: "user_slot" });

type FindTarget<Kind extends NoteKind> = (
  walk: ImportWalk,
  target: NoteTarget<Kind>,
) => NoteTarget<Kind> | null;

/** Translates targets to ids of this library; null if the target is not in the zip. */
const TARGETS_HERE: { [Kind in NoteKind]: FindTarget<Kind> } = {
  file: ({ files }, target) => {
    const file_id = files.get(target.file_id);
    return file_id === undefined ? null : { ...target, file_id };
  },
  board: ({ boards }, target) => {
    const board_id = boards.get(target.board_id);
    return board_id === undefined ? null : { ...target, board_id };
  },
  repo: (_, target) => target,
};

function findTargetInLibrary<Kind extends NoteKind>(
  walk: ImportWalk,
  target: NoteTarget<Kind>,
): NoteTarget<Kind> | null {
  return TARGETS_HERE[target.kind](walk, target);
}

export async function importReminders(walk: ImportWalk): Promise<void> {
  const { db, ownerId, reader, report, notes, now, dry } = walk;
  for await (const records of reader.readRecords("reminders")) {
    const ids = records.flatMap(({ note_id }) => notes.get(note_id)?.id ?? []);
    const importTargets = await findImportTargets(db.reminders, ownerId, ids);
    for (const record of records) {
      await walk.step("reminders");
      const note = notes.get(record.note_id);
      const importRecord = async (): Promise<Outcome> => {
        if (!note || isOver(record.expires_at, now)) return "left";
        if (required(importTargets.get(note.id), "import target of a reminder").state === "here")
          return "here";
        return dry ? "added" : importReminder(db, ownerId, note, record, now);
      };
      report.kinds.reminders[await importRecord()] += 1;
    }
  }
}
