import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { removeLeftovers } from "#db/files/trash/trash-upkeep.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { ensureDefaultBoard, removeBoard } from "#db/notes/boards/boards.server.ts";
import { moveStrayNotes } from "#db/notes/boards/stray-notes.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { moveToBoard, returnToFile } from "#db/reminders/notes/note-board.server.ts";
import { setReminder } from "#db/reminders/reminders.server.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { targetKey } from "#domain/notes/note.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { breakVerb } from "#tests/support/databases/changed-store.ts";
import { onBoard, onFile } from "#tests/support/given.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { runJob } from "#worker/run-job.ts";

const { db, mongo, clock, events, given } = await openTestStore();
const services = createTestServices({ db, clock });
const START = { version: null, body: null };

async function run(jobId: JobId) {
  clock.set(new Date(clock().getTime() + 1000));
  await runJob(services, jobId, { trigger: "scheduled", payload: {} }, new AbortController().signal);
  const latest = itemAt(await listRuns(db, { job_id: jobId, limit: 1 }), 0);
  expect(latest).toMatchObject({ status: "completed" });
  return latest.result;
}

/** Leftovers of first saves that were interrupted before their record: texts and versions of absent files. */
async function givenLeftovers(since: Date, count = 1) {
  const seconds = Math.floor(since.getTime() / 1000);
  const ids = Array.from({ length: count }, () => new ObjectId(ObjectId.generate(seconds)));
  const about = { user_id: "1", version: 1, file_name: "x", language: "text", size_bytes: 1, lines: 1 };
  await db.file_bodies.insertMany(
    ids.map((id) => ({ _id: `${id.toHexString()}:1`, user_id: "1", body: "x" })),
  );
  await db.file_versions.insertMany(
    ids.map((file_id) => ({ _id: new ObjectId(), file_id, created_at: since, ...about })),
  );
  return ids[0];
}

const countRecords = async (file_id: ObjectId) =>
  (await db.file_versions.countDocuments({ file_id })) +
  (await db.file_bodies.countDocuments({ _id: `${file_id.toHexString()}:1` }));

describe("trash_check", () => {
  it("finishes a deletion that was cut off, when it is overdue", async () => {
    const file = await given.file("1", "cut.py", "1");
    await trashFile(db, "1", file.id, NOON);
    await db.files.updateOne({ _id: new ObjectId(file.id) }, { $set: { expiring: false } });
    expect(await run("trash_check")).toMatchObject({ finished: 0, ttl_index: "present" });

    clock.set(new Date(NOON.getTime() + 31 * DAY_MS));

    expect(await run("trash_check")).toMatchObject({ finished: 1 });
    expect(await db.files.countDocuments({ _id: new ObjectId(file.id) })).toBe(0);
    expect(await countRecords(new ObjectId(file.id))).toBe(0);
  });

  it("reports that the store does not empty the trash by itself", async () => {
    await mongo.collection("files").dropIndex("bin_expiry");
    expect(await run("trash_check")).toMatchObject({ ttl_index: "missing" });
    expect(await events("db_recycle_bin_ttl_index_missing")).toMatchObject([{ state: "missing" }]);
    await ensureIndexes(mongo.collection);
    expect(await run("trash_check")).toMatchObject({ ttl_index: "present" });
    expect(await events("db_recycle_bin_ttl_index_missing")).toHaveLength(1);
  });

  it("removes texts and versions without a file, not those of files or of today's saves", async () => {
    const file = await given.file("1", "kept.py", "kept");
    const [left, fresh] = [await givenLeftovers(NOON), await givenLeftovers(clock())];

    expect(await run("trash_check")).toMatchObject({ removed: 1 });

    expect([await countRecords(required(left)), await countRecords(required(fresh))]).toEqual([0, 2]);
    expect(await readBody(db, "1", required(await findFile(db, "1", file.id)))).toBe("kept");
  });

  it("looks for leftovers one part at a time, and at each part once per round", async () => {
    // Older than every file of these tests, whose ids are of today.
    await givenLeftovers(new Date(Date.UTC(2020, 0, 1)), 1_001);
    const first = await removeLeftovers(db, START, clock(), 500);
    expect(first).toMatchObject({ removed: 1_000, next: { version: expect.any(String) } });
    const second = await removeLeftovers(db, first.next, clock(), 500);
    expect(second.removed).toBe(1);
    expect(second.next).toEqual(START);
  });
});

