import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import {
  createBoard,
  ensureDefaultBoard,
  listBoards,
  listBoardsWithCounts,
  removeBoard,
  updateBoard,
} from "#db/notes/boards/boards.server.ts";
import { moveStrayNotes } from "#db/notes/boards/stray-notes.server.ts";
import { restoreContent } from "#db/notes/note-history.server.ts";
import { attachToSuggestedLines, confirmNotePlace } from "#db/notes/note-pins.server.ts";
import { toggleTask } from "#db/notes/note-tasks.server.ts";
import { createNote, updateNote } from "#db/notes/notes.server.ts";
import { attachNotes, repairReminders, setNoteReminder } from "#db/reminders/note-reminders.server.ts";
import { removeNote, removeReminderOfNote, restoreNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { moveToBoard, returnToFile } from "#db/reminders/notes/note-board.server.ts";
import {
  claimPushes,
  completePush,
  listDuePushes,
  makePushDueAgain,
  postponePush,
  recordPushesSent,
} from "#db/reminders/reminder-pushes.server.ts";
import {
  acknowledgeReminder,
  findReminder,
  removeReminders,
  reopenReminder,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import {
  givenFile,
  givenNote,
  givenReminder,
  givenUsage,
  inRepo,
  LATER,
  MONTH_AGO,
  onBoard,
  onFile,
  toIds,
} from "./given.ts";

const QUOTA = { maxPerUser: 1000 };
const FIELDS = { ...NEW_NOTE, mode: "surface" as const, content: "Buy milk" };

async function givenBoard(db: Db, more: object = {}): Promise<string> {
  const _id = new ObjectId();
  const board = {
    user_id: OWNER,
    name: "Home",
    is_default: false,
    slot: 3,
    created_at: NOON,
    updated_at: NOON,
  };
  await db.boards.insertOne({ _id, ...board, removed_at: null, ...more });
  return _id.toHexString();
}
const givenDefault = (db: Db) => givenBoard(db, { is_default: true, slot: 0, name: "Notes" });

const mendLater = (db: Db) => repairReminders(db, null, new Date(NOON.getTime() + 2 * DAY_MS));

async function givenReminded(db: Db, more = {}) {
  const note = await givenNote(db, inRepo());
  await givenReminder(db, note.id, more);
  return note;
}

async function givenStray(db: Db): Promise<void> {
  await givenDefault(db);
  await givenNote(db, onBoard(new ObjectId().toHexString()));
}

async function givenOwed(db: Db) {
  await Promise.all([givenReminded(db), givenReminded(db)]);
  return listDuePushes(db, NOON, 10);
}

const notes = {
  "notes/createNote": row(
    async (db) => ({ id: new ObjectId().toHexString(), usage: await givenUsage(db, 0) }),
    (db, { id }) => createNote(db, OWNER, { target: inRepo(), fields: FIELDS, quota: QUOTA, now: NOON, id }),
  ),
  "notes/createNote (where notes of a file that is gone hold all places)": row(
    async (db) => {
      const gone = onFile({ id: new ObjectId().toHexString() });
      await Promise.all([0, 1].map((user_slot) => givenNote(db, gone, { user_slot })));
      await givenUsage(db, 32);
    },
    (db) => createNote(db, OWNER, { target: inRepo(), fields: FIELDS, quota: { maxPerUser: 2 }, now: NOON }),
    {
      mayDiffer: {
        notes: "notes of a file that is gone are looked for only where there is no room",
        bytes: "and counted until then",
      },
    },
  ),
  "notes/updateNote": row(
    async (db) => (await Promise.all([givenNote(db, inRepo()), givenUsage(db, 16)]))[0],
    (db, { id }) => updateNote(db, OWNER, id, { content: "Buy bread" }, { now: LATER }),
    { mayDiffer: { updated_at: "the same content once more" } },
  ),
  "deleted-notes/removeNote": row(givenReminded, (db, { id }) => removeNote(db, OWNER, id, NOON), {
    finish: (db, { id }) => removeNote(db, OWNER, id, NOON).then(() => mendLater(db)),
  }),
  "deleted-notes/removeReminderOfNote": row(
    async (db) => {
      const note = await givenNote(db, inRepo(), { made_for_reminder: NOON, updated_at: NOON });
      await givenReminder(db, note.id, {});
      return note;
    },
    (db, { id }) => removeReminderOfNote(db, OWNER, id, NOON),
    { finish: (db, { id }) => removeReminderOfNote(db, OWNER, id, NOON).then(() => mendLater(db)) },
  ),
  "deleted-notes/restoreNote": row(
    (db) => {
      const kept_reminder = { remind_at: LATER };
      return givenNote(db, inRepo(), { deleted_at: NOON, expires_at: LATER, kept_reminder });
    },
    (db, { id }) => restoreNote(db, OWNER, id, QUOTA, NOON),
  ),
  "note-history/restoreContent": row(
    async (db) => {
      const history = [{ content: "Buy bread", updated_at: MONTH_AGO }];
      return (await Promise.all([givenNote(db, inRepo(), { history }), givenUsage(db, 25)]))[0];
    },
    (db, { id }) => restoreContent(db, OWNER, id, MONTH_AGO, { now: LATER }),
  ),
  "note-pins/confirmNotePlace": row(
    async (db) => {
      const target = onFile(await givenFile(db));
      return orThrow(
        await createNote(db, OWNER, {
          target,
          fields: { ...FIELDS, line_start: 1, line_end: 1 },
          quota: QUOTA,
          now: NOON,
        }),
      );
    },
    (db, { id }) => confirmNotePlace(db, OWNER, id, { now: LATER }),
  ),
  "note-pins/attachToSuggestedLines": row(
    async (db) => {
      const file = await givenFile(db);
      await db.file_bodies.updateMany({ user_id: OWNER }, { $set: { body: "send(letter)\n" } });
      const lines = { line_start: 7, line_end: 7 };
      const anchor = { version: 1, quote: ["send(letter, now)"], before: [], after: [], place: lines };
      return givenNote(db, onFile(file), { line_start: 7, line_end: 7, anchor });
    },
    (db, { id }) => attachToSuggestedLines(db, OWNER, id, "1", { now: LATER }),
  ),
  "note-tasks/toggleTask": row(
    async (db) =>
      (await Promise.all([givenNote(db, inRepo(), { content: "- [ ] one" }), givenUsage(db, 9)]))[0],
    (db, { id }) => toggleTask(db, OWNER, id, { index: 0, checked: true, prev: NOON }, LATER),
  ),
  "note-board/moveToBoard": row(
    async (db) => {
      const [from, to] = await Promise.all([givenDefault(db), givenBoard(db)]);
      return { note: await givenNote(db, onBoard(from)), to };
    },
    (db, { note, to }) => moveToBoard(db, OWNER, note.id, { boardId: to }, LATER),
  ),
  "note-board/returnToFile": row(
    async (db) => {
      const [file, to] = await Promise.all([givenFile(db), givenBoard(db)]);
      const note = await givenNote(db, onFile(file));
      orThrow(await moveToBoard(db, OWNER, note.id, { boardId: to }, LATER));
      return note;
    },
    (db, note) => returnToFile(db, OWNER, note.id, LATER),
  ),
};

const boards = {
  "boards/ensureDefaultBoard": row(nothing, (db) => ensureDefaultBoard(db, OWNER, NOON)),
  "boards/listBoards": row(
    async (db) => {
      const [, cutOff] = await Promise.all([givenDefault(db), givenBoard(db, { removed_at: NOON })]);
      await Promise.all([givenNote(db, onBoard(cutOff)), givenNote(db, onBoard(cutOff))]);
    },
    (db) => listBoards(db, OWNER, LATER),
  ),
  "boards/listBoardsWithCounts": row(givenStray, (db) => listBoardsWithCounts(db, OWNER, LATER)),
  "stray-notes/moveStrayNotes": row(givenStray, (db) => moveStrayNotes(db, null, LATER)),
  "boards/createBoard": row(nothing, (db) => createBoard(db, OWNER, "Work", NOON)),
  "boards/updateBoard": row(givenBoard, (db, id) => updateBoard(db, OWNER, id, { name: "Work" }, NOON)),
  "boards/removeBoard": row(
    async (db) => {
      const [, id] = await Promise.all([givenDefault(db), givenBoard(db)]);
      await Promise.all([givenNote(db, onBoard(id)), givenNote(db, onBoard(id))]);
      return id;
    },
    (db, id) => removeBoard(db, OWNER, id, LATER),
    { finish: (db, id) => removeBoard(db, OWNER, id, LATER).then(() => listBoards(db, OWNER, LATER)) },
  ),
};

const reminders = {
  "note-reminders/setNoteReminder": row(
    (db) => givenNote(db, inRepo()),
    (db, { id }) => setNoteReminder(db, OWNER, id, LATER, NOON),
  ),
  "note-reminders/attachNotes": row(
    async (db) => {
      const ids = [1, 2].map(() => new ObjectId().toHexString());
      await Promise.all(ids.map((id) => givenReminder(db, id)));
      return Promise.all(ids.map(async (id) => required(await findReminder(db, OWNER, id))));
    },
    (db, reminders) => attachNotes(db, OWNER, reminders),
  ),
  "note-reminders/repairReminders": row(
    (db) => Promise.all([1, 2].map(() => givenReminder(db, new ObjectId().toHexString()))),
    (db) => repairReminders(db, null, new Date(NOON.getTime() + DAY_MS)),
  ),
  "reminders/snoozeReminder": row(givenReminded, (db, { id }) => snoozeReminder(db, OWNER, id, LATER, NOON)),
  "reminders/acknowledgeReminder": row(givenReminded, (db, { id }) =>
    acknowledgeReminder(db, OWNER, id, null, NOON),
  ),
  "reminders/reopenReminder": row(
    (db) => givenReminded(db, { status: "acknowledged", ack_at: NOON }),
    (db, { id }) => reopenReminder(db, OWNER, id, NOON),
  ),
  "reminders/removeReminders": row(
    (db) => Promise.all([givenReminded(db), givenReminded(db)]),
    (db, noted) => removeReminders(db, OWNER, toIds(noted)),
  ),
  "reminder-pushes/claimPushes": row(givenOwed, (db, owed) => claimPushes(db, owed, NOON, LATER), {
    finish: // A failed call's claims are made again after the claim ends.
      (db, owed) => claimPushes(db, owed, LATER, LATER),
  }),
  "reminder-pushes/recordPushesSent": row(givenOwed, (db, owed) =>
    recordPushesSent(
      db,
      owed.map((push, i) => ({ push, endpointHash: "h1", isLast: i > 0 })),
    ),
  ),
  "reminder-pushes/makePushDueAgain": row(
    async (db) => {
      const [push] = await givenOwed(db);
      await completePush(db, required(push));
      return required(push).note_id;
    },
    (db, noteId) => makePushDueAgain(db, noteId, LATER),
    { mayDiffer: { repeats: "what is owed already is not owed again" } },
  ),
  "reminder-pushes/completePush": row(givenOwed, (db, [push]) => completePush(db, required(push))),
  "reminder-pushes/postponePush": row(givenOwed, (db, [push]) => postponePush(db, required(push), LATER, 1)),
};

export const NOTE_VERBS: Record<string, VerbRow> = { ...notes, ...boards, ...reminders };
