import { describe, expect, it } from "vitest";
import { CONTENT_MAX } from "#domain/notes/note.ts";
import { required } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { ABSENT_ID, onBoard, onFile } from "#tests/support/given.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ MAX_NOTES_PER_USER: "60" });
const { db, given } = web;

/** A person with a file, and their calls of the API. */
async function givenPerson() {
  const visitor = await web.person();
  const fileId = (await given.file(visitor.id, "a.md", "# One\n\ntext\n\n## Two\n")).id;
  const send = (method: string, path: string, body?: unknown) =>
    visitor.send(method, `/api/sticky-notes${path}`, body);
  const note = (fields: object = {}) => visitor.addNote(fileId, fields);
  const act = (noteId: string, intent: string, next: string) =>
    visitor.press(`/note/${noteId}`, { intent, next });
  return { id: visitor.id, visitor, fileId, send, note, act };
}

it("a note that a client moves to another board goes to the requested spot; an invalid request moves nothing", async () => {
  const { id, send } = await givenPerson();
  const [from, to] = [await given.board(id, "From"), await given.board(id, "To")];
  const note = await given.note(id, { content: "goes" }, onBoard(from));
  const move = (wish: object) => send("POST", `/note/${note.id}/move`, wish);
  const countOnFirst = async () => (await send("GET", `/board/${from.id}`)).body.count;

  for (const [wish, status] of [
    [{ board_id: 7 }, 400],
    [{ board_id: to.id, position: "left" }, 400],
    [{ board_id: ABSENT_ID }, 404],
  ] as const)
    expect((await move(wish)).status).toBe(status);
  expect(await countOnFirst()).toBe(1);

  const position = { x: 320, y: 240 };
  const moved = { ok: true, note: { board_id: to.id, position } };
  expect(await move({ board_id: to.id, position })).toMatchObject({ status: 200, body: moved });
  expect(await countOnFirst()).toBe(0);
  expect((await move({ board_id: to.id })).status).toBe(200);
});

