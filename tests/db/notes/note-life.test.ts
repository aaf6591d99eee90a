import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { ensureDefaultBoard, removeBoard } from "#db/notes/boards/boards.server.ts";
import { locateNote } from "#db/notes/note-anchors.server.ts";
import { listPastContents, restoreContent } from "#db/notes/note-history.server.ts";
import { confirmNotePlace } from "#db/notes/note-pins.server.ts";
import { createNote, findNote, HISTORY_MAX, listNotes, updateNote } from "#db/notes/notes.server.ts";
import { removeNote, restoreNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { NOTES_PER_BOARD, type NoteTarget } from "#domain/notes/note.ts";
import { checkNewNote, type NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { countVerb } from "#tests/support/databases/changed-store.ts";
import { onBoard, onFile } from "#tests/support/given.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
const ROOMY = { maxPerUser: 1000 };
const LATER = afterNoon(DAY_MS);
const BODY = "import os\n\ndef read_all(path):\n    return open(path).read()\n\nprint(read_all('x'))\n";

const givenFile = async (owner: string, body = BODY, name = "a.py") =>
  onFile(await given.file(owner, name, body));
const givenNote = (owner: string, target: NoteTarget, fields: Partial<NoteFields> = {}) =>
  given.note(owner, fields, target);
const givenBoard = async (owner: string) => onBoard(await given.board(owner, "B"));
const findStandard = async (owner: string) => onBoard(await ensureDefaultBoard(db, owner, NOON));
const attempt = (owner: string, target: NoteTarget, quota = ROOMY) =>
  createNote(db, owner, { target, fields: orThrow(checkNewNote({})), quota, now: NOON });

const search = async (owner: string, needle: string) =>
  (await searchNotes(db, owner, { needle, limit: 30 })).notes.map(({ id }) => id);

describe("a file in the trash", () => {
  it("hides its notes from reading, writing and searching, and brings them back", async () => {
    const file = await givenFile("binner");
    const note = await givenNote("binner", file, { content: "hidden words" });
    expect(await search("binner", "hidden")).toEqual([note.id]);

    await trashFile(db, "binner", file.file_id, NOON);

    expect(await findNote(db, "binner", note.id)).toBeNull();
    const written = await updateNote(db, "binner", note.id, { content: "x" }, { now: NOON });
    expect(written).toMatchObject({ refused: "note_not_found" });
    expect(await search("binner", "hidden")).toEqual([]);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).toMatchObject({
      expires_at: afterNoon(30 * DAY_MS),
    });

    await restoreFile(db, "binner", file.file_id, LATER);

    expect(await listNotes(db, "binner", file)).toEqual([note]);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).not.toHaveProperty("expires_at");
    expect(await search("binner", "hidden")).toEqual([note.id]);
  });

  it("does not lengthen the life of a note that was deleted before it", async () => {
    const file = await givenFile("two dates");
    const note = await givenNote("two dates", file);
    await removeNote(db, "two dates", note.id, NOON);
    await trashFile(db, "two dates", file.file_id, LATER);
    await restoreFile(db, "two dates", file.file_id, LATER);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).toMatchObject({
      expires_at: afterNoon(30 * DAY_MS),
    });
  });

  it("takes its notes with it when it goes for good, deleted ones too", async () => {
    const file = await givenFile("purger");
    const [kept, deleted] = [await givenNote("purger", file), await givenNote("purger", file)];
    await removeNote(db, "purger", deleted.id, NOON);
    await trashFile(db, "purger", file.file_id, NOON);
    expect(await db.notes.countDocuments({ user_id: "purger" })).toBe(2);

    await purgeFile(db, "purger", file.file_id, NOON);

    expect(await db.notes.countDocuments({ user_id: "purger" })).toBe(0);
    expect(await restoreNote(db, "purger", kept.id, ROOMY, NOON)).toMatchObject({
      refused: "note_not_found",
    });
  });

  it("leaves no place taken by a note of a file that is no more", async () => {
    const file = await givenFile("stranded");
    await givenNote("stranded", file);
    await db.files.deleteOne({ _id: new ObjectId(file.file_id) });
    const other = await givenFile("stranded", BODY, "b.py");
    const quota = { maxPerUser: 1 };

    expect(await attempt("stranded", other, quota)).toMatchObject({ file_id: other.file_id });
    expect(await attempt("stranded", other, quota)).toMatchObject({ refused: "note_quota_exceeded" });
  });
});

