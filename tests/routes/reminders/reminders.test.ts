import { describe, expect, it } from "vitest";
import { findReminder, setReminder } from "#db/reminders/reminders.server.ts";
import { REMINDER_PRESETS } from "#domain/reminders/reminder-time.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { givenNote } from "#tests/support/notes/given-notes.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const ABSENT = "0".repeat(24);
const BASE = "/api/sticky-notes";
const SUMMARY = "/api/sticky-notes/reminders/summary";
const LIST = "/api/sticky-notes/reminders/list";
const ACK = "/api/sticky-notes/reminders/ack";

let people = 700;
async function somebody(): Promise<{ id: string; visitor: Visitor }> {
  people += 1;
  const id = String(people);
  return { id, visitor: await web.visitor().logIn(id) };
}
const minutesFromNoon = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

async function given(ownerId: string, minutes: number, content = "one two three") {
  const note = await givenNote(web.db, ownerId, { content });
  await setReminder(web.db, ownerId, note, minutesFromNoon(minutes), NOON);
  return note;
}
async function read(visitor: Visitor, path: string, init: RequestInit = {}): Promise<[number, unknown]> {
  const response = await visitor.ask(path, init);
  return [response.status, await response.json()];
}
const send = (visitor: Visitor, path: string, body?: unknown) =>
  read(visitor, path, {
    method: "POST",
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
const refusal = (status: number, error: string, more: object = {}) => [
  status,
  expect.objectContaining({ ok: false, error, code: expect.stringMatching(/^[a-z_]+$/), ...more }),
];

describe("rule 1: the summary", () => {
  const rows: [what: string, minutes: number[], due: number, next: number | null][] = [
    ["nothing at all", [], 0, null],
    ["one to come and no badge: its moment", [90], 0, 5400],
    ["a badge and nothing to come: five minutes", [-1], 1, 300],
    ["a badge and one far away: five minutes", [-1, 90], 1, 300],
    ["a badge and one nearer: the nearer", [-1, 2, 90], 1, 120],
    ["the very moment is due", [0], 1, 300],
  ];

  it.each(rows)("%s", async (_, minutes, count_due, next_in_seconds) => {
    const { id, visitor } = await somebody();
    for (const minute of minutes) await given(id, minute);

    expect(await read(visitor, SUMMARY)).toEqual([
      200,
      { ok: true, has_due: count_due > 0, count_due, next_in_seconds },
    ]);
  });

  it("rounds up, and counts nobody else's reminders and none that is done", async () => {
    const { id, visitor } = await somebody();
    const other = await somebody();
    await given(other.id, -5);
    const note = await given(id, -5);
    await given(id, 0.0033);
    await send(visitor, ACK, { note_id: note.id });

    expect(await read(visitor, SUMMARY)).toEqual([
      200,
      { ok: true, has_due: false, count_due: 0, next_in_seconds: 1 },
    ]);
  });
});

describe("rule 2: the list", () => {
  it("has the due ones, oldest first, with six words and the moment they fired at", async () => {
    const { id, visitor } = await somebody();
    await given(id, 5, "not yet");
    const second = await given(id, -5, "one two three four five six seven");
    const first = await given(id, -50, "שלום עולם");

    const [status, body] = await read(visitor, LIST);

    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      count: 2,
      items: [
        {
          note_id: first.id,
          file_id: null,
          board_id: null,
          repo_name: "dana/tools",
          repo_path: "src/main.py",
          preview: "שלום עולם",
          anchor_id: null,
          anchor_text: null,
          remind_at: "2037-11-14T11:10:00.000+00:00",
        },
        expect.objectContaining({ note_id: second.id, preview: "one two three four five six…" }),
      ],
    });
  });

  it("is as long as asked for, within its limits", async () => {
    const { id, visitor } = await somebody();
    for (let n = 0; n < 40; n += 1) {
      const note = await givenNote(web.db, id, {}, target(n));
      await setReminder(web.db, id, note, minutesFromNoon(-1 - n), NOON);
    }
    const countOf = async (query: string) =>
      ((await read(visitor, LIST + query))[1] as { count: number }).count;

    expect(await countOf("")).toBe(20);
    expect(await countOf("?limit=")).toBe(20);
    expect(await countOf("?limit=7")).toBe(7);
    expect(await countOf("?limit=999")).toBe(40);
  });

  it.each(["0", "-1", "ten", "1.5", "1e3", "NaN", "0x10", "[$gt]"])(
    "refuses %s as a limit",
    async (limit) => {
      const { visitor } = await somebody();
      expect(await read(visitor, `${LIST}?limit=${limit}`)).toEqual(
        refusal(400, "invalid_query", { field: "limit" }),
      );
    },
  );

  it("leaves out a note that was deleted behind its back, and forgets its reminder", async () => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);
    await web.db.notes.deleteOne({ user_id: id });

    expect(await read(visitor, LIST)).toEqual([200, { ok: true, count: 0, items: [] }]);
    expect(await findReminder(web.db, id, note.id)).toBeNull();
  });
});

