import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import {
  arePushesOwed,
  claimPushes,
  findNextPush,
  listOwedPushes,
  type OwedPush,
  postponePush,
  recordPushesSent,
  settlePush,
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
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();
const minutesFromNoon = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE_MS);

const somebody = () => new ObjectId().toHexString();
const aNote = (file_id: string | null = null) => ({ id: new ObjectId().toHexString(), file_id });
const aFileId = () => new ObjectId().toHexString();

/** A reminder that long before (or after) noon. */
async function given(owner: string, minutes: number, note = aNote()): Promise<Reminder> {
  return setReminder(db, owner, note, minutesFromNoon(minutes), NOON);
}

describe("the record of a note's reminder", () => {
  it("is made by setting it: pending, not acknowledged", async () => {
    const owner = somebody();
    const note = aNote(aFileId());

    const reminder = await given(owner, 60, note);

    expect(reminder).toEqual({
      note_id: note.id,
      user_id: owner,
      file_id: note.file_id,
      remind_at: minutesFromNoon(60),
      status: "pending",
      ack_at: null,
      changed_at: NOON,
    });
    expect(await findReminder(db, owner, note.id)).toEqual(reminder);
  });

  it("is one, however often and at once it is set", async () => {
    const owner = somebody();
    const note = aNote();

    await Promise.all(Array.from({ length: 20 }, (_, i) => given(owner, i + 1, note)));

    expect(await db.reminders.countDocuments({ user_id: owner })).toBe(1);
  });

  it("is nobody else's to find, snooze, close or remove", async () => {
    const owner = somebody();
    const stranger = somebody();
    const { note_id } = await given(owner, -5);

    expect(await findReminder(db, stranger, note_id)).toBeNull();
    expect(await snoozeReminder(db, stranger, note_id, minutesFromNoon(9), NOON)).toMatchObject({
      refused: "reminder_not_found",
    });
    expect(await acknowledgeReminder(db, stranger, note_id, null, NOON)).toMatchObject({
      refused: "reminder_not_found",
    });
    expect(await removeReminders(db, stranger, [note_id])).toBe(0);

    expect(await findReminder(db, owner, note_id)).toMatchObject({ status: "pending" });
  });

  it("cannot be set by somebody else under the same note", async () => {
    const { note_id } = await given(somebody(), -5);

    await expect(given(somebody(), 5, { id: note_id, file_id: null })).rejects.toMatchObject({ code: 11000 });
  });

  it("is pending again when it is set or snoozed after it was done", async () => {
    const owner = somebody();
    const note = aNote();
    for (const again of [
      () => given(owner, 30, note),
      async () => orThrow(await snoozeReminder(db, owner, note.id, minutesFromNoon(40), NOON)),
    ]) {
      await given(owner, -5, note);
      orThrow(await acknowledgeReminder(db, owner, note.id, null, NOON));

      expect(await again()).toMatchObject({ status: "pending", ack_at: null });
    }
  });

  it("is not made by snoozing", async () => {
    const owner = somebody();

    expect(await snoozeReminder(db, owner, aNote().id, minutesFromNoon(9), NOON)).toMatchObject({
      refused: "reminder_not_found",
    });
    expect(await snoozeReminder(db, owner, "no id at all", minutesFromNoon(9), NOON)).toMatchObject({
      refused: "reminder_not_found",
    });
    expect(await db.reminders.countDocuments({ user_id: owner })).toBe(0);
  });
});

describe("acknowledging", () => {
  it("writes the status and the moment together", async () => {
    const owner = somebody();
    const { note_id } = await given(owner, -5);

    const done = orThrow(await acknowledgeReminder(db, owner, note_id, null, NOON));

    expect(done).toMatchObject({ status: "acknowledged", ack_at: NOON });
  });

  it("bound to the moment it still carries closes it", async () => {
    const owner = somebody();
    const { note_id, remind_at } = await given(owner, -5);

    expect(orThrow(await acknowledgeReminder(db, owner, note_id, remind_at, NOON)).status).toBe(
      "acknowledged",
    );
  });

  it("bound to another moment, by one millisecond, leaves it pending", async () => {
    const owner = somebody();
    const { note_id, remind_at } = await given(owner, -5);

    const answer = await acknowledgeReminder(db, owner, note_id, new Date(remind_at.getTime() + 1), NOON);

    expect(answer).toMatchObject({ refused: "reminder_not_found" });
    expect(await findReminder(db, owner, note_id)).toMatchObject({ status: "pending", ack_at: null });
  });

  it("twice is refused, and so is a second of two at once", async () => {
    const owner = somebody();
    const { note_id } = await given(owner, -5);

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => acknowledgeReminder(db, owner, note_id, null, NOON)),
    );

    expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1);
  });

  it("against a snooze at the same time closes the old moment or nothing", async () => {
    const owner = somebody();
    for (let round = 0; round < 10; round += 1) {
      const { note_id, remind_at } = await given(owner, -5);

      await Promise.all([
        acknowledgeReminder(db, owner, note_id, remind_at, NOON),
        snoozeReminder(db, owner, note_id, minutesFromNoon(10), NOON),
      ]);

      expect(await findReminder(db, owner, note_id)).toMatchObject({
        status: "pending",
        ack_at: null,
        remind_at: minutesFromNoon(10),
      });
    }
  });
});

