import { describe, expect, it } from "vitest";
import { createBoard } from "#db/boards/boards.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { createNote } from "#db/notes/notes.server.ts";
import { setReminder } from "#db/reminders/reminders.server.ts";
import { CONTENT_MAX } from "#domain/notes/note.ts";
import { checkDraft } from "#domain/notes/note-schema.ts";
import { required } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  MAX_NOTES_PER_USER: "70",
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const { db } = web;
const MISSING = "0".repeat(24);
let people = 100;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by matchers
type Body = Record<string, any>;
type Answer = { status: number; body: Body };

/** A person with a file of their own, and how they speak to the API. */
async function givenPerson() {
  people += 1;
  const id = String(people);
  const visitor = await web.visitor().logIn(id);
  const { file } = orThrow(
    await saveFile(db, id, { file_name: "a.md", body: "# One\n\ntext\n\n## Two\n" }, NOON),
  );
  const send = (method: string, path: string, body?: unknown) => sent(visitor, method, path, body);
  const note = async (fields: object = {}): Promise<Body> =>
    (await send("POST", `/${file.id}`, fields)).body.note;
  return { id, visitor, file, send, note };
}

async function sent(visitor: Visitor, method: string, path: string, body?: unknown): Promise<Answer> {
  const at = path.startsWith("/api/") ? path : `/api/sticky-notes${path}`;
  const response = await visitor.ask(at, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

describe("a note that a client moves to another board", () => {
  it("goes there, to the spot that is asked for; what makes no sense moves nothing", async () => {
    const { id, send } = await givenPerson();
    const [from, to] = [
      orThrow(await createBoard(db, id, "From", NOON)),
      orThrow(await createBoard(db, id, "To", NOON)),
    ];
    const { body: made } = await send("POST", `/board/${from.id}`, { content: "goes" });
    const path = `/note/${made.note.id}/move`;
    const stays = async () => (await send("GET", `/board/${from.id}`)).body.notes.length;

    expect((await send("POST", path, {})).status).toBe(400);
    expect((await send("POST", path, { board_id: 7 })).status).toBe(400);
    expect((await send("POST", path, { board_id: to.id, position: "left" })).status).toBe(400);
    expect((await send("POST", path, { board_id: MISSING })).status).toBe(404);
    expect((await send("POST", `/note/${MISSING}/move`, { board_id: to.id })).status).toBe(404);
    expect(await stays()).toBe(1);

    const position = { x: 320, y: 240 };
    const moved = await send("POST", path, { board_id: to.id, position });
    expect(moved).toMatchObject({ status: 200, body: { ok: true, note: { board_id: to.id, position } } });
    expect(await stays()).toBe(0);
    expect((await send("POST", path, { board_id: to.id })).status).toBe(200);
  });
});

describe("notes on a file", () => {
  it("whose lines are lost are in a folded list above the code, with where they were and how to attach them", async () => {
    const { id, visitor, file, note } = await givenPerson();
    const { id: lost } = await note({ content: "about what is gone", line_start: 3, line_end: 4 });
    const { id: kept } = await note({ content: "about all of it" });
    const page = async () => (await visitor.ask(`/file/${file.id}`, { html: true })).text();
    expect(await page()).not.toContain("note-fold");
    orThrow(await saveFile(db, id, { file_name: "a.md", body: "nothing\nof\nit\n" }, NOON));

    const html = await page();

    const fold = required(/<details class="[^"]*note-fold">.*?class="[^"]*code-box/s.exec(html))[0];
    expect(fold).toContain("<summary>1 detached note</summary>");
    expect(fold).toContain(`id="note-${lost}"`);
    expect(fold).toContain("Was on lines 3–4, which were deleted.");
    expect(fold).toContain(`<a href="/note/${lost}/edit">Attach to lines…</a>`);
    expect(fold).not.toContain("Attach to line 1");
    expect(fold).not.toContain(`id="note-${kept}"`);
    expect(html).toContain(`id="note-${kept}"`);

    const all = await (await visitor.ask("/notes", { html: true })).text();
    const place = (note: string) => new RegExp(`href="/note/${note}"[^>]*>(.*?)</a>`, "s").exec(all)?.[1];
    expect(place(lost)).toContain("detached");
    expect(place(kept)).toContain("a.md");
    expect(place(kept)).not.toContain("detached");
  });

  it("whose lines are lost offer similar lines, and one press attaches them while those are there", async () => {
    const { id, visitor } = await givenPerson();
    const old = "sendLetter(customer, invoice)\nclose(door)\nlock(door)\n";
    const { file } = orThrow(await saveFile(db, id, { file_name: "letters.py", body: old }, NOON));
    const { body } = await sent(visitor, "POST", `/${file.id}`, { content: "about letters", line_start: 1 });
    const noteId: string = body.note.id;
    const save = (text: string) => saveFile(db, id, { file_name: "letters.py", body: text }, NOON);
    const page = async () => (await visitor.ask(`/file/${file.id}`, { html: true })).text();
    const attach = (lines: string) =>
      visitor.ask(`/note/${noteId}`, {
        html: true,
        method: "POST",
        body: new URLSearchParams({ intent: `attach:${lines}`, next: `/file/${file.id}` }),
        redirect: "manual",
      });
    orThrow(await save("close(door)\nlock(door)\nif customer:\n    sendLetter(customer, greeting)\n"));

    const html = await page();
    expect(html).toContain('value="attach:4">Attach to line 4</button>');
    expect(html).toContain('<code dir="ltr">sendLetter(customer, greeting)</code>');
    await attach("1");
    expect(await page()).toContain("1 detached note");

    orThrow(
      await save("read(book)\nclose(door)\nlock(door)\nif customer:\n    sendLetter(customer, greeting)\n"),
    );
    await attach("4");
    expect(await page()).toContain("1 detached note");
    expect((await attach("5")).headers.get("Location")).toBe(`/file/${file.id}#note-${noteId}`);

    const attached = await page();
    expect(attached).not.toContain("detached note");
    expect(attached).toMatch(new RegExp(`id="L5"><a class="line-note" href="#note-${noteId}"`));
    const { notes } = (await sent(visitor, "GET", `/${file.id}`)).body;
    expect(notes[0]).toMatchObject({ line_start: 5, line_end: null, anchor: { state: "same" } });
  });

  it("are moved to a board that is chosen on a page, and taken back by Undo or the menu of the note", async () => {
    const { id, visitor, file, note } = await givenPerson();
    const board = orThrow(await createBoard(db, id, "Plans", NOON));
    const { id: noteId } = await note({ content: "goes", line_start: 1, line_end: 1 });
    const post = (intent: string, next: string) =>
      visitor.ask(`/note/${noteId}`, {
        html: true,
        method: "POST",
        body: new URLSearchParams({ intent, next }),
        redirect: "manual",
      });
    const page = async (path: string) => (await visitor.ask(path, { html: true })).text();

    expect(await page(`/file/${file.id}`)).toContain(`href="/boards?move=${noteId}"`);
    const choice = await page(`/boards?move=${noteId}`);
    expect(choice).toContain(`value="move:${board.id}"`);
    expect(choice).toContain(`value="/file/${file.id}?L=1"`);
    expect(await page("/boards?move=nonsense")).not.toContain("data-board-move");

    const moved = await post(`move:${board.id}`, `/file/${file.id}?L=1`);
    expect(moved.headers.get("Location")).toBe(`/file/${file.id}?L=1`);
    expect(await page(`/boards/${board.id}`)).toContain(`id="note-${noteId}"`);

    const back = await post("return", `/file/${file.id}`);
    expect(back.headers.get("Location")).toBe(`/file/${file.id}#note-${noteId}`);
    expect(await page(`/file/${file.id}`)).toMatch(
      new RegExp(`id="L1"><a class="line-note" href="#note-${noteId}"`),
    );

    await post(`move:${board.id}`, "");
    expect(await page(`/boards/${board.id}`)).toMatch(/value="return">.*?Return to \u2066a\.md\u2069/);
    const returned = await post("return", `/boards/${board.id}`);
    expect(returned.headers.get("Location")).toBe(`/boards/${board.id}`);
    const after = await page(`/boards/${board.id}`);
    expect(after).toContain("Moved “\u2068goes\u2069” to “\u2068a.md\u2069”");
    expect(after).toContain(`value="move:${board.id}:`);
    expect(after).not.toContain(`id="note-${noteId}"`);
  });

  it("whose lines have moved are shown on the lines they are on now, wherever a page names them", async () => {
    const { id, visitor, file, note } = await givenPerson();
    const { id: noteId } = await note({ content: "moved", line_start: 3, line_end: 5 });
    const body = "new\nlines\n# One\n\ntext\n\n## Two\n";
    orThrow(await saveFile(db, id, { file_name: "a.md", body }, NOON));
    const page = async (path: string) => (await visitor.ask(path, { html: true })).text();

    const way = await visitor.ask(`/note/${noteId}`, { html: true, redirect: "manual" });
    expect(way.headers.get("Location")).toBe(`/file/${file.id}?L=5-7#note-${noteId}`);
    expect(await page("/notes")).toContain("Lines 5–7");
    const form = await page(`/note/${noteId}/edit`);
    expect(form).toMatch(/name="line_start"[^>]* value="5"|value="5"[^>]* name="line_start"/);

    orThrow(await saveFile(db, id, { file_name: "a.md", body: "nothing\nof\nit\n" }, NOON));
    expect(await page("/notes")).not.toContain("Lines ");
    expect(
      (await visitor.ask(`/note/${noteId}`, { html: true, redirect: "manual" })).headers.get("Location"),
    ).toBe(`/file/${file.id}#note-${noteId}`);
  });

  it("are created with every field, and listed as they were answered", async () => {
    const { file, send } = await givenPerson();
    const fields = {
      title: "כותרת",
      content: "- [ ] שלום 👋",
      position: { x: 10.5, y: 20 },
      size: { width: 120, height: 1200 },
      color: "#A0b1C2",
      is_minimized: true,
      line_start: 1,
      line_end: 3,
      anchor_id: "one",
      anchor_text: "One",
      mode: "screen",
    };

    const created = await send("POST", `/${file.id}`, fields);

    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ok: true, id: created.body.note.id });
    const { id: _, anchor: __, ...note } = created.body.note;
    expect(note).toEqual({
      ...fields,
      color: "#a0b1c2",
      kind: "file",
      file_id: file.id,
      board_id: null,
      repo_name: null,
      repo_path: null,
      orphaned: false,
      created_at: toTimestamp(NOON),
      updated_at: toTimestamp(NOON),
      prev_updated_at: toTimestamp(NOON),
      reminder: null,
    });
    expect(await send("GET", `/${file.id}`)).toEqual({
      status: 200,
      body: { ok: true, notes: [created.body.note], count: 1 },
    });
  });

  it("have defaults, and are anchored where a line or a heading is given", async () => {
    const { note } = await givenPerson();
    expect(await note()).toMatchObject({
      content: "",
      title: null,
      color: "yellow",
      mode: "surface",
      anchor: null,
    });
    expect(await note({ line_start: 3 })).toMatchObject({
      mode: "anchored",
      line_end: null,
      anchor: { state: "same" },
    });
    expect(await note({ anchor_id: "two", anchor_text: "Two" })).toMatchObject({
      mode: "anchored",
      anchor: { state: "same", line_start: 5, anchor_id: "two" },
    });
  });

  it.each([
    [{ content: "x".repeat(20_001) }, { error: "content_too_long", max: 20_000 }],
    [{ title: "x".repeat(81) }, { error: "title_too_long", max: 80 }],
    [{ title: "two\nlines" }, { error: "invalid_title" }],
    [{ position: { x: 100_001, y: 0 } }, { error: "out_of_range", field: "x", max: 100_000 }],
    [{ position: { x: 0, y: -1 } }, { error: "out_of_range", field: "y", min: 0 }],
    [{ size: { width: 119, height: 80 } }, { error: "out_of_range", field: "width" }],
    [{ size: { width: 120, height: 1201 } }, { error: "out_of_range", field: "height" }],
    [
      { color: "mauve" },
      { error: "invalid_color", allowed: ["yellow", "pink", "blue", "green", "orange", "purple", "#rrggbb"] },
    ],
    [{ mode: "floating" }, { error: "invalid_mode" }],
    [{ line_start: 0 }, { error: "out_of_range", field: "line_start" }],
    [
      { line_start: 3, line_end: 2 },
      { error: "out_of_range", field: "line_end" },
    ],
    [{ is_minimized: "yes" }, { error: "invalid_payload", field: "is_minimized" }],
    [{ content: 5 }, { error: "invalid_payload", field: "content" }],
    [{ colour: "pink" }, { error: "invalid_payload", field: "colour" }],
    [{ file_id: MISSING }, { error: "target_fixed", field: "file_id" }],
    [[], { error: "invalid_payload" }],
    ["{", { error: "invalid_payload" }],
  ])("are refused for %j", async (fields, refusal) => {
    const { file, send } = await givenPerson();
    expect(await send("POST", `/${file.id}`, fields)).toMatchObject({
      status: 400,
      body: { ok: false, ...refusal },
    });
    expect((await send("GET", `/${file.id}`)).body.count).toBe(0);
  });

  it("count characters, not bytes", async () => {
    const { note } = await givenPerson();
    const content = "😀".repeat(20_000);
    expect((await note({ content })).content).toBe(content);
  });

  it("are 404 on a file that is missing or someone else's, for listing and creating", async () => {
    const { send } = await givenPerson();
    const { file } = await givenPerson();
    for (const id of [file.id, MISSING, "nonsense"])
      for (const method of ["GET", "POST"])
        expect(await send(method, `/${id}`, method === "POST" ? {} : undefined)).toMatchObject({
          status: 404,
          body: { ok: false, error: "File not found", file_id: id },
        });
  });

  it("ask for a login with ok: false", async () => {
    const { file } = await givenPerson();
    expect(await sent(web.visitor(), "GET", `/${file.id}`)).toMatchObject({
      status: 401,
      body: { ok: false, error: "Authentication required", redirect: "/login" },
    });
  });

  it("end at the quota of a file and at that of a person", async () => {
    const { id, file, send } = await givenPerson();
    for (let i = 0; i < 49; i += 1)
      await createNote(db, id, {
        target: { kind: "file", file_id: file.id },
        fields: orThrow(checkDraft({})),
        quota: { maxPerUser: 70 },
        now: NOON,
      });
    expect((await send("POST", `/${file.id}`, {})).status).toBe(201);
    expect(await send("POST", `/${file.id}`, {})).toMatchObject({
      status: 409,
      body: { ok: false, error: "note_quota_exceeded", max: 50 },
    });
    const { file: other } = orThrow(await saveFile(db, id, { file_name: "b.md", body: "b" }, NOON));
    for (let i = 0; i < 20; i += 1)
      await createNote(db, id, {
        target: { kind: "file", file_id: other.id },
        fields: orThrow(checkDraft({})),
        quota: { maxPerUser: 70 },
        now: NOON,
      });
    expect(await send("POST", `/${other.id}`, {})).toMatchObject({
      status: 409,
      body: { error: "note_quota_exceeded", max: 70 },
    });
  });
});

describe("the form of a new note", () => {
  it("names the board that the note is for", async () => {
    const { visitor } = await givenPerson();
    const { board } = await (
      await visitor.ask("/api/note-boards", {
        method: "POST",
        body: JSON.stringify({ name: "Plans" }),
        headers: { "Content-Type": "application/json" },
      })
    ).json();
    const readLead = async (query: string) =>
      /<p class="soft lead">(.*?)<\/p>/.exec(await (await visitor.page(`/notes/new${query}`)).text())?.[1];

    expect(await readLead(`?board=${board.id}`)).toBe("On \u2068Plans\u2069");
    expect(await readLead("")).toBe("On \u2068My board\u2069");
  });

  it("sent twice, or again because no answer came, makes one note", async () => {
    const { id, file, visitor } = await givenPerson();
    const path = `/notes/new?file=${file.id}`;
    const html = await (await visitor.page(path)).text();
    const form_key = required(required(/name="form_key" value="([^"]+)"/.exec(html))[1]);
    const send = async (more: object = {}) =>
      required(
        (await visitor.submit(path, { content: "once", color: "yellow", form_key, ...more })).headers.get(
          "Location",
        ),
      );

    const clicks = await Promise.all([send(), send(), send()]);
    const again = await send();
    const other = await send({ content: "another text of the same page" });
    expect(await db.notes.countDocuments({ user_id: id })).toBe(2);
    expect(await (await visitor.page("/notes")).text()).toContain("<p>Note saved</p>");
    await db.notes.updateOne({ user_id: id, content: "once" }, { $set: { deleted_at: NOON } });
    const anew = await send();

    expect(new Set([...clicks, again]).size).toBe(1);
    expect(new Set([again, other, anew]).size).toBe(3);
  });
});

describe("the preview of a text", () => {
  const bodyIn = (html: string) => required(/data-note-body[^>]*>(.*?)<\/div>/s.exec(html))[1];

  it("is the body that the saved note has, with the boxes of its form", async () => {
    const { visitor, file, note } = await givenPerson();
    const content = "# <b>Head</b>\n- [ ] task\n\n> [link](https://a.example)\n\nשלום **עולם**";
    const { id } = await note({ content });
    const saved = await (await visitor.page(`/file/${file.id}`)).text();

    const preview = await visitor.submit("/notes/preview", { content, note_id: id });
    const withoutNote = await visitor.submit("/notes/preview", { content });

    const body = bodyIn(await preview.text());
    expect(body).toContain(`form="form-${id}"`);
    expect(body).toBe(bodyIn(saved));
    expect(bodyIn(await withoutNote.text())).toBe(body?.replace(`form="form-${id}"`, "disabled"));
    expect(preview.headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none'/);
  });

  it("is refused where the note would be, and stores nothing", async () => {
    const { id, visitor } = await givenPerson();
    const send = async (length: number) =>
      (await visitor.submit("/notes/preview", { content: "x".repeat(length) })).status;

    expect([await send(CONTENT_MAX), await send(CONTENT_MAX + 1)]).toEqual([200, 400]);
    expect(await db.notes.countDocuments({ user_id: id })).toBe(0);
  });
});

describe("the form of a note", () => {
  it("on a file changes what it shows and leaves alone what it does not", async () => {
    const { visitor, note } = await givenPerson();
    const position = { x: 300, y: 200 };
    const { id } = await note({ content: "before", line_start: 1, is_minimized: true, position });
    const html = await (await visitor.page(`/note/${id}/edit`)).text();
    const hidden = (name: string) => {
      const [, value] = required(new RegExp(`name="${name}" value="([^"]*)"`).exec(html));
      return required(value).replaceAll("&quot;", '"');
    };
    const form = { shown: hidden("shown"), prev_updated_at: hidden("prev_updated_at"), color: "yellow" };

    const saved = await visitor.submit(`/note/${id}/edit`, { ...form, content: "after", line_start: "2" });

    expect(saved.status).toBe(303);
    expect(await db.notes.findOne({ content: "after" })).toMatchObject({
      line_start: 2,
      is_minimized: true,
      position,
    });
    expect(await (await visitor.page("/notes")).text()).toContain("<p>Note saved</p>");
  });

  it("sent again because no answer came is no conflict, and another text is", async () => {
    const { visitor, note } = await givenPerson();
    const { id, updated_at: prev_updated_at } = await note({ content: "before" });
    const send = async (content: string) =>
      (await visitor.submit(`/note/${id}/edit`, { content, prev_updated_at })).status;

    expect([await send("mine"), await send("mine"), await send("other")]).toEqual([303, 303, 409]);
    expect((await db.notes.findOne({ content: "mine" }))?._id.toHexString()).toBe(id);
  });
});

describe("updating a note", () => {
  it("answers with the note and its new moment, which the next update may name", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content: "a" });
    const first = await send("PUT", `/note/${id}`, { content: "b", prev_updated_at: updated_at });
    expect(first).toMatchObject({ status: 200, body: { ok: true, note: { id, content: "b" } } });
    expect(first.body.updated_at).not.toBe(updated_at);
    const inAnotherZone = first.body.updated_at.replace("T12:", "T14:").replace("+00:00", "+02:00");
    expect(await send("PUT", `/note/${id}`, { color: "pink", prev_updated_at: inAnotherZone })).toMatchObject(
      {
        status: 200,
        body: { note: { content: "b", color: "pink" } },
      },
    );
  });

  it("from a stale state is 409 with what is stored; without a state the last write wins", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content: "a" });
    const { body } = await send("PUT", `/note/${id}`, { content: "b" });
    expect(await send("PUT", `/note/${id}`, { content: "c", prev_updated_at: updated_at })).toEqual({
      status: 409,
      body: {
        ok: false,
        error: "conflict",
        code: "conflict",
        message: expect.any(String),
        updated_at: body.updated_at,
        content: "b",
        note: body.note,
      },
    });
    expect((await send("PUT", `/note/${id}`, { content: "d" })).body.note.content).toBe("d");
  });

  it.each(["yesterday", 5, "", "2037-13-01T00:00:00Z"])("refuses the moment %j", async (prev_updated_at) => {
    const { send, note } = await givenPerson();
    const { id } = await note();
    expect(await send("PUT", `/note/${id}`, { content: "b", prev_updated_at })).toMatchObject({
      status: 400,
      body: { ok: false, error: "invalid_prev_updated_at" },
    });
  });

  it("keeps its target, and is 404 for anyone else", async () => {
    const { send, note, file } = await givenPerson();
    const stranger = await givenPerson();
    const { id } = await note();
    expect(await send("PUT", `/note/${id}`, { content: "x", board_id: MISSING })).toMatchObject({
      status: 400,
      body: { error: "target_fixed" },
    });
    expect(
      await send("PUT", `/note/${id}`, { content: "x", file_id: file.id, board_id: null }),
    ).toMatchObject({ status: 200 });
    for (const [method, path] of [
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/restore"],
      ["POST", "/pin"],
      ["GET", "/history"],
    ])
      expect(
        await stranger.send(required(method), `/note/${id}${path}`, method === "GET" ? undefined : {}),
      ).toMatchObject({
        status: 404,
        body: { ok: false, error: "Note not found" },
      });
  });
});