const target = (n: number) => ({ kind: "repo", repo_name: "dana/tools", repo_path: `src/${n}.py` }) as const;

describe("rule 3: acknowledging", () => {
  it("without a moment closes the reminder of the note", async () => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);

    expect(await send(visitor, ACK, { note_id: note.id })).toEqual([200, { ok: true }]);
    expect(await findReminder(web.db, id, note.id)).toMatchObject({ status: "acknowledged", ack_at: NOON });
    expect(await send(visitor, ACK, { note_id: note.id })).toEqual(refusal(404, "Reminder not found"));
  });

  it("with the moment from the list closes it, whatever the offset it is written with", async () => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);
    for (const remind_at of ["2037-11-14T11:55:00.000+00:00", "2037-11-14T13:55:00+02:00"]) {
      await setReminder(web.db, id, note, minutesFromNoon(-5), NOON);
      expect(await send(visitor, ACK, { note_id: note.id, remind_at })).toEqual([200, { ok: true }]);
    }
  });

  it("with a moment that is no longer the stored one is 404, and the reminder stays active", async () => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);
    const remind_at = toTimestamp(new Date(minutesFromNoon(-5).getTime() + 1));

    expect(await send(visitor, ACK, { note_id: note.id, remind_at })).toEqual(
      refusal(404, "Reminder not found"),
    );
    expect(await findReminder(web.db, id, note.id)).toMatchObject({ status: "pending", ack_at: null });
  });

  it.each([null, "yesterday", "", "2037-13-01T00:00:00Z", 1763110800, true, {}, []])(
    "with %j as its moment is refused before anything is written",
    async (remind_at) => {
      const { id, visitor } = await somebody();
      const note = await given(id, -5);

      expect(await send(visitor, ACK, { note_id: note.id, remind_at })).toEqual(
        refusal(400, "invalid_remind_at"),
      );
      expect(await findReminder(web.db, id, note.id)).toMatchObject({ status: "pending" });
    },
  );

  it.each([
    ["no note", {}],
    ["an empty note", { note_id: "" }],
    ["an operator for a note", { note_id: { $ne: null } }],
    ["a list", []],
    ["null", "null"],
    ["no JSON", "{"],
    ["nothing", undefined],
  ])("with %s is refused", async (_, body) => {
    const { visitor } = await somebody();
    expect(await send(visitor, ACK, body)).toEqual(refusal(400, "invalid_payload"));
  });

  it("of an unknown, a malformed or a foreign note is 404", async () => {
    const { visitor } = await somebody();
    const other = await somebody();
    const foreign = await given(other.id, -5);
    for (const note_id of [ABSENT, "x", foreign.id])
      expect(await send(visitor, ACK, { note_id })).toEqual(refusal(404, "Reminder not found"));
    expect(await findReminder(web.db, other.id, foreign.id)).toMatchObject({ status: "pending" });
  });
});

