import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { createBoard, findDefaultBoard, listBoards, removeBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import { saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { removeNote, restoreNote } from "#db/notes/deleted-notes.server.ts";
import { locateOne } from "#db/notes/note-anchors.server.ts";
import { listPastContents, restoreContent } from "#db/notes/note-history.server.ts";
import { pinNote } from "#db/notes/note-pins.server.ts";
import {
  createNote,
  findNote,
  HISTORY_MAX,
  listNotes,
  type NoteRecord,
  updateNote,
} from "#db/notes/notes.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { NOTES_PER_BOARD, type NoteTarget } from "#domain/notes/note.ts";
import { checkDraft } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();
const ROOMY = { maxPerUser: 1000 };
const LATER = new Date(NOON.getTime() + DAY_MS);
const BODY = "import os\n\ndef read_all(path):\n    return open(path).read()\n\nprint(read_all('x'))\n";

async function givenFile(owner: string, body = BODY, file_name = "a.py") {
  const { file } = orThrow(await saveFile(db, owner, { file_name, body }, NOON));
  return { kind: "file", file_id: file.id } as const;
}

async function givenNote(owner: string, target: NoteTarget, fields: object = {}): Promise<NoteRecord> {
  return orThrow(
    await createNote(db, owner, { target, fields: orThrow(checkDraft(fields)), quota: ROOMY, now: NOON }),
  );
}

const found = async (owner: string, needle: string) =>
  (await searchNotes(db, owner, { needle, limit: 30 })).notes.map(({ id }) => id);

describe("a file in the trash", () => {
  it("hides its notes from reading, writing and searching, and brings them back", async () => {
    const file = await givenFile("binner");
    const note = await givenNote("binner", file, { content: "hidden words" });
    expect(await found("binner", "hidden")).toEqual([note.id]);

    await trashFile(db, "binner", file.file_id, NOON);

    expect(await findNote(db, "binner", note.id)).toBeNull();
    expect(await updateNote(db, "binner", note.id, { content: "x" }, { now: NOON })).toMatchObject({
      refused: "note_not_found",
    });
    expect(await found("binner", "hidden")).toEqual([]);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).toMatchObject({
      expires_at: new Date(NOON.getTime() + 30 * DAY_MS),
    });

    await restoreFile(db, "binner", file.file_id, LATER);

    expect(await listNotes(db, "binner", file)).toEqual([note]);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).not.toHaveProperty("expires_at");
    expect(await found("binner", "hidden")).toEqual([note.id]);
  });

  it("does not lengthen the life of a note that was deleted before it", async () => {
    const file = await givenFile("two dates");
    const note = await givenNote("two dates", file);
    await removeNote(db, "two dates", note.id, NOON);
    await trashFile(db, "two dates", file.file_id, LATER);
    await restoreFile(db, "two dates", file.file_id, LATER);
    expect(await db.notes.findOne({ _id: new ObjectId(note.id) })).toMatchObject({
      expires_at: new Date(NOON.getTime() + 30 * DAY_MS),
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

    expect(
      await createNote(db, "stranded", { target: other, fields: orThrow(checkDraft({})), quota, now: NOON }),
    ).toMatchObject({
      file_id: other.file_id,
    });
    expect(
      await createNote(db, "stranded", { target: other, fields: orThrow(checkDraft({})), quota, now: NOON }),
    ).toMatchObject({
      refused: "note_quota_exceeded",
    });
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
  const place = async (owner: string, id: string) =>
    locateOne(db, owner, required(await findNote(db, owner, id)));
  const edit = (owner: string, body: string) => saveFile(db, owner, { file_name: "a.py", body }, LATER);

  it("is told where its lines are in a newer version, and nothing is written until it is pinned there", async () => {
    const note = await givenNote("mover", await givenFile("mover"), { line_start: 3, line_end: 4 });
    expect(await place("mover", note.id)).toMatchObject({
      state: "same",
      line_start: 3,
      line_end: 4,
      version: 1,
    });

    await edit("mover", `# head\n# more\n${BODY}`);

    expect(await place("mover", note.id)).toEqual({
      state: "moved",
      line_start: 5,
      line_end: 6,
      anchor_id: null,
      from_version: 1,
      version: 2,
    });
    expect(await findNote(db, "mover", note.id)).toEqual(note);

    const pinned = orThrow(await pinNote(db, "mover", note.id, { prev: note.updated_at, now: LATER }));

    expect(pinned).toMatchObject({ line_start: 5, line_end: 6, anchor: { version: 2 } });
    expect(await place("mover", note.id)).toMatchObject({ state: "same", line_start: 5, from_version: 2 });
    expect(await pinNote(db, "mover", note.id, { prev: note.updated_at, now: LATER })).toMatchObject({
      refused: "conflict",
    });
  });

  it("is told as changed or lost, and is not pinned to a place that is lost", async () => {
    const note = await givenNote("changer", await givenFile("changer"), { line_start: 4 });
    await edit("changer", BODY.replace("open(path).read()", "open(path).readlines()"));
    expect(await place("changer", note.id)).toMatchObject({ state: "changed", line_start: 4 });
    await edit("changer", "nothing of it\n");
    expect(await place("changer", note.id)).toMatchObject({ state: "lost", line_start: null });
    expect(await pinNote(db, "changer", note.id, { now: LATER })).toMatchObject({ refused: "anchor_lost" });

    await edit("changer", BODY);

    expect(await place("changer", note.id)).toMatchObject({ state: "same", line_start: 4, version: 4 });
  });

  it("given other lines remembers those of the version that is shown", async () => {
    const note = await givenNote("chooser", await givenFile("chooser"), { line_start: 1 });
    await edit("chooser", `# head\n${BODY}`);
    await updateNote(db, "chooser", note.id, { line_start: 7 }, { now: LATER });
    expect(await place("chooser", note.id)).toMatchObject({ state: "same", line_start: 7, from_version: 2 });
  });

  it("on a heading finds it again by its line, and by its words when it moves", async () => {
    const md = "# Top\n\nwords\n\n## Same\n\none\n\n## Same\n\ntwo\n";
    const save = (body: string) => saveFile(db, "header", { file_name: "a.md", body }, LATER);
    const file = await givenFile("header", md, "a.md");
    const second = await givenNote("header", file, { anchor_id: "same-1", anchor_text: "Same" });
    const top = await givenNote("header", file, { anchor_id: "top", anchor_text: "Top" });
    expect(await place("header", second.id)).toMatchObject({
      state: "same",
      line_start: 9,
      anchor_id: "same-1",
    });

    await save(md.replace("words\n", "words\n\n## Same\n\nzero\n"));

    expect(await place("header", second.id)).toMatchObject({
      state: "moved",
      line_start: 13,
      anchor_id: "same-2",
    });
    await save("intro\n\nmore\n\n### Top\n");
    expect(await place("header", top.id)).toMatchObject({ state: "moved", line_start: 5, anchor_id: "top" });
    await save("intro\n");
    expect(await place("header", top.id)).toMatchObject({ state: "lost", anchor_id: null });
  });
});

describe("deleting a board", () => {
  type BulkWrite = Db["notes"]["bulkWrite"];
  /** A store whose writes to many notes are done so. */
  const writingBy = (bulkWrite: BulkWrite): Db => {
    const notes = new Proxy(db.notes, {
      get: (target, key) => (key === "bulkWrite" ? bulkWrite : Reflect.get(target, key)),
    });
    return { ...db, notes };
  };

  it("that is cut off loses no note: the next look at the boards goes on with it", async () => {
    const standard = await findDefaultBoard(db, "cut off", NOON);
    const board = orThrow(await createBoard(db, "cut off", "B", NOON));
    for (const title of ["a", "b", "c"])
      await givenNote("cut off", { kind: "board", board_id: board.id }, { title });
    const breaking = writingBy(async (writes) => {
      await db.notes.bulkWrite(writes.slice(0, 1));
      throw new Error("gone");
    });
    await expect(removeBoard(breaking, "cut off", board.id, NOON)).rejects.toThrow("gone");

    expect(await listBoards(db, "cut off", NOON)).toMatchObject([{ id: standard.id }]);

    const notes = orThrow(await listNotes(db, "cut off", { kind: "board", board_id: standard.id }));
    expect(notes.map(({ title }) => title)).toEqual(["a", "b", "c"]);
    expect(await db.boards.countDocuments({ user_id: "cut off" })).toBe(1);
  });

  it("sends a hundred notes together, and numbers the titles that are taken", async () => {
    const standard = await findDefaultBoard(db, "many", NOON);
    await givenNote("many", { kind: "board", board_id: standard.id }, { title: "n 7" });
    const board = orThrow(await createBoard(db, "many", "B", NOON));
    const target = { kind: "board", board_id: board.id } as const;
    for (let n = 0; n < 110; n += 1) await givenNote("many", target, { title: `n ${n}` });
    let sent = 0;
    const counting = writingBy((writes, options) => {
      sent += 1;
      return db.notes.bulkWrite(writes, options);
    });

    expect(await removeBoard(counting, "many", board.id, NOON)).toEqual({ moved: 110 });

    expect(sent).toBe(2);
    const notes = orThrow(await listNotes(db, "many", { kind: "board", board_id: standard.id }));
    expect(notes).toHaveLength(111);
    expect(notes.map(({ title }) => title)).toEqual(expect.arrayContaining(["n 7", "n 7 (2)", "n 109"]));
  });

  it("moves all notes to a full board too, which then takes no new one until it is below its limit", async () => {
    const standard = await findDefaultBoard(db, "overfull", NOON);
    const target = { kind: "board", board_id: standard.id } as const;
    const slots = Array.from({ length: NOTES_PER_BOARD }, (_, i) => i);
    const one = await givenNote("overfull", target);
    const doc = required(await db.notes.findOne({ _id: new ObjectId(one.id) }));
    const rest = slots.filter((slot) => slot !== doc.target_slot && slot !== 0);
    await db.notes.insertMany(
      rest.map((slot) => ({ ...doc, _id: new ObjectId(), user_slot: 10_000 + slot, target_slot: slot })),
    );
    const board = orThrow(await createBoard(db, "overfull", "B", NOON));
    for (const content of ["x", "y", "z"])
      await givenNote("overfull", { kind: "board", board_id: board.id }, { content });

    expect(await removeBoard(db, "overfull", board.id, NOON)).toEqual({ moved: 3 });

    const notes = orThrow(await listNotes(db, "overfull", target));
    expect(notes.length).toBeGreaterThan(NOTES_PER_BOARD);
    const attempt = () =>
      createNote(db, "overfull", { target, fields: orThrow(checkDraft({})), quota: ROOMY, now: NOON });
    for (const note of notes.slice(0, notes.length - NOTES_PER_BOARD)) {
      expect(await attempt()).toMatchObject({
        refused: "note_quota_exceeded",
        context: { max: NOTES_PER_BOARD },
      });
      await removeNote(db, "overfull", note.id, NOON);
    }
    expect(await attempt()).toMatchObject({ refused: "note_quota_exceeded" });
    await removeNote(db, "overfull", required(notes.at(-1)).id, NOON);
    expect(isRefusal(await attempt())).toBe(false);
  });
});
