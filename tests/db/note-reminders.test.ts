import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { remindOfNote, withNotes } from "#db/note-reminders.server.ts";
import { removeNote } from "#db/notes.server.ts";
import { findReminder, listDueReminders, setReminder } from "#db/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { givenNote } from "#tests/support/given-notes.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
const SOON = new Date(NOON.getTime() + 60_000);

describe("a note and its reminder", () => {
  it("go together", async () => {
    const note = await givenNote(db, "50");
    await remindOfNote(db, "50", note.id, SOON, NOON);
    expect(await findReminder(db, "50", note.id)).not.toBeNull();

    await removeNote(db, "50", note.id, NOON);

    expect(await findReminder(db, "50", note.id)).toBeNull();
  });

  it("leave nothing behind when one is set while the other is deleted", async () => {
    for (let round = 0; round < 15; round += 1) {
      const note = await givenNote(db, "51");

      const [set] = await Promise.all([
        remindOfNote(db, "51", note.id, SOON, NOON),
        removeNote(db, "51", note.id, NOON),
      ]);

      expect(await findReminder(db, "51", note.id), isRefusal(set) ? set.refused : "set").toBeNull();
    }
  });

  it("are told together, in the order of the reminders, and one without its note is forgotten", async () => {
    const [late, later, gone] = [
      await givenNote(db, "52"),
      await givenNote(db, "52"),
      await givenNote(db, "52"),
    ];
    await setReminder(db, "52", late, new Date(NOON.getTime() - 1), NOON);
    await setReminder(db, "52", later, new Date(NOON.getTime() - 2), NOON);
    await setReminder(db, "52", gone, new Date(NOON.getTime() - 3), NOON);
    await db.notes.deleteOne({ _id: new ObjectId(gone.id) });

    const told = await withNotes(db, "52", await listDueReminders(db, "52", NOON, 9));

    expect(told.map(({ note }) => note.id)).toEqual([later.id, late.id]);
    expect(await findReminder(db, "52", gone.id)).toBeNull();
  });

  it("of somebody else are not told", async () => {
    const note = await givenNote(db, "53");
    const reminder = await setReminder(db, "53", note, NOON, NOON);

    expect(await withNotes(db, "54", [reminder])).toEqual([]);
    expect(await findReminder(db, "53", note.id)).not.toBeNull();
  });
});