describe("rule 4: setting", () => {
  const at = (noteId: string) => `${BASE}/note/${noteId}/reminder`;

  it.each([
    [{ preset: "1h", tz: "Asia/Jerusalem" }, "2037-11-14T13:00:00.000+00:00"],
    [{ preset: "today-21", tz: "Asia/Jerusalem" }, "2037-11-14T19:00:00.000+00:00"],
    [{ preset: "tomorrow-09", tz: "America/New_York" }, "2037-11-15T14:00:00.000+00:00"],
    [{ at: "2037-12-01T09:00", tz: "Asia/Jerusalem" }, "2037-12-01T07:00:00.000+00:00"],
    [{ at: "2037-12-01T09:00" }, "2037-12-01T09:00:00.000+00:00"],
  ])("%j answers with the moment in UTC", async (asked, remind_at) => {
    const { id, visitor } = await somebody();
    const note = await givenNote(web.db, id);

    expect(await send(visitor, at(note.id), asked)).toEqual([200, { ok: true, remind_at }]);
    expect(await findReminder(web.db, id, note.id)).toMatchObject({ remind_at: new Date(remind_at) });
  });

  it("without a zone counts in the person's own", async () => {
    const { id, visitor } = await somebody();
    await web.db.users.updateOne({ _id: id }, { $set: { timezone: "Asia/Jerusalem" } });
    const note = await givenNote(web.db, id);

    expect(await send(visitor, at(note.id), { at: "2037-12-01T09:00" })).toEqual([
      200,
      { ok: true, remind_at: "2037-12-01T07:00:00.000+00:00" },
    ]);
  });

  it("leaves it to the server which times are past, whose words the form shows", async () => {
    const { id, visitor } = await somebody();
    const { id: note } = await given(id, 60);
    const path = `/reminders/${note}`;
    expect(await (await visitor.page(path)).text()).toMatch(/<input[^>]*type="datetime-local"(?![^>]*min=)/);
    const form = { intent: "at", note_id: note, at: "2037-11-14T11:59", tz: "UTC", next: path };
    const answer = await visitor.submit("/reminders", form);
    expect(await (await visitor.page(answer.headers.get("Location") ?? "")).text()).toContain(
      "Choose a time in the future.",
    );
  });

  it("gives back a time zone that is wrong, however long it is", async () => {
    const { id, visitor } = await somebody();
    const { id: note } = await given(id, 60);
    const tz = `Asia/${"Jerusalem".repeat(20)}`;
    const form = { intent: "at", note_id: note, at: "2037-12-01T09:00", tz, next: "/notes" };

    const answer = await visitor.submit("/reminders", form);

    const page = await (await visitor.page(answer.headers.get("Location") ?? "")).text();
    expect(page).toContain("Unknown time zone. For example, Asia/Jerusalem.");
    expect(page).toMatch(new RegExp(`<input[^>]*name="tz"[^>]*value="${tz}"`));
    expect(page).toMatch(/<input[^>]*name="at"[^>]*value="2037-12-01T09:00"/);
  });

  describe("on a file", () => {
    const saveFile = async (visitor: Visitor) => {
      const page = await visitor.submit("/upload", { file_name: "reminded.py", text: "x = 1\n" });
      return (page.headers.get("Location") ?? "").replace("/file/", "");
    };
    const countNotes = (user_id: string) => web.db.notes.countDocuments({ user_id });

    it("makes its note when it is set, not when its form is looked at or its time refused", async () => {
      const { id, visitor } = await somebody();
      const file = await saveFile(visitor);
      expect(await (await visitor.page(`/file/${file}/reminder`)).text()).toContain("reminded.py");
      const past = { intent: "at", file, at: "2037-11-14T11:59", tz: "UTC", next: "/files" };
      const refused = await visitor.submit("/reminders", past);
      expect(refused.headers.get("Location")).toMatch(new RegExp(`^/file/${file}/reminder\\?at=`));
      expect(await countNotes(id)).toBe(0);

      for (const preset of ["1h", "3h"])
        await visitor.submit("/reminders", { intent: `set:${preset}`, file });

      const note = await web.db.notes.findOne({ user_id: id });
      const noteId = note?._id.toHexString() ?? "";
      expect(note?.content).toBe("reminded.py");
      expect(await countNotes(id)).toBe(1);
      expect(await findReminder(web.db, id, noteId)).toMatchObject({
        remind_at: minutesFromNoon(180),
      });
      const known = await visitor.page(`/file/${file}/reminder`, { redirect: "manual" });
      expect(known.headers.get("Location")).toContain(`/reminders/${noteId}`);
    });

    const setOn = async (visitor: Visitor, id: string) => {
      const file = await saveFile(visitor);
      await visitor.submit("/reminders", { intent: "set:1h", file });
      const note = await web.db.notes.findOne({ user_id: id });
      return note?._id.toHexString() ?? "";
    };
    const countLiving = (user_id: string) => web.db.notes.countDocuments({ user_id, deleted_at: null });

    it("takes its note along when it is removed, and Undo brings both back, as often as one likes", async () => {
      const { id, visitor } = await somebody();
      const note_id = await setOn(visitor, id);
      for (const next of ["/files", `/note/${note_id}`]) {
        const answer = await visitor.submit("/reminders", { intent: "remove", note_id, next });
        expect(answer.headers.get("Location")).toBe(next === "/files" ? next : "/reminders");
        const page = await (await visitor.page("/files")).text();
        expect(page).toContain("Reminder removed");
        expect(page).toContain(`action="/note/${note_id}"`);
        expect([await countLiving(id), await findReminder(web.db, id, note_id)]).toEqual([0, null]);

        await visitor.submit(`/note/${note_id}`, { intent: "undo", next: "/files" });
        expect(await countLiving(id)).toBe(1);
        expect(await findReminder(web.db, id, note_id)).toMatchObject({ remind_at: minutesFromNoon(60) });
      }
    });

    it("offers to take a new time back: the one before comes again, or the reminder goes with its note", async () => {
      const { id, visitor } = await somebody();
      const note_id = await setOn(visitor, id);
      const readOffer = async () => {
        const page = await (await visitor.page("/files")).text();
        const notices = /<div class="notice[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
        const [, intent = ""] = /name="intent" value="(\w+)"/.exec(notices) ?? [];
        const [, remind_at] = /name="remind_at" value="([^"]+)"/.exec(notices) ?? [];
        return { intent, ...(remind_at && { remind_at }) };
      };
      const first = await readOffer();
      expect(first).toEqual({ intent: "remove" });

      for (const intent of ["set:3h", "snooze:90"]) {
        await visitor.submit("/reminders", { intent, note_id });
        const offer = await readOffer();
        expect(offer.intent).toBe("back");
        await visitor.submit("/reminders", { ...offer, note_id });
        expect(await findReminder(web.db, id, note_id)).toMatchObject({ remind_at: minutesFromNoon(60) });
        expect(await readOffer()).toEqual({ intent: "" });
      }

      await visitor.submit("/reminders", { ...first, note_id });
      expect([await countLiving(id), await findReminder(web.db, id, note_id)]).toEqual([0, null]);
    });

    it("leaves a note that was changed, and one that was written by itself", async () => {
      const { id, visitor } = await somebody();
      const note_id = await setOn(visitor, id);
      const changed = await visitor.ask(`/api/sticky-notes/note/${note_id}`, {
        method: "PUT",
        body: JSON.stringify({ color: "pink" }),
      });
      expect(changed.status).toBe(200);
      const written = await given(id, 30);
      for (const one of [note_id, written.id]) {
        await visitor.submit("/reminders", { intent: "remove", note_id: one, next: "/files" });
        const page = await (await visitor.page("/files")).text();
        expect(page).toContain("Reminder removed");
        expect(page).not.toContain(`action="/note/${one}"`);
        expect(await findReminder(web.db, id, one)).toBeNull();
      }
      expect(await countLiving(id)).toBe(2);
    });

    it("of somebody else is refused and makes no note", async () => {
      const [owner, other] = [await somebody(), await somebody()];
      const file = await saveFile(owner.visitor);
      expect((await other.visitor.page(`/file/${file}/reminder`)).status).toBe(404);
      const answer = await other.visitor.submit("/reminders", { intent: "set:1h", file, next: "/files" });
      const page = await other.visitor.page(answer.headers.get("Location") ?? "");
      expect(await page.text()).toContain("or isn’t yours.");
      expect((await countNotes(other.id)) + (await countNotes(owner.id))).toBe(0);
    });
  });

  it("again writes to the same record, and a done one is pending again", async () => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);
    await send(visitor, ACK, { note_id: note.id });

    await send(visitor, at(note.id), { preset: "3h" });

    expect(await web.db.reminders.countDocuments({ user_id: id })).toBe(1);
    expect(await findReminder(web.db, id, note.id)).toMatchObject({
      status: "pending",
      ack_at: null,
      remind_at: minutesFromNoon(180),
    });
  });

  it.each([
    [{}, "invalid_time", {}],
    [{ preset: "1h", at: "2037-12-01T09:00" }, "invalid_time", {}],
    [{ preset: "2h" }, "invalid_preset", { allowed: REMINDER_PRESETS }],
    [{ preset: "1h", tz: "Mars/Base" }, "invalid_timezone", {}],
    [{ at: "2037-12-01 09:00" }, "invalid_time", {}],
    [{ at: "2037-11-14T11:59" }, "Time must be in the future", {}],
    [[], "invalid_payload", {}],
    ["{", "invalid_payload", {}],
    [undefined, "invalid_payload", {}],
  ])("%j is refused and sets nothing", async (asked, error, more) => {
    const { id, visitor } = await somebody();
    const note = await givenNote(web.db, id);

    expect(await send(visitor, at(note.id), asked)).toEqual(refusal(400, error, more));
    expect(await findReminder(web.db, id, note.id)).toBeNull();
  });

  it("on an unknown, malformed, foreign or deleted note is 404", async () => {
    const { id, visitor } = await somebody();
    const foreign = await givenNote(web.db, "somebody else");
    const deleted = await givenNote(web.db, id);
    await web.db.notes.updateOne({ user_id: id }, { $set: { deleted_at: NOON } });
    for (const note_id of [ABSENT, "x", foreign.id, deleted.id])
      expect(await send(visitor, at(note_id), { preset: "1h" })).toEqual(refusal(404, "Note not found"));
    expect(await web.db.reminders.countDocuments({ _id: { $exists: true }, user_id: id })).toBe(0);
  });

  it("is read back by GET and taken away by DELETE", async () => {
    const { id, visitor } = await somebody();
    const note = await givenNote(web.db, id, { content: "call the bank" });
    expect(await read(visitor, at(note.id))).toEqual([200, { ok: true, reminder: null }]);
    await send(visitor, at(note.id), { preset: "1h" });

    expect(await read(visitor, at(note.id))).toEqual([
      200,
      {
        ok: true,
        reminder: expect.objectContaining({
          note_id: note.id,
          status: "pending",
          ack_at: null,
          preview: "call the bank",
          remind_at: "2037-11-14T13:00:00.000+00:00",
        }),
      },
    ]);
    expect(await read(visitor, at(note.id), { method: "DELETE" })).toEqual([200, { ok: true }]);
    expect(await read(visitor, at(note.id))).toEqual([200, { ok: true, reminder: null }]);
    for (const method of ["GET", "DELETE"])
      expect(await read(visitor, at(ABSENT), { method })).toEqual(refusal(404, "Note not found"));
  });
});