describe("the past of a note", () => {
  it("keeps the last contents, newest first, and nothing of what did not change the content", async () => {
    const note = await givenNote("writer", await givenFile("writer"), { content: "0" });
    for (let i = 1; i <= HISTORY_MAX + 5; i += 1)
      await updateNote(db, "writer", note.id, { content: `${i}`, is_minimized: i % 2 === 0 }, { now: NOON });
    await updateNote(db, "writer", note.id, { color: "pink" }, { now: NOON });

    const past = orThrow(await listPastContents(db, "writer", note.id));

    expect(past.map(({ content }) => content)).toEqual(
      Array.from({ length: HISTORY_MAX }, (_, i) => `${HISTORY_MAX + 4 - i}`),
    );
  });

  it("can be made the present again, and the present then is past", async () => {
    const note = await givenNote("restorer", await givenFile("restorer"), { content: "first" });
    await updateNote(db, "restorer", note.id, { content: "second" }, { now: LATER });

    const restored = orThrow(await restoreContent(db, "restorer", note.id, note.updated_at, { now: LATER }));

    expect(restored.content).toBe("first");
    const past = orThrow(await listPastContents(db, "restorer", note.id));
    expect(past.map(({ content }) => content)).toEqual(["second", "first"]);
    expect(await restoreContent(db, "restorer", note.id, NOON, { prev: NOON, now: LATER })).toMatchObject({
      refused: "conflict",
    });
    expect(await restoreContent(db, "restorer", note.id, new Date(0), { now: LATER })).toMatchObject({
      refused: "note_content_not_found",
    });
  });

  it("is complete when sixteen write at once and each wins in the end", async () => {
    const note = await givenNote("all win", await givenFile("all win"), { content: "begin" });
    const writers = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
    await Promise.all(
      writers.map((content) => updateNote(db, "all win", note.id, { content }, { now: NOON })),
    );
    const past = orThrow(await listPastContents(db, "all win", note.id)).map(({ content }) => content);
    const stored = await findNote(db, "all win", note.id);
    expect([...past, required(stored).content].sort()).toEqual(["begin", ...writers].sort());
  });
});

describe("a note on lines of a file", () => {
  const find = async (owner: string, id: string) =>
    locateNote(db, owner, required(await findNote(db, owner, id)));
  const edit = (owner: string, body: string) => saveFile(db, owner, { file_name: "a.py", body }, LATER);

  it("is told where its lines are in a newer version, and nothing is written until it is pinned there", async () => {
    const note = await givenNote("mover", await givenFile("mover"), { line_start: 3, line_end: 4 });
    expect(await find("mover", note.id)).toMatchObject({ state: "same", line_start: 3, line_end: 4 });

    await edit("mover", `# head\n# more\n${BODY}`);

    const moved = { state: "moved", line_start: 5, line_end: 6, anchor_id: null };
    expect(await find("mover", note.id)).toEqual({ ...moved, from_version: 1, version: 2 });
    expect(await findNote(db, "mover", note.id)).toEqual(note);

    const pinned = orThrow(
      await confirmNotePlace(db, "mover", note.id, { prev: note.updated_at, now: LATER }),
    );

    expect(pinned).toMatchObject({ line_start: 5, line_end: 6, anchor: { version: 2 } });
    expect(await find("mover", note.id)).toMatchObject({ state: "same", line_start: 5, from_version: 2 });
    expect(await confirmNotePlace(db, "mover", note.id, { prev: note.updated_at, now: LATER })).toMatchObject(
      {
        refused: "conflict",
      },
    );
  });

  it("is told as changed or lost, and is not pinned to a place that is lost", async () => {
    const note = await givenNote("changer", await givenFile("changer"), { line_start: 4 });
    await edit("changer", BODY.replace("open(path).read()", "open(path).readlines()"));
    expect(await find("changer", note.id)).toMatchObject({ state: "changed", line_start: 4 });
    await edit("changer", "nothing of it\n");
    expect(await find("changer", note.id)).toMatchObject({ state: "lost", line_start: null });
    expect(await confirmNotePlace(db, "changer", note.id, { now: LATER })).toMatchObject({
      refused: "anchor_lost",
    });

    await edit("changer", BODY);

    expect(await find("changer", note.id)).toMatchObject({ state: "same", line_start: 4, version: 4 });
  });

  it("given other lines remembers those of the version that is shown", async () => {
    const note = await givenNote("chooser", await givenFile("chooser"), { line_start: 1 });
    await edit("chooser", `# head\n${BODY}`);
    await updateNote(db, "chooser", note.id, { line_start: 7 }, { now: LATER });
    expect(await find("chooser", note.id)).toMatchObject({ state: "same", line_start: 7, from_version: 2 });
  });

  it("on a heading finds it again by its line, and by its words when it moves", async () => {
    const md = "# Top\n\nwords\n\n## Same\n\none\n\n## Same\n\ntwo\n";
    const save = (body: string) => saveFile(db, "header", { file_name: "a.md", body }, LATER);
    const file = await givenFile("header", md, "a.md");
    const second = await givenNote("header", file, { anchor_id: "same-1", anchor_text: "Same" });
    const top = await givenNote("header", file, { anchor_id: "top", anchor_text: "Top" });
    expect(await find("header", second.id)).toMatchObject({
      state: "same",
      line_start: 9,
      anchor_id: "same-1",
    });

    await save(md.replace("words\n", "words\n\n## Same\n\nzero\n"));

    expect(await find("header", second.id)).toMatchObject({
      state: "moved",
      line_start: 13,
      anchor_id: "same-2",
    });
    await save("intro\n\nmore\n\n### Top\n");
    expect(await find("header", top.id)).toMatchObject({ state: "moved", line_start: 5, anchor_id: "top" });
    await save("intro\n");
    expect(await find("header", top.id)).toMatchObject({ state: "lost", anchor_id: null });
  });
});