describe("notes on a file", () => {
  it("whose lines are lost are in a folded list above the code, with their old position and a way to attach them", async () => {
    const { id, visitor, fileId, note } = await givenPerson();
    const { id: lost } = await note({ content: "about what is gone", line_start: 3, line_end: 4 });
    const { id: whole } = await note({ content: "about all of it" });
    expect(await visitor.read(`/file/${fileId}`)).not.toContain("note-fold");
    await given.file(id, "a.md", "nothing\nof\nit\n");

    const html = await visitor.read(`/file/${fileId}`);

    const fold = required(/<details class="[^"]*note-fold">.*?class="[^"]*code-box/s.exec(html))[0];
    for (const fragment of [
      "<summary>1 detached note</summary>",
      `id="note-${lost}"`,
      "Was on lines 3–4, which were deleted.",
      `<a href="/note/${lost}/edit">Attach to lines…</a>`,
    ])
      expect(fold).toContain(fragment);
    expect(fold).not.toContain("Attach to line 1");
    expect(fold).not.toContain(`id="note-${whole}"`);
    expect(html).toContain(`id="note-${whole}"`);

    const all = await visitor.read("/notes");
    const findPlace = (note: string) => new RegExp(`href="/note/${note}"[^>]*>(.*?)</a>`, "s").exec(all)?.[1];
    expect(findPlace(lost)).toContain("detached");
    expect(findPlace(whole)).toContain("a.md");
    expect(findPlace(whole)).not.toContain("detached");
  });

  it("whose lines are lost offer similar lines, and one press attaches them while those exist", async () => {
    const { id, visitor, send, act } = await givenPerson();
    const save = (text: string) => given.file(id, "letters.py", text);
    const { id: fileId } = await save("sendLetter(customer, invoice)\nclose(door)\nlock(door)\n");
    const { id: noteId } = await visitor.addNote(fileId, { content: "about letters", line_start: 1 });
    const readPage = () => visitor.read(`/file/${fileId}`);
    const attach = (line: string) => act(noteId, `attach:${line}`, `/file/${fileId}`);
    const later = "close(door)\nlock(door)\nif customer:\n    sendLetter(customer, greeting)\n";
    await save(later);

    const html = await readPage();
    expect(html).toContain('value="attach:4">Attach to line 4</button>');
    expect(html).toContain('<code class="block cut" dir="ltr">sendLetter(customer, greeting)</code>');
    await attach("1");
    expect(await readPage()).toContain("1 detached note");

    await save(`read(book)\n${later}`);
    await attach("4");
    expect(await readPage()).toContain("1 detached note");
    expect((await attach("5")).location).toBe(`/file/${fileId}#note-${noteId}`);

    const attached = await readPage();
    expect(attached).not.toContain("detached note");
    expect(attached).toMatch(new RegExp(`id="L5"><a class="line-note middle" href="#note-${noteId}"`));
    const { notes } = (await send("GET", `/${fileId}`)).body;
    expect(notes[0]).toMatchObject({ line_start: 5, line_end: null, anchor: { state: "same" } });
  });

  it("are moved to a board that is chosen on a page, and taken back by Undo or the menu of the note", async () => {
    const { id, visitor, fileId, note, act } = await givenPerson();
    const board = `/boards/${(await given.board(id, "Plans")).id}`;
    const boardId = board.slice("/boards/".length);
    const { id: noteId } = await note({ content: "goes", line_start: 1, line_end: 1 });

    expect(await visitor.read(`/file/${fileId}`)).toContain(`href="/boards?move=${noteId}"`);
    const choice = await visitor.read(`/boards?move=${noteId}`);
    expect(choice).toContain(`value="move:${boardId}"`);
    expect(choice).toContain(`value="/file/${fileId}?L=1"`);
    expect(await visitor.read("/boards?move=nonsense")).not.toContain("data-board-move");

    const moved = await act(noteId, `move:${boardId}`, `/file/${fileId}?L=1`);
    expect(moved.location).toBe(`/file/${fileId}?L=1`);
    expect(await visitor.read(board)).toContain(`id="note-${noteId}"`);

    const back = await act(noteId, "return", `/file/${fileId}`);
    expect(back.location).toBe(`/file/${fileId}#note-${noteId}`);
    expect(await visitor.read(`/file/${fileId}`)).toMatch(
      new RegExp(`id="L1"><a class="line-note middle" href="#note-${noteId}"`),
    );

    await act(noteId, `move:${boardId}`, "");
    expect(await visitor.read(board)).toMatch(/value="return">.*?Return to \u2066a\.md\u2069/);
    expect((await act(noteId, "return", board)).location).toBe(board);
    const after = await visitor.read(board);
    expect(after).toContain("Moved “\u2068goes\u2069” to “\u2068a.md\u2069”");
    expect(after).toContain(`value="move:${boardId}:`);
    expect(after).not.toContain(`id="note-${noteId}"`);
  });

  it("whose lines have moved are shown on the lines they are on now, wherever a page names them", async () => {
    const { id, visitor, fileId, note } = await givenPerson();
    const { id: noteId } = await note({ content: "moved", line_start: 3, line_end: 5 });
    await given.file(id, "a.md", "new\nlines\n# One\n\ntext\n\n## Two\n");

    expect((await visitor.show(`/note/${noteId}`)).location).toBe(`/file/${fileId}?L=5-7#note-${noteId}`);
    expect(await visitor.read("/notes")).toContain("Lines 5–7");
    expect(await visitor.read(`/note/${noteId}/edit`)).toMatch(
      /name="line_start"[^>]* value="5"|value="5"[^>]* name="line_start"/,
    );

    await given.file(id, "a.md", "nothing\nof\nit\n");
    expect(await visitor.read("/notes")).not.toContain("Lines ");
    expect((await visitor.show(`/note/${noteId}`)).location).toBe(`/file/${fileId}#note-${noteId}`);
  });

  it("are created with every field, and listed unchanged", async () => {
    const { fileId, send } = await givenPerson();
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

    const { status, body } = await send("POST", `/${fileId}`, fields);

    expect([status, body]).toMatchObject([201, { ok: true, id: body.note.id }]);
    const { id: _, anchor: __, ...note } = body.note;
    expect(note).toEqual({
      ...fields,
      color: "#a0b1c2",
      kind: "file",
      file_id: fileId,
      board_id: null,
      repo_name: null,
      repo_path: null,
      orphaned: false,
      created_at: toTimestamp(NOON),
      updated_at: toTimestamp(NOON),
      prev_updated_at: toTimestamp(NOON),
      reminder: null,
    });
    const listed = await send("GET", `/${fileId}`);
    expect([listed.status, listed.body]).toEqual([200, { ok: true, notes: [body.note], count: 1 }]);
  });

  it("end at the quota of a file and at that of a person", async () => {
    const { id, fileId, send } = await givenPerson();
    const other = await given.file(id, "b.md");
    const fill = async (file: { id: string }, count: number) => {
      for (let i = 0; i < count; i += 1) await given.note(id, {}, onFile(file));
      return (await send("POST", `/${file.id}`, {})).status;
    };
    const refusal = (max: number) => ({
      status: 409,
      body: { ok: false, error: "note_quota_exceeded", max },
    });

    expect(await fill({ id: fileId }, 49)).toBe(201);
    expect(await send("POST", `/${fileId}`, {})).toMatchObject(refusal(50));
    expect(await fill(other, 9)).toBe(201);
    expect(await send("POST", `/${other.id}`, {})).toMatchObject(refusal(60));
  });
});

describe("the form of a new note", () => {
  it("names the board that the note is for", async () => {
    const { id, visitor } = await givenPerson();
    const readLead = async (query: string) =>
      /<p class="soft below-3">(.*?)<\/p>/.exec(await visitor.read(`/notes/new${query}`))?.[1];

    expect(await readLead(`?board=${(await given.board(id, "Plans")).id}`)).toBe("On \u2068Plans\u2069");
    expect(await readLead("")).toBe("On \u2068My board\u2069");
  });

  it("sent twice, or again because no answer came, makes one note", async () => {
    const { id, fileId, visitor } = await givenPerson();
    const path = `/notes/new?file=${fileId}`;
    const form_key = required(/name="form_key" value="([^"]+)"/.exec(await visitor.read(path))?.[1]);
    const send = async (more: object = {}) =>
      required((await visitor.press(path, { content: "once", color: "yellow", form_key, ...more })).location);

    const clicks = await Promise.all([send(), send(), send()]);
    const again = await send();
    const other = await send({ content: "another text of the same page" });
    expect(await db.notes.countDocuments({ user_id: id })).toBe(2);
    expect(await visitor.read("/notes")).toContain("<p>Note saved</p>");
    await db.notes.updateOne({ user_id: id, content: "once" }, { $set: { deleted_at: NOON } });
    const anew = await send();

    expect(new Set([...clicks, again]).size).toBe(1);
    expect(new Set([again, other, anew]).size).toBe(3);
  });
});