describe("rule 5: snoozing", () => {
  const at = (noteId: string) => `${BASE}/note/${noteId}/snooze`;

  it.each([
    [{ minutes: 10 }, 10],
    [{ minutes: 1 }, 1],
    [{ minutes: 1440 }, 1440],
    [{ minutes: null }, 60],
    [{}, 60],
    [undefined, 60],
  ])("by %j counts from now", async (body, minutes) => {
    const { id, visitor } = await somebody();
    const note = await given(id, -500);

    expect(await send(visitor, at(note.id), body)).toEqual([
      200,
      { ok: true, remind_at: toTimestamp(minutesFromNoon(minutes)) },
    ]);
    expect(await findReminder(web.db, id, note.id)).toMatchObject({ status: "pending", ack_at: null });
  });

  it.each([0, 1441, -1, 1.5, "10", true, [], {}])("by %j minutes is refused", async (minutes) => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);

    expect(await send(visitor, at(note.id), { minutes })).toEqual(refusal(400, "Invalid minutes"));
    expect(await findReminder(web.db, id, note.id)).toMatchObject({ remind_at: minutesFromNoon(-5) });
  });

  it.each(["[]", "null", "5", '"x"', "{", "true"])("with the body %s is refused", async (body) => {
    const { id, visitor } = await somebody();
    const note = await given(id, -5);

    expect(await send(visitor, at(note.id), body)).toEqual(
      refusal(400, "invalid_payload", { code: "invalid_payload" }),
    );
  });

  it("needs a reminder of one's own", async () => {
    const { id, visitor } = await somebody();
    const bare = await givenNote(web.db, id);
    const foreign = await given("somebody else", -5);
    for (const note_id of [bare.id, foreign.id, ABSENT, "x"])
      expect(await send(visitor, at(note_id))).toEqual(refusal(404, "Reminder not found"));
  });
});

