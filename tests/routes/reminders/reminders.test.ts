import { describe, expect, it } from "vitest";
import { findReminder } from "#db/reminders/reminders.server.ts";
import { REMINDER_PRESETS } from "#domain/reminders/reminder-time.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db, given } = web;
const NOTE = "/api/sticky-notes/note";
const SUMMARY = "/api/sticky-notes/reminders/summary";
const LIST = "/api/sticky-notes/reminders/list";
const ACK = "/api/sticky-notes/reminders/ack";

const minutesFromNoon = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE_MS);
const remind = (owner: string, minutes: number, content = "one two three") =>
  given.reminder(owner, minutesFromNoon(minutes), { content });
const refusal = (status: number, error: string, more: object = {}) => ({
  status,
  body: { ok: false, error, code: expect.stringMatching(/^[a-z_]+$/), ...more },
});

describe("the summary", () => {
  it.each([
    ["a badge and one nearer than five minutes: the nearer", [-1, 2, 90], 1, 120],
    ["the very moment is due, and the badge asks again in five minutes", [0], 1, 300],
  ])("%s", async (_, minutes, count_due, next_in_seconds) => {
    const dana = await web.person();
    for (const minute of minutes) await remind(dana.id, minute);

    const summary = { ok: true, has_due: count_due > 0, count_due, next_in_seconds };
    expect(await dana.send("GET", SUMMARY)).toMatchObject({ status: 200, body: summary });
  });

  it("rounds up, and counts nobody else's reminders and none that is done", async () => {
    const dana = await web.person();
    await remind("somebody else", -5);
    const { note_id } = await remind(dana.id, -5);
    await remind(dana.id, 0.0033);
    await dana.send("POST", ACK, { note_id });

    const summary = { ok: true, has_due: false, count_due: 0, next_in_seconds: 1 };
    expect((await dana.send("GET", SUMMARY)).body).toEqual(summary);
  });
});

describe("the list", () => {
  it("has the due ones, oldest first, with six words and the time they fired at", async () => {
    const dana = await web.person();
    await remind(dana.id, 5, "not yet");
    const second = await remind(dana.id, -5, "one two three four five six seven");
    const first = await remind(dana.id, -50, "שלום עולם");

    expect((await dana.send("GET", LIST)).body).toEqual({
      ok: true,
      count: 2,
      items: [
        {
          note_id: first.note_id,
          file_id: null,
          board_id: null,
          repo_name: "dana/tools",
          repo_path: expect.stringMatching(/\.py$/),
          preview: "שלום עולם",
          anchor_id: null,
          anchor_text: null,
          remind_at: "2037-11-14T11:10:00.000+00:00",
        },
        expect.objectContaining({ note_id: second.note_id, preview: "one two three four five six…" }),
      ],
    });
  });

  it("is as long as asked for, within its limits", async () => {
    const dana = await web.person();
    for (let n = 1; n <= 22; n += 1) await remind(dana.id, -n);
    const readCount = async (query: string) => (await dana.send("GET", LIST + query)).body.count;
    const counts = await Promise.all(
      ["", "?limit=", "?limit=7", "?limit=1000000000000", "?limit=0", "?limit=-5"].map(readCount),
    );
    expect(counts).toEqual([20, 20, 7, 22, 1, 1]);
  });
});

describe("acknowledging", () => {
  it("without a moment closes the reminder of the note, once", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, -5);

    expect(await dana.send("POST", ACK, { note_id })).toMatchObject({ status: 200, body: { ok: true } });
    expect(await findReminder(db, dana.id, note_id)).toMatchObject({ status: "acknowledged", ack_at: NOON });
    expect(await dana.send("POST", ACK, { note_id })).toMatchObject(refusal(404, "Reminder not found"));
  });

  it("with a moment closes the reminder that carries it, whatever the offset, and no other", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, -5);
    const late = { note_id, remind_at: "2037-11-14T11:55:00.001+00:00" };

    expect(await dana.send("POST", ACK, late)).toMatchObject(refusal(404, "Reminder not found"));
    expect(await findReminder(db, dana.id, note_id)).toMatchObject({ status: "pending", ack_at: null });
    const same = { note_id, remind_at: "2037-11-14T13:55:00+02:00" };
    expect(await dana.send("POST", ACK, same)).toMatchObject({ status: 200 });
  });

  it("with an invalid time, or an absent note, is refused before anything is written", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, -5);
    for (const remind_at of [null, "yesterday"]) {
      const refused = await dana.send("POST", ACK, { note_id, remind_at });
      expect(refused).toMatchObject(refusal(400, "invalid_remind_at"));
    }
    for (const absent of [ABSENT_ID, "x"]) {
      const refused = await dana.send("POST", ACK, { note_id: absent });
      expect(refused).toMatchObject(refusal(404, "Reminder not found"));
    }
    expect(await findReminder(db, dana.id, note_id)).toMatchObject({ status: "pending" });
  });
});