describe("the preview of a text", () => {
  const bodyIn = (html: string) => required(/data-note-body[^>]*>(.*?)<\/div>/s.exec(html))[1];

  it("is the body that the saved note has, with the boxes of its form", async () => {
    const { visitor, fileId, note } = await givenPerson();
    const content = "# <b>Head</b>\n- [ ] task\n\n> [link](https://a.example)\n\nשלום **עולם**";
    const { id } = await note({ content });
    const saved = await visitor.read(`/file/${fileId}`);

    const preview = await visitor.press("/notes/preview", { content, note_id: id });
    const withoutNote = await visitor.press("/notes/preview", { content });

    const body = bodyIn(preview.html);
    expect(body).toContain(`form="form-${id}"`);
    expect(body).toBe(bodyIn(saved));
    expect(bodyIn(withoutNote.html)).toBe(body?.replace(`form="form-${id}"`, "disabled"));
    expect(preview.headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none'/);
  });

  it("is refused where the note would be, and stores nothing", async () => {
    const { id, visitor } = await givenPerson();
    const send = async (length: number) =>
      (await visitor.press("/notes/preview", { content: "x".repeat(length) })).status;

    expect([await send(CONTENT_MAX), await send(CONTENT_MAX + 1)]).toEqual([200, 400]);
    expect(await db.notes.countDocuments({ user_id: id })).toBe(0);
  });
});

describe("the form of a note", () => {
  it("on a file changes its visible fields and no others", async () => {
    const { visitor, note } = await givenPerson();
    const position = { x: 300, y: 200 };
    const { id } = await note({ content: "before", line_start: 1, is_minimized: true, position });
    const html = await visitor.read(`/note/${id}/edit`);
    const hidden = (name: string) =>
      required(new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]).replaceAll("&quot;", '"');
    const form = { shown: hidden("shown"), prev_updated_at: hidden("prev_updated_at"), color: "yellow" };

    const saved = await visitor.press(`/note/${id}/edit`, { ...form, content: "after", line_start: "2" });

    expect(saved.status).toBe(303);
    const stored = await db.notes.findOne({ content: "after" });
    expect(stored).toMatchObject({ line_start: 2, is_minimized: true, position });
    expect(await visitor.read("/notes")).toContain("<p>Note saved</p>");
  });

  it("sent again because no answer came is no conflict, and another text is", async () => {
    const { visitor, note } = await givenPerson();
    const { id, updated_at: prev_updated_at } = await note({ content: "before" });
    const send = async (content: string) =>
      (await visitor.press(`/note/${id}/edit`, { content, prev_updated_at })).status;

    expect([await send("mine"), await send("mine"), await send("other")]).toEqual([303, 303, 409]);
    expect((await db.notes.findOne({ content: "mine" }))?._id.toHexString()).toBe(id);
  });
});