describe("all of them", () => {
  const rows = [
    ["GET", SUMMARY],
    ["GET", LIST],
    ["POST", ACK],
    ["GET", `${BASE}/note/${ABSENT}/reminder`],
    ["POST", `${BASE}/note/${ABSENT}/reminder`],
    ["DELETE", `${BASE}/note/${ABSENT}/reminder`],
    ["POST", `${BASE}/note/${ABSENT}/snooze`],
  ];

  it.each(rows)("%s %s asks who it is", async (method, path) => {
    expect(await read(web.visitor(), path, { method })).toEqual(
      refusal(401, "Authentication required", { redirect: "/login" }),
    );
  });

  it("go with the note that is deleted and hide with the file in the trash", async () => {
    const { id, visitor } = await somebody();
    const saved = await visitor.ask("/api/files/a.py", { method: "PUT", body: "x\n" });
    const { file_id } = await saved.json();
    const note = await givenNote(web.db, id, { content: "on a file" }, { kind: "file", file_id });
    await setReminder(web.db, id, note, minutesFromNoon(-5), NOON);
    const dueOf = async () => ((await read(visitor, SUMMARY))[1] as { count_due: number }).count_due;
    expect(await dueOf()).toBe(1);

    await visitor.ask(`/api/file/${file_id}/trash`, { method: "POST" });
    expect(await dueOf()).toBe(0);
    expect(await read(visitor, LIST)).toEqual([200, { ok: true, count: 0, items: [] }]);
    expect(await send(visitor, ACK, { note_id: note.id })).toEqual(refusal(404, "Reminder not found"));

    await visitor.ask(`/api/trash/${file_id}/restore`, { method: "POST" });
    expect(await dueOf()).toBe(1);

    await visitor.ask(`/api/file/${file_id}/trash`, { method: "POST" });
    await visitor.ask(`/api/trash/${file_id}/purge`, { method: "POST" });
    expect(await web.db.reminders.countDocuments({ user_id: id })).toBe(0);
  });
});
