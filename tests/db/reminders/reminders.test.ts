import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import {
  arePushesStillClaimed,
  claimPushes,
  completePush,
  findNextPush,
  listDuePushes,
  type OwedPush,
  postponePush,
  recordPushesSent,
} from "#db/reminders/reminder-pushes.server.ts";
import {
  acknowledgeReminder,
  findNoteReminders,
  findReminder,
  hideReminders,
  listDoneReminders,
  listDueNoteIds,
  listDueReminders,
  listUpcomingReminders,
  type Reminder,
  removeReminders,
  removeRemindersOfFile,
  revealReminders,
  setReminder,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();
const minutesFromNoon = (minutes: number) => afterNoon(minutes * MINUTE_MS);
const NOT_FOUND = { refused: "reminder_not_found" };

const newId = () => new ObjectId().toHexString();
const newNote = (file_id: string | null = null) => ({ id: newId(), file_id });

/** A reminder this many minutes after noon, or before it. */
const remind = (owner: string, minutes: number, note = newNote()) =>
  setReminder(db, owner, note, minutesFromNoon(minutes), NOON);
const listIds = (reminders: Pick<Reminder, "note_id">[]) => reminders.map(({ note_id }) => note_id);

describe("the record of a note's reminder", () => {
  it("is one, however often and at once it is set", async () => {
    const owner = newId();
    const note = newNote();

    await Promise.all(Array.from({ length: 20 }, (_, i) => remind(owner, i + 1, note)));

    expect(await db.reminders.countDocuments({ user_id: owner })).toBe(1);
  });

  it("cannot be set by somebody else under the same note", async () => {
    const { note_id } = await remind(newId(), -5);

    await expect(remind(newId(), 5, { id: note_id, file_id: null })).rejects.toMatchObject({ code: 11000 });
  });

  it.each<[string, (owner: string, note: ReturnType<typeof newNote>) => Promise<unknown>]>([
    ["set", (owner, note) => remind(owner, 30, note)],
    ["snoozed", (owner, { id }) => snoozeReminder(db, owner, id, minutesFromNoon(40), NOON)],
  ])("is pending again when it is %s after it was done", async (_, again) => {
    const [owner, note] = [newId(), newNote()];
    await remind(owner, -5, note);
    orThrow(await acknowledgeReminder(db, owner, note.id, null, NOON));

    expect(await again(owner, note)).toMatchObject({ status: "pending", ack_at: null });
  });

  it.each([newId(), "no id at all"])("is not made by snoozing the note %s", async (noteId) => {
    const owner = newId();
    expect(await snoozeReminder(db, owner, noteId, minutesFromNoon(9), NOON)).toMatchObject(NOT_FOUND);
    expect(await db.reminders.countDocuments({ user_id: owner })).toBe(0);
  });
});

it("acknowledging twice is refused, even if both come at once", async () => {
  const owner = newId();
  const { note_id } = await remind(owner, -5);

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => acknowledgeReminder(db, owner, note_id, null, NOON)),
  );

  expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1);
});

describe("the lists", () => {
  it("tell what is due, oldest first, and the moment itself counts", async () => {
    const owner = newId();
    const late = await remind(owner, -5);
    const later = await remind(owner, -60);
    const now = await remind(owner, 0);
    await remind(owner, 1);
    await remind(newId(), -5);

    const due = await listDueReminders(db, owner, NOON, 20);

    expect(listIds(due)).toEqual([later.note_id, late.note_id, now.note_id]);
    expect(await listDueReminders(db, owner, NOON, 2)).toEqual(due.slice(0, 2));
    const ids = (await listDueNoteIds(db, owner, NOON)).map((id) => id.toHexString());
    expect(ids.toSorted()).toEqual(listIds(due).toSorted());
  });

  it("tell what is to come, soonest first, and what was done lately, last first", async () => {
    const owner = newId();
    const far = await remind(owner, 90);
    const near = await remind(owner, 2);
    const first = await remind(owner, -9);
    const second = await remind(owner, -8);
    const long = await remind(owner, -7);
    await acknowledgeReminder(db, owner, long.note_id, null, minutesFromNoon(-6000));
    await acknowledgeReminder(db, owner, first.note_id, null, minutesFromNoon(-3));
    await acknowledgeReminder(db, owner, second.note_id, null, minutesFromNoon(-2));

    expect(listIds(await listUpcomingReminders(db, owner, NOON, 20))).toEqual([near.note_id, far.note_id]);
    expect(listIds(await listDoneReminders(db, owner, minutesFromNoon(-60), 20))).toEqual([
      second.note_id,
      first.note_id,
    ]);
  });

  it("find those of several notes, and forget those that were removed", async () => {
    const owner = newId();
    const [one, two] = [await remind(owner, 1), await remind(owner, 2)];

    const reminders = await findNoteReminders(db, owner, [one.note_id, two.note_id, newNote().id]);
    expect([...reminders.keys()].sort()).toEqual([one.note_id, two.note_id].sort());

    expect(await removeReminders(db, owner, [one.note_id, "no id"])).toBe(1);
    expect(await findReminder(db, owner, one.note_id)).toBeNull();
    expect(await findReminder(db, owner, two.note_id)).not.toBeNull();
  });
});