describe("updating a note", () => {
  it("answers with the note and its new moment, which the next update may name in any zone", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content: "a" });
    const update = (fields: object) => send("PUT", `/note/${id}`, fields);
    const first = await update({ content: "b", prev_updated_at: updated_at });
    expect(first).toMatchObject({ status: 200, body: { ok: true, note: { id, content: "b" } } });
    expect(first.body.updated_at).not.toBe(updated_at);
    const prev_updated_at = first.body.updated_at.replace("T12:", "T14:").replace("+00:00", "+02:00");
    const changed = { note: { content: "b", color: "pink" } };
    expect(await update({ color: "pink", prev_updated_at })).toMatchObject({ status: 200, body: changed });
  });

  it("from a stale state is 409 with what is stored; without a state the last write wins", async () => {
    const { send, note } = await givenPerson();
    const { id, updated_at } = await note({ content: "a" });
    const update = (fields: object) => send("PUT", `/note/${id}`, fields);
    const { body } = await update({ content: "b" });
    const stale = await update({ content: "c", prev_updated_at: updated_at });
    expect(stale.status).toBe(409);
    expect(stale.body).toEqual({
      ok: false,
      error: "conflict",
      code: "conflict",
      message: expect.any(String),
      updated_at: body.updated_at,
      content: "b",
      note: body.note,
    });
    expect((await update({ content: "d" })).body.note.content).toBe("d");
  });

  it("refuses an invalid time, and another target", async () => {
    const { send, note, fileId } = await givenPerson();
    const { id } = await note();
    const update = (fields: object) => send("PUT", `/note/${id}`, { content: "x", ...fields });
    const refusal = (error: string) => ({ status: 400, body: { ok: false, error } });
    expect(await update({ prev_updated_at: "yesterday" })).toMatchObject(refusal("invalid_prev_updated_at"));
    expect(await update({ board_id: ABSENT_ID })).toMatchObject(refusal("target_fixed"));
    expect((await update({ file_id: fileId, board_id: null })).status).toBe(200);
  });
});

it("deleting a note deletes its reminder, and undo restores both", async () => {
  const { id: user_id, fileId, send, note } = await givenPerson();
  const { id } = await note({ content: "remember the milk" });
  const readNotes = async () => (await send("GET", `/${fileId}`)).body.notes;
  const { remind_at } = (await send("POST", `/note/${id}/reminder`, { preset: "1h" })).body;
  const reminder = { note_id: id, status: "pending", remind_at, preview: "remember the milk" };
  expect((await readNotes())[0].reminder).toMatchObject(reminder);

  expect((await send("DELETE", `/note/${id}`)).body).toEqual({ ok: true });

  expect(await readNotes()).toEqual([]);
  expect(await db.reminders.countDocuments({ user_id })).toBe(0);
  expect((await send("DELETE", `/note/${id}`)).status).toBe(404);
  const restored = { status: 200, body: { ok: true, note: { id, reminder: { remind_at } } } };
  expect(await send("POST", `/note/${id}/restore`)).toMatchObject(restored);
});