describe("trash_check for notes on boards", () => {
  const createNoteOn = (owner: string, id: string) => given.note(owner, {}, onBoard({ id }));

  /** A note that was moved to a board while the board was deleted and the process was killed. */
  async function givenStray(owner: string) {
    const standard = await ensureDefaultBoard(db, owner, NOON);
    const { id: board_id } = await given.board(owner, "deleted");
    const note = await createNoteOn(owner, standard.id);
    orThrow(await removeBoard(db, owner, board_id, NOON));
    const target = targetKey({ kind: "board", board_id });
    await db.notes.updateOne({ _id: new ObjectId(note.id) }, { $set: { board_id, target } });
    return { id: note.id, deleted: board_id, standard: standard.id };
  }

  it("moves a note that a killed move left on a deleted board to the default board, and no other note", async () => {
    const stray = await givenStray("3");
    const board = await given.board("3", "kept");
    const settled = await createNoteOn("3", board.id);
    expect((await findNote(db, "3", stray.id))?.board_id).toBe(stray.deleted);

    expect(await run("trash_check")).toMatchObject({ notes_moved: 1, next: { board: null } });

    expect((await findNote(db, "3", stray.id))?.board_id).toBe(stray.standard);
    expect(await findNote(db, "3", settled.id)).toEqual(settled);
    expect(await run("trash_check")).toMatchObject({ notes_moved: 0 });
  });

  it("looks at a part of the notes in each run, and goes on after it", async () => {
    const full = await given.board("4", "full");
    const note = await createNoteOn("4", full.id);
    const { _id, user_slot, target_slot, ...kept } = required(
      await db.notes.findOne({ _id: new ObjectId(note.id) }),
    );
    await db.notes.insertMany(
      Array.from({ length: 500 }, () => ({ ...kept, _id: new ObjectId(), deleted_at: NOON })),
    );
    const stray = await givenStray("4");

    const first = await moveStrayNotes(db, null, NOON, 500);
    expect(first).toEqual({ moved: 0, next: `board:${full.id}` });
    expect(await moveStrayNotes(db, first.next, NOON, 500)).toEqual({ moved: 1, next: null });

    expect((await findNote(db, "4", stray.id))?.board_id).toBe(stray.standard);
  });
});

describe("trash_check for reminders", () => {
  /** The process stops while it moves a note between its file and a board, before the reminder follows. */
  const stopBeforeReminder = () => breakVerb(db, "reminders", "updateOne");

  async function givenReminded(owner: string) {
    const file = await given.file(owner, "a.py", "one\ntwo\n");
    const note = await given.note(owner, {}, onFile(file));
    await setReminder(db, owner, note, new Date(clock().getTime() + DAY_MS), clock());
    const { id: boardId } = await given.board(owner, "Plans");
    return { file, note, boardId };
  }

  const readPlace = async (noteId: string) => {
    const { file_id, expires_at } = required(await db.reminders.findOne({ _id: new ObjectId(noteId) }));
    return { file_id: file_id?.toHexString() ?? null, expires_at };
  };

  it("moves one that a killed move left with the file, so that it does not go to the trash with that file", async () => {
    const { file, note, boardId } = await givenReminded("5");
    const moving = moveToBoard(stopBeforeReminder(), "5", note.id, { boardId }, clock());
    await expect(moving).rejects.toThrow("gone");
    expect((await findNote(db, "5", note.id))?.board_id).toBe(boardId);
    orThrow(await trashFile(db, "5", file.id, clock()));
    expect(await readPlace(note.id)).toEqual({ file_id: file.id, expires_at: expect.any(Date) });
    expect(await run("trash_check")).toMatchObject({ reminders_moved: 0 });

    clock.set(new Date(clock().getTime() + HOUR_MS));
    expect(await run("trash_check")).toMatchObject({ reminders_moved: 1, reminders_removed: 0 });

    expect(await readPlace(note.id)).toEqual({ file_id: null, expires_at: null });
    expect(await run("trash_check")).toMatchObject({ reminders_moved: 0 });
  });

  it("moves one that a killed return left behind, into the trash with its file", async () => {
    const { file, note, boardId } = await givenReminded("6");
    orThrow(await moveToBoard(db, "6", note.id, { boardId }, clock()));
    const returning = returnToFile(stopBeforeReminder(), "6", note.id, clock());
    await expect(returning).rejects.toThrow("gone");
    orThrow(await trashFile(db, "6", file.id, clock()));
    expect(await readPlace(note.id)).toEqual({ file_id: null, expires_at: null });

    clock.set(new Date(clock().getTime() + HOUR_MS));
    expect(await run("trash_check")).toMatchObject({ reminders_moved: 1 });

    const { expires_at } = required(await db.notes.findOne({ _id: new ObjectId(note.id) }));
    expect(expires_at).toBeInstanceOf(Date);
    expect(await readPlace(note.id)).toEqual({ file_id: file.id, expires_at });
  });
});