describe("the lists", () => {
  it("tell what is due, oldest first, and the moment itself counts", async () => {
    const owner = somebody();
    const late = await given(owner, -5);
    const later = await given(owner, -60);
    const now = await given(owner, 0);
    await given(owner, 1);
    await given(somebody(), -5);

    const due = await listDueReminders(db, owner, NOON, 20);

    expect(due.map(({ note_id }) => note_id)).toEqual([later.note_id, late.note_id, now.note_id]);
    expect(await listDueReminders(db, owner, NOON, 2)).toEqual(due.slice(0, 2));
    const ids = (await listDueNoteIds(db, owner, NOON)).map((id) => id.toHexString());
    expect(ids.toSorted()).toEqual(due.map(({ note_id }) => note_id).toSorted());
  });

  it("tell what is to come, soonest first, and what was done lately, last first", async () => {
    const owner = somebody();
    const far = await given(owner, 90);
    const near = await given(owner, 2);
    const first = await given(owner, -9);
    const second = await given(owner, -8);
    const long = await given(owner, -7);
    await acknowledgeReminder(db, owner, long.note_id, null, minutesFromNoon(-6000));
    await acknowledgeReminder(db, owner, first.note_id, null, minutesFromNoon(-3));
    await acknowledgeReminder(db, owner, second.note_id, null, minutesFromNoon(-2));

    const idsOf = (reminders: Reminder[]) => reminders.map(({ note_id }) => note_id);
    expect(idsOf(await listUpcomingReminders(db, owner, NOON, 20))).toEqual([near.note_id, far.note_id]);
    expect(idsOf(await listDoneReminders(db, owner, minutesFromNoon(-60), 20))).toEqual([
      second.note_id,
      first.note_id,
    ]);
  });

  it("find those of several notes, and forget those that were removed", async () => {
    const owner = somebody();
    const [one, two] = [await given(owner, 1), await given(owner, 2)];

    const found = await findNoteReminders(db, owner, [one.note_id, two.note_id, aNote().id]);
    expect([...found.keys()].sort()).toEqual([one.note_id, two.note_id].sort());

    expect(await removeReminders(db, owner, [one.note_id, "no id"])).toBe(1);
    expect(await findReminder(db, owner, one.note_id)).toBeNull();
    expect(await findReminder(db, owner, two.note_id)).not.toBeNull();
  });
});

describe("a file in the trash", () => {
  it("hides its reminders from every list, and gives them back as they were", async () => {
    const owner = somebody();
    const file_id = aFileId();
    const hidden = await given(owner, -5, aNote(file_id));
    const other = await given(owner, -4, aNote(aFileId()));
    const expiry = minutesFromNoon(30 * 24 * 60);

    await hideReminders(db, [new ObjectId(file_id)], expiry);

    expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
    expect((await listDueReminders(db, owner, NOON, 9)).map(({ note_id }) => note_id)).toEqual([
      other.note_id,
    ]);
    expect(await listDueNoteIds(db, owner, NOON)).toHaveLength(1);
    expect(await acknowledgeReminder(db, owner, hidden.note_id, null, NOON)).toMatchObject({
      refused: "reminder_not_found",
    });
    await revealReminders(db, [new ObjectId(file_id)], minutesFromNoon(7));
    expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
    await revealReminders(db, [new ObjectId(file_id)], expiry);
    expect(await findReminder(db, owner, hidden.note_id)).toEqual(hidden);
    await removeRemindersOfFile(db, new ObjectId(file_id));
    expect(await findReminder(db, owner, hidden.note_id)).toBeNull();
    expect(await findReminder(db, owner, other.note_id)).not.toBeNull();
  });
});