it("a batch has a status for each update, in order, and changes nothing for those that are refused", async () => {
  const { send, note } = await givenPerson();
  const [a, b, c] = [await note({ content: "a" }), await note({ content: "b" }), await note()];
  await send("PUT", `/note/${b.id}`, { content: "newer" });

  const { status, body } = await send("POST", "/batch", {
    updates: [
      { id: a.id, content: "a2", prev_updated_at: a.updated_at },
      { id: b.id, content: "b2", prev_updated_at: b.updated_at },
      { id: ABSENT_ID, content: "x" },
      { id: c.id, color: "mauve" },
      { content: "no id" },
      { id: a.id, is_minimized: true },
    ],
  });

  expect([status, body.ok]).toEqual([200, true]);
  expect(body.results).toMatchObject([
    { id: a.id, ok: true, status: 200, note: { content: "a2" } },
    { id: b.id, ok: false, status: 409, error: "conflict", content: "newer", note: { content: "newer" } },
    { id: ABSENT_ID, ok: false, status: 404, error: "Note not found" },
    { id: c.id, ok: false, status: 400, error: "invalid_color" },
    { id: null, ok: false, status: 400, error: "invalid_payload" },
    { id: a.id, ok: true, status: 200, note: { content: "a2", is_minimized: true } },
  ]);
});

describe("toggling a task", () => {
  const content = "list\n- [ ] one\n```\n- [ ] code\n```\n  * [x] two\n+ [X]";

  async function givenTasks() {
    const { send, note, ...person } = await givenPerson();
    const { id, updated_at } = await note({ content });
    const tick = (index: unknown, checked: unknown = true, prev_updated_at: unknown = updated_at) =>
      send("POST", `/note/${id}/task`, { index, checked, prev_updated_at });
    return { ...person, send, id, updated_at, tick };
  }

  it("rule 1: requires the caller's own note before anything else, and otherwise returns empty content", async () => {
    const { id, updated_at } = await givenTasks();
    const { visitor: stranger } = await givenPerson();
    const noNote = { ok: false, error: "Note not found", content: null };
    for (const [visitor, noteId, tick, status, body] of [
      [stranger, id, { index: 0, checked: true, prev_updated_at: updated_at }, 404, noNote],
      [stranger, ABSENT_ID, { index: "none" }, 404, noNote],
      [web.visitor(), ABSENT_ID, {}, 401, { content: null }],
    ] as const) {
      const answer = await visitor.send("POST", `/api/sticky-notes/note/${noteId}/task`, tick);
      expect(answer).toMatchObject({ status, body });
    }
  });

  it("rule 2: prev_updated_at must match, else 409, absent as well as stale", async () => {
    const { tick } = await givenTasks();
    for (const moment of [null, "2037-01-01T00:00:00.000+00:00"])
      expect(await tick(99, true, moment)).toMatchObject({
        status: 409,
        body: { ok: false, error: "conflict", content },
      });
  });

  it("rule 3: an ordinal that does not exist is 409 with the stored content", async () => {
    const { id, tick } = await givenTasks();
    const refusal = { ok: false, error: "task_index_not_found", content, note: { id } };
    expect(await tick(3)).toMatchObject({ status: 409, body: refusal });
  });

  it("rule 4: a task that has the state already is 200, and nothing is written", async () => {
    const { updated_at, tick } = await givenTasks();
    for (const answer of [await tick(0, false), await tick(1, true), await tick(2, true)])
      expect(answer).toMatchObject({ status: 200, body: { ok: true, changed: false, content, updated_at } });
  });

  it("rule 5: only the mark changes, and the answer is what is stored", async () => {
    const { send, tick, fileId } = await givenTasks();
    const { body } = await tick(1, false);
    expect(body).toMatchObject({ ok: true, changed: true, content: content.replace("* [x]", "* [ ]") });
    expect((await send("GET", `/${fileId}`)).body.notes).toEqual([body.note]);
  });

  it("rule 6: every answer carries the stored content, bad requests included", async () => {
    const { id, send, tick } = await givenTasks();
    const answers = [await tick("0"), await tick(0, 1), await tick(0, true, "soon")];
    for (const body of [[], "{"]) answers.push(await send("POST", `/note/${id}/task`, body));
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { ok: false, content } });
  });
});

