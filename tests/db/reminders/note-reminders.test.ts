import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { NoteRecord } from "#db/notes/notes.server.ts";
import {
  attachNotes,
  countDueReminders,
  readReminderSummary,
  repairReminders,
  setNoteReminder,
} from "#db/reminders/note-reminders.server.ts";
import { removeNote, restoreNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { findReminder, listDueReminders, setReminder } from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";

const { db, given } = await openTestStore();
const SOON = afterNoon(60_000);

describe("a note and its reminder", () => {
  it("go together", async () => {
    const note = await given.note("50");
    await setNoteReminder(db, "50", note.id, SOON, NOON);
    expect(await findReminder(db, "50", note.id)).not.toBeNull();

    await removeNote(db, "50", note.id, NOON);

    expect(await findReminder(db, "50", note.id)).toBeNull();
  });

  it("leave nothing behind when one is set while the other is deleted", async () => {
    for (let round = 0; round < 15; round += 1) {
      const note = await given.note("51");

      const [set] = await Promise.all([
        setNoteReminder(db, "51", note.id, SOON, NOON),
        removeNote(db, "51", note.id, NOON),
      ]);

      expect(await findReminder(db, "51", note.id), isRefusal(set) ? set.refused : "set").toBeNull();
    }
  });

  it("are told together, in the order of the reminders, and one without its note is forgotten", async () => {
    const notes = [];
    for (const ms of [-1, -2, -3]) {
      const note = await given.note("52");
      await setReminder(db, "52", note, afterNoon(ms), NOON);
      notes.push(note);
    }
    const [late, later, gone] = notes as [NoteRecord, NoteRecord, NoteRecord];
    await db.notes.deleteOne({ _id: new ObjectId(gone.id) });

    const shown = await attachNotes(db, "52", await listDueReminders(db, "52", NOON, 9));

    expect(shown.map(({ note }) => note.id)).toEqual([later.id, late.id]);
    expect(await findReminder(db, "52", gone.id)).toBeNull();
  });
});

describe("reminders of notes that are there", () => {
  const minutes = (count: number) => afterNoon(count * 60_000);

  it("are looked at to the last one, however many of notes that are gone come first", async () => {
    const note = await given.note("59");
    await setReminder(db, "59", note, minutes(-1), NOON);
    const reminder = required(await db.reminders.findOne({ user_id: "59" }));
    const older = Array.from({ length: 120 }, (_, i) => ({
      ...reminder,
      _id: new ObjectId(),
      remind_at: minutes(-2 - i),
    }));
    await db.reminders.insertMany(older);

    expect(await countDueReminders(db, "59", NOON)).toBe(1);
    await db.reminders.deleteMany({ user_id: "59" });
  });
});

describe("a deletion that was cut off between note and reminder", () => {
  /** The state after a process died between deleting a note and its reminder. */
  async function givenCutOff(owner: string) {
    const [kept, gone] = [await given.note(owner), await given.note(owner)];
    for (const note of [kept, gone]) await setReminder(db, owner, note, afterNoon(-1), NOON);
    expect(await countDueReminders(db, owner, NOON)).toBe(2);
    const remaining = required(await db.reminders.findOne({ _id: new ObjectId(gone.id) }));
    await removeNote(db, owner, gone.id, NOON);
    await db.reminders.insertOne(remaining);
    return { kept, gone };
  }

  it("rings no bell and is in no list", async () => {
    const { kept } = await givenCutOff("61");

    expect(await countDueReminders(db, "61", NOON)).toBe(1);
    expect(await readReminderSummary(db, "61", NOON)).toMatchObject({ count_due: 1 });
    const shown = await attachNotes(db, "61", await listDueReminders(db, "61", NOON, 9));
    expect(shown.map(({ note }) => note.id)).toEqual([kept.id]);
  });

  it("is finished by the sweep once it is old enough, and nothing else is taken", async () => {
    const { kept, gone } = await givenCutOff("62");

    expect(await repairReminders(db, null, afterNoon(HOUR_MS))).toMatchObject({ removed: 0, next: null });
    expect(await repairReminders(db, null, afterNoon(HOUR_MS + 1))).toMatchObject({ removed: 1, next: null });

    expect(await findReminder(db, "62", gone.id)).toBeNull();
    expect(await findReminder(db, "62", kept.id)).not.toBeNull();
  });

  it("and taken back keeps the reminder; a taking back that is refused leaves none", async () => {
    const note = await given.note("63", { title: "one of its name" });
    await setReminder(db, "63", note, SOON, NOON);
    await removeNote(db, "63", note.id, NOON);
    await restoreNote(db, "63", note.id, { maxPerUser: 1000 }, NOON);
    expect(await findReminder(db, "63", note.id)).toMatchObject({ remind_at: SOON, status: "pending" });

    await removeNote(db, "63", note.id, NOON);
    await given.note("63");
    expect(await restoreNote(db, "63", note.id, { maxPerUser: 1 }, NOON)).toMatchObject({
      refused: "note_quota_exceeded",
    });
    expect(await findReminder(db, "63", note.id)).toBeNull();
  });
});