describe("deleting a board", () => {
  it("sends a hundred notes together, and numbers the titles that are taken", async () => {
    const standard = await findStandard("many");
    await givenNote("many", standard, { title: "n 7" });
    const board = await givenBoard("many");
    const { id } = await givenNote("many", board, { title: "n 0" });
    const doc = required(await db.notes.findOne({ _id: new ObjectId(id) }));
    const others = Array.from({ length: 109 }, (_, i) => ({
      ...{ ...doc, _id: new ObjectId(), title: `n ${i + 1}` },
      ...{ user_slot: 10_000 + i, target_slot: 10_000 + i },
    }));
    await db.notes.insertMany(others);
    const counted = countVerb(db, "notes", "bulkWrite");

    expect(await removeBoard(counted.db, "many", board.board_id, NOON)).toEqual({ moved: 110 });

    expect(counted.calls).toBe(2);
    const notes = orThrow(await listNotes(db, "many", standard));
    expect(notes).toHaveLength(111);
    expect(notes.map(({ title }) => title)).toEqual(expect.arrayContaining(["n 7", "n 7 (2)", "n 109"]));
  });

  it("moves all notes to a full board too, which then takes no new one until it is below its limit", async () => {
    const standard = await findStandard("overfull");
    const note = await givenNote("overfull", standard);
    const doc = required(await db.notes.findOne({ _id: new ObjectId(note.id) }));
    const slots = Array.from({ length: NOTES_PER_BOARD }, (_, slot) => slot);
    const others = slots.filter((slot) => slot !== doc.target_slot && slot !== 0);
    await db.notes.insertMany(
      others.map((slot) => ({ ...doc, _id: new ObjectId(), user_slot: 10_000 + slot, target_slot: slot })),
    );
    const board = await givenBoard("overfull");
    for (const content of ["x", "y", "z"]) await givenNote("overfull", board, { content });

    expect(await removeBoard(db, "overfull", board.board_id, NOON)).toEqual({ moved: 3 });

    const notes = orThrow(await listNotes(db, "overfull", standard));
    const full = { refused: "note_quota_exceeded", context: { max: NOTES_PER_BOARD } };
    expect(notes.length).toBeGreaterThan(NOTES_PER_BOARD);
    for (const { id } of notes.slice(0, notes.length + 1 - NOTES_PER_BOARD)) {
      expect(await attempt("overfull", standard)).toMatchObject(full);
      await removeNote(db, "overfull", id, NOON);
    }
    expect(isRefusal(await attempt("overfull", standard))).toBe(false);
  });
});