describe("deleting a note", () => {
  it("takes its reminder with it, and taking it back brings both", async () => {
    const { id: owner, file, send, note } = await givenPerson();
    const { id } = await note({ content: "remember the milk" });
    const remindAt = new Date(NOON.getTime() + 3_600_000);
    await setReminder(db, owner, { id, file_id: file.id }, remindAt, NOON);
    expect((await send("GET", `/${file.id}`)).body.notes[0].reminder).toMatchObject({
      note_id: id,
      status: "pending",
      remind_at: toTimestamp(remindAt),
      preview: "remember the milk",
    });

    expect(await send("DELETE", `/note/${id}`)).toEqual({ status: 200, body: { ok: true } });

    expect((await send("GET", `/${file.id}`)).body.count).toBe(0);
    expect(await db.reminders.countDocuments({ user_id: owner })).toBe(0);
    expect(await send("DELETE", `/note/${id}`)).toMatchObject({ status: 404 });

    expect(await send("POST", `/note/${id}/restore`)).toMatchObject({
      status: 200,
      body: { ok: true, note: { id, reminder: { remind_at: toTimestamp(remindAt) } } },
    });
  });
});

describe("a batch", () => {
  it("has a status for each update, in order, and changes nothing for those that are refused", async () => {
    const { send, note } = await givenPerson();
    const [a, b, c] = [
      await note({ content: "a" }),
      await note({ content: "b" }),
      await note({ content: "c" }),
    ];
    await send("PUT", `/note/${b.id}`, { content: "newer" });

    const { status, body } = await send("POST", "/batch", {
      updates: [
        { id: a.id, content: "a2", prev_updated_at: a.updated_at },
        { id: b.id, content: "b2", prev_updated_at: b.updated_at },
        { id: MISSING, content: "x" },
        { id: c.id, color: "mauve" },
        { content: "no id" },
        7,
        { id: a.id, is_minimized: true },
      ],
    });

    expect(status).toBe(200);
    expect(body.ok).toBe(true);
    expect(body.results).toMatchObject([
      { id: a.id, ok: true, status: 200, note: { content: "a2" } },
      { id: b.id, ok: false, status: 409, error: "conflict", content: "newer", note: { content: "newer" } },
      { id: MISSING, ok: false, status: 404, error: "Note not found" },
      { id: c.id, ok: false, status: 400, error: "invalid_color" },
      { id: null, ok: false, status: 400, error: "invalid_payload" },
      { id: null, ok: false, status: 400 },
      { id: a.id, ok: true, status: 200, note: { content: "a2", is_minimized: true } },
    ]);
  });

  it.each([[{ updates: [] }], [{ updates: Array(201).fill({}) }], [{ updates: {} }], [{}], [[]]])(
    "that is not 1 to 200 updates is refused whole",
    async (body) => {
      const { send } = await givenPerson();
      expect(await send("POST", "/batch", body)).toMatchObject({
        status: 400,
        body: { ok: false, error: "invalid_payload" },
      });
    },
  );
});