describe("setting", () => {
  const set = (visitor: Visitor, noteId: string, body: unknown) =>
    visitor.send("POST", `${NOTE}/${noteId}/reminder`, body);

  it.each([
    [{ preset: "tomorrow-09", tz: "America/New_York" }, null, "2037-11-15T14:00:00.000+00:00"],
    [{ at: "2037-12-01T09:00" }, "Asia/Jerusalem", "2037-12-01T07:00:00.000+00:00"],
  ])(
    "%j, with the person's time zone %s, answers with the moment in UTC",
    async (body, timezone, remind_at) => {
      const dana = await web.person();
      await db.users.updateOne({ _id: dana.id }, { $set: { timezone } });
      const { id } = await given.note(dana.id);

      expect(await set(dana, id, body)).toMatchObject({ status: 200, body: { ok: true, remind_at } });
      expect(await findReminder(db, dana.id, id)).toMatchObject({ remind_at: new Date(remind_at) });
    },
  );

  it("is refused without a good time, and sets nothing", async () => {
    const dana = await web.person();
    const { id } = await given.note(dana.id);
    for (const [body, error, more] of [
      [{ preset: "2h" }, "invalid_preset", { allowed: REMINDER_PRESETS }],
      [{ at: "2037-11-14T11:59" }, "Time must be in the future", {}],
    ] as const)
      expect(await set(dana, id, body), JSON.stringify(body)).toMatchObject(refusal(400, error, more));
    expect(await findReminder(db, dana.id, id)).toBeNull();
  });

  it("is read back by GET and taken away by DELETE, and needs a note that is there", async () => {
    const dana = await web.person();
    const note = await given.note(dana.id, { content: "call the bank" });
    const path = `${NOTE}/${note.id}/reminder`;
    expect((await dana.send("GET", path)).body).toEqual({ ok: true, reminder: null });
    await set(dana, note.id, { preset: "1h" });

    expect((await dana.send("GET", path)).body.reminder).toMatchObject({
      note_id: note.id,
      status: "pending",
      ack_at: null,
      preview: "call the bank",
      remind_at: "2037-11-14T13:00:00.000+00:00",
    });
    expect((await dana.send("DELETE", path)).body).toEqual({ ok: true });
    expect((await dana.send("GET", path)).body).toEqual({ ok: true, reminder: null });
    await db.notes.updateOne({ user_id: dana.id }, { $set: { deleted_at: NOON } });
    for (const id of [ABSENT_ID, note.id])
      expect(await set(dana, id, { preset: "1h" })).toMatchObject(refusal(404, "Note not found"));
  });
});

describe("the form of a reminder", () => {
  const ask = async (dana: Visitor, note_id: string, date: string, tz: string) => {
    const form = { intent: "at", note_id, at: date, tz, next: `/reminders/${note_id}` };
    const answer = await dana.press("/reminders", form);
    return await dana.read(answer.location ?? "");
  };

  it("lets the server decide which times are past, and shows its message", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, 60);
    const { html } = await dana.show(`/reminders/${note_id}`);
    expect(html).toMatch(/<input[^>]*type="datetime-local"(?![^>]*min=)/);
    expect(await ask(dana, note_id, "2037-11-14T11:59", "UTC")).toContain("Choose a time in the future.");
  });

  it("gives back a time zone that is wrong, however long it is", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, 60);
    const tz = `Asia/${"Jerusalem".repeat(20)}`;

    const html = await ask(dana, note_id, "2037-12-01T09:00", tz);

    expect(html).toContain("Unknown time zone. For example, Asia/Jerusalem.");
    expect(html).toMatch(new RegExp(`<input[^>]*name="tz"[^>]*value="${tz}"`));
    expect(html).toMatch(/<input[^>]*name="at"[^>]*value="2037-12-01T09:00"/);
  });
});