it("a file in the trash hides its reminders from every list, and returns them unchanged", async () => {
  const owner = newId();
  const file_id = newId();
  const hidden = await remind(owner, -5, newNote(file_id));
  const other = await remind(owner, -4, newNote(newId()));
  const expiry = minutesFromNoon(30 * 24 * 60);

  await hideReminders(db, [new ObjectId(file_id)], expiry);

  expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
  expect(listIds(await listDueReminders(db, owner, NOON, 9))).toEqual([other.note_id]);
  expect(await listDueNoteIds(db, owner, NOON)).toHaveLength(1);
  expect(await acknowledgeReminder(db, owner, hidden.note_id, null, NOON)).toMatchObject(NOT_FOUND);
  await revealReminders(db, [new ObjectId(file_id)], minutesFromNoon(7));
  expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
  await revealReminders(db, [new ObjectId(file_id)], expiry);
  expect(await findReminder(db, owner, hidden.note_id)).toEqual(hidden);
  await removeRemindersOfFile(db, new ObjectId(file_id));
  expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
  expect(await findReminder(db, owner, other.note_id)).not.toBeNull();
});

describe("a push that is owed", () => {
  const readOwed = async (note_id: string, now = NOON) =>
    (await listDuePushes(db, now, 500)).find((push) => push.note_id === note_id);

  const claim = async (push: OwedPush, until: Date) => (await claimPushes(db, [push], NOON, until))[0];
  /** A push that a worker has claimed for a minute. */
  const claimed = async (note = newNote()) => {
    await remind(newId(), -5, note);
    return required(await claim(required(await readOwed(note.id)), minutesFromNoon(1)));
  };
  const sentTo = (push: OwedPush, endpointHash: string) =>
    recordPushesSent(db, [{ push, endpointHash, isLast: false }]);

  it("is found at its moment, not before, the longest waiting first", async () => {
    const owner = newId();
    const late = await remind(owner, -5);
    const later = await remind(owner, -600);
    const future = await remind(owner, 1);

    const ids = listIds(await listDuePushes(db, NOON, 500));

    expect(ids.indexOf(later.note_id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(later.note_id)).toBeLessThan(ids.indexOf(late.note_id));
    expect(ids).not.toContain(future.note_id);
    expect(required(await findNextPush(db)).push_at.getTime()).toBeLessThanOrEqual(later.remind_at.getTime());
  });

  it("is claimed by one of many workers, and comes back when the claim runs out", async () => {
    const { note_id } = await remind(newId(), -5);
    const owed = required(await readOwed(note_id));
    const until = minutesFromNoon(1);

    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(owed, until)));

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await readOwed(note_id)).toBeUndefined();
    expect(await readOwed(note_id, until)).toMatchObject({ push_at: until });
  });

  it("is settled for the moment that was sent, and only for it", async () => {
    const owner = newId();
    const note = newNote();
    await remind(owner, -5, note);
    const mine = await claim(required(await readOwed(note.id)), minutesFromNoon(1));
    await sentTo(required(mine), "device-1");

    await snoozeReminder(db, owner, note.id, minutesFromNoon(10), NOON);

    expect(await completePush(db, required(mine))).toBe(false);
    await recordPushesSent(db, [{ push: required(mine), endpointHash: "device-2", isLast: true }]);
    expect(await arePushesStillClaimed(db, [required(mine)])).toEqual([false]);
    expect(await postponePush(db, required(mine), minutesFromNoon(99), 1)).toBe(false);
    const again = required(await readOwed(note.id, minutesFromNoon(10)));
    expect(again).toMatchObject({ push_attempts: 0, push_sent_to: [] });
    expect(await completePush(db, again)).toBe(true);
    expect(await readOwed(note.id, minutesFromNoon(10))).toBeUndefined();
  });

  it("is settled together with its last send", async () => {
    const mine = await claimed();
    expect(await arePushesStillClaimed(db, [mine])).toEqual([true]);

    await recordPushesSent(db, [{ push: mine, endpointHash: "device-1", isLast: true }]);

    expect(await arePushesStillClaimed(db, [mine])).toEqual([false]);
    expect(await readOwed(mine.note_id, minutesFromNoon(99))).toBeUndefined();
  });

  it("is claimed among many by one worker each, also until the same moment", async () => {
    const owed = await Promise.all(
      Array.from({ length: 20 }, async () => required(await readOwed((await remind(newId(), -5)).note_id))),
    );
    const until = minutesFromNoon(1);

    const claims = await Promise.all([0, 1, 2].map(() => claimPushes(db, owed, NOON, until)));

    const ids = listIds(claims.flat());
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it("is tried again later by the worker that holds it", async () => {
    const mine = await claimed();
    await sentTo(mine, "device-1");

    expect(await postponePush(db, mine, minutesFromNoon(3), 1)).toBe(true);

    expect(await readOwed(mine.note_id, minutesFromNoon(2))).toBeUndefined();
    const again = await readOwed(mine.note_id, minutesFromNoon(3));
    expect(again).toMatchObject({ push_attempts: 1, push_sent_to: ["device-1"] });
  });

  it("is owed no longer once the reminder is done or out of sight", async () => {
    const owner = newId();
    const file_id = newId();
    const done = await remind(owner, -5);
    const trashed = await remind(owner, -5, newNote(file_id));
    const owed = required(await readOwed(trashed.note_id));

    await acknowledgeReminder(db, owner, done.note_id, null, NOON);
    await hideReminders(db, [new ObjectId(file_id)], minutesFromNoon(99));

    expect(await readOwed(done.note_id)).toBeUndefined();
    expect(await claim(owed, minutesFromNoon(1))).toBeUndefined();
  });
});