describe("toggling a task", () => {
  const content = "list\n- [ ] one\n```\n- [ ] code\n```\n  * [x] two\n+ [X]";

  it("rule 1: the note must exist and belong to the user, else 404, before anything else", async () => {
    const { note } = await givenPerson();
    const stranger = await givenPerson();
    const { id, updated_at } = await note({ content });
    for (const [path, body] of [
      [id, { index: 0, checked: true, prev_updated_at: updated_at }],
      [MISSING, { index: "none" }],
      ["nonsense", {}],
    ])
      expect(await stranger.send("POST", `/note/${path}/task`, body)).toMatchObject({
        status: 404,
        body: { ok: false, error: "Note not found", content: null },
      });
  });

  it("of who is not logged in is 401, with a content that is nobody's", async () => {
    const answer = await web
      .visitor()
      .ask("/api/sticky-notes/note/0123456789abcdef01234567/task", { method: "POST" });
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ content: null })]);
  });

  it("rule 2: prev_updated_at must match, else 409, absent as well as stale", async () => {
    const { send, note } = await givenPerson();
    const { id } = await note({ content });
    for (const prev_updated_at of [undefined, null, "2037-01-01T00:00:00.000+00:00"])
      expect(
        await send("POST", `/note/${id}/task`, { index: 99, checked: true, prev_updated_at }),
      ).toMatchObject({
        status: 409,
        body: { ok: false, error: "conflict", content },
      });
  });

  it("rule 3: an ordinal that does not exist is 409 with the stored content", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content });
    expect(
      await send("POST", `/note/${id}/task`, { index: 3, checked: true, prev_updated_at: updated_at }),
    ).toMatchObject({
      status: 409,
      body: { ok: false, error: "task_index_not_found", content, note: { id } },
    });
  });

  it("rule 4: a task that has the state already is 200, and nothing is written", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content });
    for (const [index, checked] of [
      [0, false],
      [1, true],
      [2, true],
    ])
      expect(
        await send("POST", `/note/${id}/task`, { index, checked, prev_updated_at: updated_at }),
      ).toMatchObject({
        status: 200,
        body: { ok: true, changed: false, content, updated_at },
      });
  });

  it("rule 5: of ticks at once from one state one is written, and no other writer is overwritten", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content: "- [ ] 0\n- [ ] 1\n- [ ] 2\n- [ ] 3" });
    const answers = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        send("POST", `/note/${id}/task`, { index, checked: true, prev_updated_at: updated_at }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const [won] = answers.filter(({ status }) => status === 200);
    for (const { body } of answers) expect(body.content).toBe(required(won).body.content);
  });

  it("rule 6: only the mark changes, and the answer is what is stored", async () => {
    const { send, note, file } = await givenPerson();
    const { id, updated_at } = await note({ content });
    const { body } = await send("POST", `/note/${id}/task`, {
      index: 1,
      checked: false,
      prev_updated_at: updated_at,
    });
    expect(body).toMatchObject({ ok: true, changed: true, content: content.replace("* [x]", "* [ ]") });
    expect((await send("GET", `/${file.id}`)).body.notes).toEqual([body.note]);
  });

  it("rule 7: every answer carries the stored content, bad requests included", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content });
    const good = { index: 0, checked: true, prev_updated_at: updated_at };
    for (const body of [
      { ...good, index: "0" },
      { ...good, index: -1 },
      { ...good, index: 0.5 },
      { ...good, checked: 1 },
      { ...good, prev_updated_at: "soon" },
      [],
      "{",
    ])
      expect(await send("POST", `/note/${id}/task`, body)).toMatchObject({
        status: 400,
        body: { ok: false, content },
      });
  });

  it("by twelve at once, each trying again from what it was told, ends with all twelve ticked", async () => {
    const { send, note } = await givenPerson();
    const lines = Array.from({ length: 12 }, (_, i) => `- [ ] task ${i}`);
    const { id, updated_at } = await note({ content: lines.join("\n") });

    const tick = async (index: number) => {
      let prev_updated_at = updated_at;
      for (;;) {
        const { status, body } = await send("POST", `/note/${id}/task`, {
          index,
          checked: true,
          prev_updated_at,
        });
        if (status === 200) return body;
        expect(status).toBe(409);
        prev_updated_at = body.updated_at;
      }
    };
    await Promise.all(lines.map((_, index) => tick(index)));

    const stored = await db.notes.findOne({ user_id: { $gt: "" }, title: null, content: /task 11/ });
    expect(stored?.content).toBe(lines.join("\n").replaceAll("[ ]", "[x]"));
  });
});