describe("a reminder on a file", () => {
  const countNotes = (user_id: string) => db.notes.countDocuments({ user_id, deleted_at: null });
  const findNoteId = async (user_id: string) =>
    (await db.notes.findOne({ user_id }))?._id.toHexString() ?? "";
  const setOn = async (dana: Visitor) => {
    const { id: file } = await given.file(dana.id, "reminded.py");
    await dana.submit("/reminders", { intent: "set:1h", file });
    return findNoteId(dana.id);
  };

  it("makes its note when it is set, not when its form is opened or its time refused", async () => {
    const dana = await web.person();
    const { id: file } = await given.file(dana.id, "reminded.py");
    expect(await dana.read(`/file/${file}/reminder`)).toContain("reminded.py");
    const past = { intent: "at", file, at: "2037-11-14T11:59", tz: "UTC", next: "/files" };
    const refused = await dana.press("/reminders", past);
    expect(refused.location).toMatch(new RegExp(`^/file/${file}/reminder\\?at=`));
    expect(await countNotes(dana.id)).toBe(0);

    for (const preset of ["1h", "3h"]) await dana.submit("/reminders", { intent: `set:${preset}`, file });

    const note = await db.notes.findOne({ user_id: dana.id });
    const noteId = await findNoteId(dana.id);
    expect([note?.content, await countNotes(dana.id)]).toEqual(["reminded.py", 1]);
    expect(await findReminder(db, dana.id, noteId)).toMatchObject({ remind_at: minutesFromNoon(180) });
    expect((await dana.show(`/file/${file}/reminder`)).location).toContain(`/reminders/${noteId}`);
  });

  it("removes its note with it, and Undo restores both, any number of times", async () => {
    const dana = await web.person();
    const note_id = await setOn(dana);
    for (const next of ["/files", `/note/${note_id}`]) {
      const answer = await dana.press("/reminders", { intent: "remove", note_id, next });
      expect(answer.location).toBe(next === "/files" ? next : "/reminders");
      const { html } = await dana.show("/files");
      expect(html).toContain("Reminder removed");
      expect(html).toContain(`action="/note/${note_id}"`);
      expect([await countNotes(dana.id), await findReminder(db, dana.id, note_id)]).toEqual([0, null]);

      await dana.submit(`/note/${note_id}`, { intent: "undo", next: "/files" });
      expect(await countNotes(dana.id)).toBe(1);
      expect(await findReminder(db, dana.id, note_id)).toMatchObject({ remind_at: minutesFromNoon(60) });
    }
  });

  it("offers to undo a new time: the previous one returns, or the reminder goes with its note", async () => {
    const dana = await web.person();
    const note_id = await setOn(dana);
    const readOffer = async () => {
      const { html } = await dana.show("/files");
      const notices = /<div class="notice[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
      const [, intent = ""] = /name="intent" value="(\w+)"/.exec(notices) ?? [];
      const [, remind_at] = /name="remind_at" value="([^"]+)"/.exec(notices) ?? [];
      return { intent, ...(remind_at && { remind_at }) };
    };
    const first = await readOffer();
    expect(first).toEqual({ intent: "remove" });

    for (const intent of ["set:3h", "snooze:90"]) {
      await dana.submit("/reminders", { intent, note_id });
      const offer = await readOffer();
      expect(offer.intent).toBe("back");
      await dana.submit("/reminders", { ...offer, note_id });
      expect(await findReminder(db, dana.id, note_id)).toMatchObject({ remind_at: minutesFromNoon(60) });
      expect(await readOffer()).toEqual({ intent: "" });
    }

    await dana.submit("/reminders", { ...first, note_id });
    expect([await countNotes(dana.id), await findReminder(db, dana.id, note_id)]).toEqual([0, null]);
  });

  it("keeps a note that was changed, and one that was written separately", async () => {
    const dana = await web.person();
    const changed = await setOn(dana);
    expect((await dana.send("PUT", `${NOTE}/${changed}`, { color: "pink" })).status).toBe(200);
    const written = await remind(dana.id, 30);
    for (const note_id of [changed, written.note_id]) {
      await dana.submit("/reminders", { intent: "remove", note_id, next: "/files" });
      const { html } = await dana.show("/files");
      expect(html).toContain("Reminder removed");
      expect(html).not.toContain(`action="/note/${note_id}"`);
      expect(await findReminder(db, dana.id, note_id)).toBeNull();
    }
    expect(await countNotes(dana.id)).toBe(2);
  });

  it("of somebody else is refused and makes no note", async () => {
    const [dana, stranger] = [await web.person(), await web.person()];
    const { id: file } = await given.file(dana.id, "reminded.py");
    const answer = await stranger.press("/reminders", { intent: "set:1h", file, next: "/files" });
    const { html } = await stranger.show(answer.location ?? "");
    expect(html).toContain("or isn’t yours.");
    expect((await countNotes(stranger.id)) + (await countNotes(dana.id))).toBe(0);
  });
});

describe("snoozing", () => {
  const snooze = (dana: Visitor, noteId: string, body?: unknown) =>
    dana.send("POST", `${NOTE}/${noteId}/snooze`, body);

  it.each([
    [{ minutes: 1440 }, "2037-11-15T12:00:00.000+00:00"],
    [undefined, "2037-11-14T13:00:00.000+00:00"],
  ])("by %j counts from now", async (body, remind_at) => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, -500);

    expect(await snooze(dana, note_id, body)).toMatchObject({ status: 200, body: { ok: true, remind_at } });
    expect(await findReminder(db, dana.id, note_id)).toMatchObject({ status: "pending", ack_at: null });
  });

  it("refuses an invalid number of minutes, and needs a reminder", async () => {
    const dana = await web.person();
    const { note_id } = await remind(dana.id, -5);
    for (const minutes of [0, 1441, "10"])
      expect(await snooze(dana, note_id, { minutes })).toMatchObject(refusal(400, "Invalid minutes"));
    expect(await findReminder(db, dana.id, note_id)).toMatchObject({ remind_at: minutesFromNoon(-5) });
    const bare = await given.note(dana.id);
    for (const id of [bare.id, ABSENT_ID, "x"])
      expect(await snooze(dana, id)).toMatchObject(refusal(404, "Reminder not found"));
  });
});