describe("searching notes", () => {
  const givenSearcher = async () => {
    const person = await givenPerson();
    const search = (query: Record<string, string>) =>
      person.send("GET", `/search?${new URLSearchParams(query)}`);
    return { ...person, search };
  };

  it("finds the user's own notes by title and by body, on files, boards and repository files", async () => {
    const { id, fileId, search, note } = await givenSearcher();
    await (await givenPerson()).note({ content: "needle of another" });
    const board = await given.board(id, "Ideas");
    await note({ content: "a needle here" });
    await given.note(id, { title: "Needle", content: "on a board" }, onBoard(board));
    const onRepo = { repo_name: "o/r", repo_path: "src/x.ts" };
    await given.note(id, { content: "NEEDLE" }, { kind: "repo", ...onRepo });

    const { status, body } = await search({ q: " needle " });

    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, query: "needle", count: 3, has_more: false });
    const rows = Object.fromEntries(body.results.map((row: { kind: string }) => [row.kind, row]));
    const preview = { preview: "a needle here", preview_truncated: false };
    expect(rows).toMatchObject({
      file: { file_id: fileId, file_name: "a.md", ...preview },
      board: { board_id: board.id, board_name: "Ideas", title: "Needle" },
      repo: { ...onRepo, url: `/note/${rows.repo.id}` },
    });
    expect(rows.file).not.toHaveProperty("content");
  });

  it("lists titles first, and in each group the newest", async () => {
    const { send, search, note } = await givenSearcher();
    const fields = [{ title: "x 1" }, { content: "x 2" }, { title: "x 3" }, { content: "x 4" }];
    const ids: string[] = [];
    for (const field of fields) ids.push((await note(field)).id);
    for (const id of ids.toReversed()) {
      web.clock.set(new Date(web.clock().getTime() + 1000));
      await send("PUT", `/note/${id}`, { is_minimized: true });
    }
    const results: { id: string }[] = (await search({ q: "x" })).body.results;
    expect(results.map(({ id }) => ids.indexOf(id))).toEqual([0, 2, 1, 3]);
  });

  it("gives 30 unless asked, 50 at most, and says whether there are more", async () => {
    const { id, fileId, search } = await givenSearcher();
    const board = await given.board(id, "B");
    for (let i = 0; i < 51; i += 1) {
      const color = i < 31 ? "pink" : "blue";
      await given.note(id, { content: "many", color }, i % 2 ? onBoard(board) : onFile({ id: fileId }));
    }
    for (const [query, count, has_more] of [
      [{}, 30, true],
      [{ limit: "999" }, 50, true],
      [{ color: "pink", limit: "31" }, 31, false],
    ] as const)
      expect((await search({ q: "many", ...query })).body).toMatchObject({ count, has_more });
    const wrong = await search({ q: "many", color: "mauve" });
    expect(wrong).toMatchObject({ status: 400, body: { error: "invalid_color" } });
  });
});

it("boards are listed from the default board on, made, named and deleted, and their notes move", async () => {
  const { visitor, send } = await givenPerson();
  const ask = (method: string, body?: object, id = "") => visitor.send(method, `/api/note-boards${id}`, body);
  const { body } = await ask("GET");
  expect(body).toMatchObject({ ok: true, boards: [{ is_default: true, notes: 0 }] });
  const [standard] = body.boards;
  const created = await ask("POST", { name: " רעיונות " });
  const board = { name: "רעיונות", is_default: false };
  expect(created).toMatchObject({ status: 201, body: { ok: true, board } });
  const { id } = created.body.board;
  const renamed = { ok: true, board: { name: "Ideas" } };
  expect((await ask("PATCH", { name: "Ideas" }, `/${id}`)).body).toMatchObject(renamed);
  await send("POST", `/board/${id}`, { title: "T" });
  const duplicate = { status: 409, body: { ok: false, error: "duplicate_title" } };
  expect(await send("POST", `/board/${id}`, { title: "T" })).toMatchObject(duplicate);

  expect((await ask("DELETE", undefined, `/${id}`)).body).toEqual({ ok: true, moved: 1 });

  const moved = { count: 1, notes: [{ title: "T", board_id: standard.id }] };
  expect((await send("GET", `/board/${standard.id}`)).body).toMatchObject(moved);
  expect((await ask("DELETE", undefined, `/${id}`)).status).toBe(404);
  const refused = { status: 409, body: { ok: false, error: "cannot_delete_default" } };
  expect(await ask("DELETE", undefined, `/${standard.id}`)).toMatchObject(refused);
  expect((await ask("POST", { name: "a\nb" })).status).toBe(400);
});