describe("searching notes", () => {
  const search = (send: (method: string, path: string) => Promise<Answer>, query: Record<string, string>) =>
    send("GET", `/search?${new URLSearchParams(query)}`);

  it("rule 1: finds the user's own notes by title and by body, on files, boards and repository files", async () => {
    const { id, file, send, note } = await givenPerson();
    const stranger = await givenPerson();
    await stranger.note({ content: "needle of another" });
    const board = orThrow(await createBoard(db, id, "Ideas", NOON));
    await note({ content: "a needle here" });
    await send("POST", `/board/${board.id}`, { title: "Needle", content: "on a board" });
    const repo = { kind: "repo", repo_name: "o/r", repo_path: "src/x.ts" } as const;
    await createNote(db, id, {
      target: repo,
      fields: orThrow(checkDraft({ content: "NEEDLE" })),
      quota: { maxPerUser: 70 },
      now: NOON,
    });

    const { status, body } = await search(send, { q: " needle " });

    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, query: "needle", count: 3, has_more: false });
    const byKind = Object.fromEntries(body.results.map((row: Body) => [row.kind, row]));
    expect(byKind.file).toMatchObject({
      file_id: file.id,
      file_name: "a.md",
      preview: "a needle here",
      preview_truncated: false,
    });
    expect(byKind.board).toMatchObject({ board_id: board.id, board_name: "Ideas", title: "Needle" });
    expect(byKind.repo).toMatchObject({
      repo_name: "o/r",
      repo_path: "src/x.ts",
      url: `/note/${byKind.repo.id}`,
    });
    expect(byKind.file).not.toHaveProperty("content");
  });

  it("rule 2: matches literally, in any case and script, with a preview of at most 200 characters around the hit", async () => {
    const { send, note } = await givenPerson();
    const content = `${"א".repeat(500)}👋 ΣΊΣΥΦΟΣ a.*b ${"ב".repeat(500)}`;
    await note({ content });
    for (const q of ["σίσυφος", "A.*B", "👋"]) {
      const { body } = await search(send, { q });
      expect(body.results).toMatchObject([{ preview_truncated: true }]);
      const [{ preview }] = body.results;
      expect([...preview]).toHaveLength(200);
      expect(preview).toContain("a.*b");
      expect(content).toContain(preview);
    }
    expect((await search(send, { q: "a.b" })).body.count).toBe(0);
  });

  it("rule 3: titles come first, and in each group the newest", async () => {
    const { send, note } = await givenPerson();
    const [a, b, c, d] = [
      await note({ title: "x 1" }),
      await note({ content: "x 2" }),
      await note({ title: "x 3" }),
      await note({ content: "x 4" }),
    ];
    for (const one of [d, c, b, a]) {
      web.clock.set(new Date(web.clock().getTime() + 1000));
      await send("PUT", `/note/${one.id}`, { is_minimized: true });
    }
    expect((await search(send, { q: "x" })).body.results.map(({ id }: Body) => id)).toEqual([
      a.id,
      c.id,
      b.id,
      d.id,
    ]);
  });

  it("rule 4: gives 30 unless asked, 50 at most, and says whether there are more", async () => {
    const { id, file, send } = await givenPerson();
    const board = orThrow(await createBoard(db, id, "B", NOON));
    const targets = [
      { kind: "file", file_id: file.id },
      { kind: "board", board_id: board.id },
    ] as const;
    for (let i = 0; i < 51; i += 1)
      await createNote(db, id, {
        target: required(targets[i % 2]),
        fields: orThrow(checkDraft({ content: "many", color: i < 31 ? "pink" : "blue" })),
        quota: { maxPerUser: 70 },
        now: NOON,
      });
    expect((await search(send, { q: "many" })).body).toMatchObject({ count: 30, has_more: true });
    expect((await search(send, { q: "many", limit: "999" })).body).toMatchObject({
      count: 50,
      has_more: true,
    });
    expect((await search(send, { q: "many", color: "pink", limit: "31" })).body).toMatchObject({
      count: 31,
      has_more: false,
    });
    for (const limit of ["ten", "0", "-1", "1.5", ""])
      expect(await search(send, { q: "many", limit })).toMatchObject({ status: 400, body: { ok: false } });
    expect(await search(send, { q: "many", color: "mauve" })).toMatchObject({
      status: 400,
      body: { error: "invalid_color" },
    });
  });

  it("rule 5: takes 1 to 200 characters", async () => {
    const { send } = await givenPerson();
    for (const q of ["", " \n\t "])
      expect(await search(send, { q })).toMatchObject({
        status: 400,
        body: { ok: false, error: "empty_query" },
      });
    expect(await search(send, { q: "x".repeat(201) })).toMatchObject({
      status: 400,
      body: { ok: false, error: "query_too_long" },
    });
    expect(await search(send, { q: "x".repeat(200) })).toMatchObject({ status: 200 });
  });

  it("rule 6: counts characters, never bytes", async () => {
    const { send, note } = await givenPerson();
    await note({ content: "שלום" });
    expect(await search(send, { q: "ש".repeat(200) })).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await search(send, { q: "👋".repeat(200) })).toMatchObject({ status: 200 });
    expect(await search(send, { q: "לו" })).toMatchObject({ body: { count: 1 } });
  });

  it("rule 7: is open to anyone who is logged in, and to nobody else", async () => {
    const { send } = await givenPerson();
    expect((await search(send, { q: "x" })).status).toBe(200);
    expect(await sent(web.visitor(), "GET", "/search?q=x")).toMatchObject({
      status: 401,
      body: { ok: false },
    });
  });
});