describe("a push that is owed", () => {
  const owedOf = async (note_id: string, now = NOON) =>
    (await listOwedPushes(db, now, 500)).find((push) => push.note_id === note_id);

  const claim = async (push: OwedPush, until: Date) => (await claimPushes(db, [push], NOON, until))[0];
  const sentTo = (push: OwedPush, endpointHash: string) =>
    recordPushesSent(db, [{ push, endpointHash, isLast: false }]);

  it("is found at its moment, not before, the longest waiting first", async () => {
    const owner = somebody();
    const late = await given(owner, -5);
    const later = await given(owner, -600);
    const future = await given(owner, 1);

    const ids = (await listOwedPushes(db, NOON, 500)).map(({ note_id }) => note_id);

    expect(ids.indexOf(later.note_id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(later.note_id)).toBeLessThan(ids.indexOf(late.note_id));
    expect(ids).not.toContain(future.note_id);
    expect(required(await findNextPush(db)).push_at.getTime()).toBeLessThanOrEqual(later.remind_at.getTime());
  });

  it("is claimed by one of many workers, and comes back when the claim runs out", async () => {
    const { note_id } = await given(somebody(), -5);
    const owed = required(await owedOf(note_id));
    const until = minutesFromNoon(1);

    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(owed, until)));

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await owedOf(note_id)).toBeUndefined();
    expect(await owedOf(note_id, until)).toMatchObject({ push_at: until });
  });

  it("is settled for the moment that was sent, and only for it", async () => {
    const owner = somebody();
    const note = aNote();
    await given(owner, -5, note);
    const mine = await claim(required(await owedOf(note.id)), minutesFromNoon(1));
    await sentTo(required(mine), "device-1");

    await snoozeReminder(db, owner, note.id, minutesFromNoon(10), NOON);

    expect(await settlePush(db, required(mine))).toBe(false);
    await recordPushesSent(db, [{ push: required(mine), endpointHash: "device-2", isLast: true }]);
    expect(await arePushesOwed(db, [required(mine)])).toEqual([false]);
    expect(await postponePush(db, required(mine), minutesFromNoon(99), 1)).toBe(false);
    const again = required(await owedOf(note.id, minutesFromNoon(10)));
    expect(again).toMatchObject({ push_attempts: 0, push_sent_to: [] });
    expect(await settlePush(db, again)).toBe(true);
    expect(await owedOf(note.id, minutesFromNoon(10))).toBeUndefined();
  });

  it("is settled together with its last send", async () => {
    const { note_id } = await given(somebody(), -5);
    const mine = await claim(required(await owedOf(note_id)), minutesFromNoon(1));
    expect(await arePushesOwed(db, [required(mine)])).toEqual([true]);

    await recordPushesSent(db, [{ push: required(mine), endpointHash: "device-1", isLast: true }]);

    expect(await arePushesOwed(db, [required(mine)])).toEqual([false]);
    expect(await owedOf(note_id, minutesFromNoon(99))).toBeUndefined();
  });

  it("is claimed among many by one worker each, also until the same moment", async () => {
    const owed = await Promise.all(
      Array.from({ length: 20 }, async () => required(await owedOf((await given(somebody(), -5)).note_id))),
    );
    const until = minutesFromNoon(1);

    const claims = await Promise.all([0, 1, 2].map(() => claimPushes(db, owed, NOON, until)));

    const ids = claims.flat().map(({ note_id }) => note_id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it("is tried again later by the worker that holds it", async () => {
    const { note_id } = await given(somebody(), -5);
    const mine = await claim(required(await owedOf(note_id)), minutesFromNoon(1));
    await sentTo(required(mine), "device-1");

    expect(await postponePush(db, required(mine), minutesFromNoon(3), 1)).toBe(true);

    expect(await owedOf(note_id, minutesFromNoon(2))).toBeUndefined();
    expect(await owedOf(note_id, minutesFromNoon(3))).toMatchObject({
      push_attempts: 1,
      push_sent_to: ["device-1"],
    });
  });

  it("is owed no longer once the reminder is done or out of sight", async () => {
    const owner = somebody();
    const file_id = aFileId();
    const done = await given(owner, -5);
    const trashed = await given(owner, -5, aNote(file_id));
    const owed = required(await owedOf(trashed.note_id));

    await acknowledgeReminder(db, owner, done.note_id, null, NOON);
    await hideReminders(db, [new ObjectId(file_id)], minutesFromNoon(99));

    expect(await owedOf(done.note_id)).toBeUndefined();
    expect(await claim(owed, minutesFromNoon(1))).toBeUndefined();
  });
});

describe("every question goes through an index", () => {
  const visible = { user_id: "somebody", status: "pending" as const, expires_at: null };
  const questions: [name: string, index: string, ask: () => Promise<unknown>][] = [
    [
      "what is due",
      "by_moment",
      () =>
        db.reminders
          .find({ ...visible, remind_at: { $lte: NOON } })
          .sort({ remind_at: 1 })
          .explain(),
    ],
    [
      "what was done",
      "by_ack",
      () =>
        db.reminders
          .find({ ...visible, status: "acknowledged", ack_at: { $gte: NOON } })
          .sort({ ack_at: -1 })
          .explain(),
    ],
    [
      "which pushes are owed",
      "push_owed",
      () =>
        db.reminders
          .find({ push_at: { $gt: new Date(0), $lte: NOON } })
          .sort({ push_at: 1 })
          .explain(),
    ],
    ["what belongs to a file", "by_file", () => db.reminders.find({ file_id: new ObjectId() }).explain()],
  ];

  it.each(questions)("%s: %s", async (_, index, ask) => {
    const plan = JSON.stringify(await ask());

    expect(plan).toContain(`"${index}"`);
    expect(plan).not.toContain("COLLSCAN");
  });
});