describe("boards", () => {
  it("are listed from the default board on, made, named and deleted, their notes moving", async () => {
    const { send } = await givenPerson();
    const { body } = await send("GET", "/api/note-boards");
    expect(body).toMatchObject({ ok: true, boards: [{ is_default: true, notes: 0 }] });
    const [standard] = body.boards;
    const made = await send("POST", "/api/note-boards", { name: " רעיונות " });
    expect(made).toMatchObject({
      status: 201,
      body: { ok: true, board: { name: "רעיונות", is_default: false } },
    });
    const at = `/api/note-boards/${made.body.board.id}`;
    expect(await send("PATCH", at, { name: "Ideas" })).toMatchObject({
      body: { ok: true, board: { name: "Ideas" } },
    });
    await send("POST", `/board/${made.body.board.id}`, { title: "T" });
    expect(await send("POST", `/board/${made.body.board.id}`, { title: "T" })).toMatchObject({
      status: 409,
      body: { ok: false, error: "duplicate_title" },
    });

    expect(await send("DELETE", at)).toEqual({ status: 200, body: { ok: true, moved: 1 } });

    expect((await send("GET", `/board/${standard.id}`)).body).toMatchObject({
      count: 1,
      notes: [{ title: "T", board_id: standard.id }],
    });
    expect(await send("DELETE", at)).toMatchObject({ status: 404, body: { ok: false } });
    expect(await send("DELETE", `/api/note-boards/${standard.id}`)).toMatchObject({
      status: 409,
      body: { ok: false, error: "cannot_delete_default" },
    });
    for (const name of ["", "x".repeat(81), "a\nb", 5, undefined])
      expect(await send("POST", "/api/note-boards", { name })).toMatchObject({
        status: 400,
        body: { ok: false },
      });
  });
});
