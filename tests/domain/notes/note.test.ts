import { describe, expect, it } from "vitest";
import {
  checkClaims,
  checkColor,
  computeChangeTime,
  hasOneTarget,
  hasUniqueTitles,
  type NoteTarget,
  notesPerTarget,
  numberedTitle,
  targetFields,
  targetKey,
  toTarget,
} from "#domain/notes/note.ts";
import { joinNoteVersions, mergeNote } from "#domain/notes/note-merge.ts";
import { noteName } from "#domain/notes/note-place.ts";
import { checkPrevUpdatedAt, noteBatch, noteUpdate, taskTick } from "#domain/notes/note-request.ts";
import { checkChanges, checkLines, checkNewNote, NEW_NOTE, toNoteFields } from "#domain/notes/note-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

const NOWHERE = { file_id: null, board_id: null, repo_name: null, repo_path: null };

describe("the target of a note", () => {
  const targets: [NoteTarget, string, { max: number; unique: boolean }][] = [
    [{ kind: "file", file_id: "f" }, "file:f", { max: 50, unique: false }],
    [{ kind: "board", board_id: "b" }, "board:b", { max: 200, unique: true }],
    [{ kind: "repo", repo_name: "o/r", repo_path: "a.ts" }, "repo:o/r:a.ts", { max: 50, unique: true }],
  ];

  it.each(targets)("%j has one key, and the rules of its kind", (target, key, { max, unique }) => {
    const { kind, ...names } = target;
    expect(targetKey(target)).toBe(key);
    expect(targetFields(target)).toEqual({ ...NOWHERE, ...names });
    expect(toTarget({ kind, ...NOWHERE, ...names })).toEqual(target);
    expect([notesPerTarget(target), hasUniqueTitles(target)]).toEqual([max, unique]);
  });

  it("is the fields of its kind, all of them and no others", () => {
    const repo = { kind: "repo", ...NOWHERE, repo_name: "o/r", repo_path: "a.ts" } as const;
    expect(hasOneTarget(repo)).toBe(true);
    expect(hasOneTarget({ ...repo, repo_path: null })).toBe(false);
    expect(hasOneTarget({ ...repo, file_id: "f" })).toBe(false);
    expect(hasOneTarget({ kind: "board", ...NOWHERE })).toBe(false);
    expect(() => toTarget({ ...repo, repo_path: null })).toThrow("repo_path of a note");
  });

  it("stays: a request that names another one is refused, one that names the same is not", () => {
    const note = { id: "n", ...NOWHERE, file_id: "f" };
    expect(checkClaims({}, note)).toBeNull();
    expect(checkClaims({ id: "n", file_id: "f", board_id: null }, note)).toBeNull();
    expect(checkClaims({ board_id: undefined }, note)).toBeNull();
    for (const [field, value] of [
      ["id", "other"],
      ["file_id", null],
      ["board_id", "b"],
      ["repo_name", "o/r"],
      ["repo_path", "a.ts"],
    ] as const)
      expect(checkClaims({ [field]: value }, note)).toMatchObject({
        refused: "target_fixed",
        context: { field },
      });
  });
});

describe("the colour of a note", () => {
  it.each(["yellow", "pink", "blue", "green", "orange", "purple", "#0a1b2c"])("is %s", (color) => {
    expect(checkColor(color)).toBe(color);
    const isName = !color.startsWith("#");
    expect(checkColor(color.toUpperCase())).toEqual(
      isName ? expect.objectContaining({ refused: "invalid_color" }) : color,
    );
  });

  it.each(["", "red", "#fff", "#12345g", "#1234567", "x#123456", 7, null])("is never %j", (color) => {
    expect(checkColor(color)).toMatchObject({ refused: "invalid_color", context: { field: "color" } });
  });
});

const refusal = (refused: string, field: string) => ({ refused, context: { field } });

describe("the fields of a note", () => {
  it.each<[field: string, least: number, most: number, write: (value: number) => object]>([
    ["x", 0, 100_000, (x) => ({ position: { x, y: 5 } })],
    ["y", 0, 1_000_000, (y) => ({ position: { x: 5, y } })],
    ["width", 120, 1200, (width) => ({ size: { width, height: 200 } })],
    ["height", 80, 1200, (height) => ({ size: { width: 200, height } })],
    ["line_start", 1, 10_000_000, (line_start) => ({ line_start })],
  ])("hold %s from %i to %i", (field, least, most, write) => {
    for (const value of [least, most]) expect(checkChanges(write(value))).toEqual(write(value));
    for (const value of [least - 1, most + 1])
      expect(checkChanges(write(value))).toMatchObject({ refused: "out_of_range", context: { field } });
  });

  it.each([
    ["content", 20_000, "content_too_long"],
    ["title", 80, "title_too_long"],
    ["anchor_id", 1_000, "out_of_range"],
    ["anchor_text", 1_000, "out_of_range"],
  ])("count the characters of %s and not its code units: %i at most", (field, max, refused) => {
    expect(checkChanges({ [field]: "👋".repeat(max) })).toEqual({ [field]: "👋".repeat(max) });
    expect(checkChanges({ [field]: "👋".repeat(max + 1) })).toMatchObject({ refused, context: { field } });
  });

  it("take a title without the blanks around it, and none for an empty one", () => {
    expect(checkChanges({ title: "  plan " })).toEqual({ title: "plan" });
    expect(checkChanges({ title: "  " })).toEqual({ title: null });
    expect(checkChanges({ anchor_id: "" })).toEqual({ anchor_id: null });
    expect(checkChanges({ title: "a\u0007b" })).toMatchObject(refusal("invalid_title", "title"));
  });

  it.each([
    ["another field", { user_id: "1" }, "invalid_payload", "user_id"],
    ["another field within one", { position: { x: 1, y: 1, z: 1 } }, "invalid_payload", "position.z"],
    ["another mode", { mode: "flying" }, "invalid_mode", "mode"],
    ["part of a line", { line_start: 1.5 }, "invalid_payload", "line_start"],
    ["a line in quotes", { line_start: "4" }, "invalid_payload", "line_start"],
    ...["title", "content", "position", "size", "is_minimized", "anchor_id"].map(
      (field) => [`a number as its ${field}`, { [field]: 7 }, "invalid_payload", field] as const,
    ),
  ] as const)("are refused by their names: %s", (_, changes, refused, field) => {
    expect(checkChanges(changes)).toMatchObject(refusal(refused, field));
  });

  it("are fields and no list", () => {
    expect(checkChanges([])).toMatchObject({ refused: "invalid_payload" });
  });

  it("make a new note, which is anchored where a line or a heading is given and no mode", () => {
    expect(checkNewNote({})).toEqual({
      title: null,
      content: "",
      position: { x: 40, y: 40 },
      size: { width: 240, height: 200 },
      color: "yellow",
      is_minimized: false,
      line_start: null,
      line_end: null,
      anchor_id: null,
      anchor_text: null,
      mode: "surface",
    });
    for (const target of [{ line_start: 3 }, { anchor_id: "plan" }, { anchor_text: "Plan" }])
      expect(checkNewNote(target)).toEqual({ ...NEW_NOTE, ...target, mode: "anchored" });
    expect(checkNewNote({ line_start: 3, mode: "screen" })).toMatchObject({ mode: "screen" });
  });

  it("are taken from a record without what else it holds", () => {
    const fields = { ...NEW_NOTE, mode: "surface" } as const;
    expect(toNoteFields({ ...fields, user_id: "1" } as typeof fields)).toEqual(fields);
  });

  it("hold an end of lines only with a beginning that does not come after it", () => {
    expect(checkLines({ line_start: 3, line_end: 3 })).toBeNull();
    expect(checkLines({ line_start: 3, line_end: null })).toBeNull();
    expect(checkLines({ line_start: 3, line_end: 2 })).toMatchObject({
      context: { field: "line_end", min: 3 },
    });
    expect(checkLines({ line_start: null, line_end: 2 })).toMatchObject({
      context: { field: "line_end", min: 1 },
    });
    expect(checkNewNote({ line_start: 3, line_end: 2 })).toMatchObject({ refused: "out_of_range" });
  });
});

describe("a request to change notes", () => {
  const MOMENT = "2026-11-14T09:00:00.000Z";

  it("is told apart into the changes, the state they follow and where the note is believed to be", () => {
    const update = { id: "n", board_id: "b", title: "plan", prev_updated_at: MOMENT };
    expect(checkBySchema(noteUpdate, update)).toEqual({
      changes: { title: "plan" },
      prev: new Date(MOMENT),
      claims: { id: "n", board_id: "b" },
    });
    expect(checkBySchema(noteUpdate, { prev_updated_at: null })).toEqual({ changes: {}, claims: {} });
    expect(checkBySchema(noteUpdate, { prev_updated_at: "yesterday" })).toMatchObject({
      refused: "invalid_prev_updated_at",
    });
    expect(checkPrevUpdatedAt(MOMENT)).toEqual(new Date(MOMENT));
    expect([checkPrevUpdatedAt(null), checkPrevUpdatedAt(undefined)]).toEqual([undefined, undefined]);
  });

  it("names from 1 to 200 notes, each with a result of its own", () => {
    const update = { id: "n", title: "plan" };
    const batch = checkBySchema(noteBatch, {
      updates: [update, { id: "m", color: "red" }, { title: "no id" }, null],
    });
    expect(batch).toMatchObject({
      updates: [
        { id: "n", update: { changes: { title: "plan" } } },
        { id: "m", update: { refused: "invalid_color" } },
        { id: null, update: { refused: "invalid_payload", context: { field: "id" } } },
        { id: null, update: { refused: "invalid_payload", context: { field: "id" } } },
      ],
    });
    expect(checkBySchema(noteBatch, { updates: [update] })).not.toHaveProperty("refused");
    expect(checkBySchema(noteBatch, { updates: Array(200).fill(update) })).not.toHaveProperty("refused");
    for (const updates of [[], Array(201).fill(update), "n", undefined])
      expect(checkBySchema(noteBatch, { updates })).toMatchObject({
        refused: "invalid_payload",
        context: { field: "updates", max: 200 },
      });
  });

  it("ticks a task by a whole number from 0 on", () => {
    expect(checkBySchema(taskTick, { index: 0, checked: true })).toEqual({ index: 0, checked: true });
    const tick = { index: 1, checked: false, prev_updated_at: MOMENT };
    expect(checkBySchema(taskTick, tick)).toEqual({ index: 1, checked: false, prev: new Date(MOMENT) });
    for (const index of [-1, 1.5, "0", null])
      expect(checkBySchema(taskTick, { index, checked: true })).toMatchObject({
        context: { field: "index" },
      });
    expect(checkBySchema(taskTick, { index: 0, checked: "yes" })).toMatchObject({
      context: { field: "checked" },
    });
  });
});

it("a change of a note is dated after the previous change", () => {
  const [earlier, later] = [new Date(1_000), new Date(2_000)];
  expect(computeChangeTime(later, earlier)).toEqual(later);
  expect(computeChangeTime(later, later)).toEqual(new Date(2_001));
  expect(computeChangeTime(earlier, later)).toEqual(new Date(2_001));
});

describe("the name of a note", () => {
  it("is its title, or its first words up to 60 characters", () => {
    expect(noteName({ title: "Plan", content: "words" })).toBe("Plan");
    expect(noteName({ title: null, content: "\n\nfirst line\nsecond" })).toBe("first line");
    expect(noteName({ title: null, content: "👋".repeat(61) })).toBe("👋".repeat(60));
    expect(noteName({ title: null, content: "" })).toBe("");
  });

  it("gets a number within the limit of titles", () => {
    expect(numberedTitle("Ideas", 2)).toBe("Ideas (2)");
    expect(numberedTitle("👋".repeat(80), 10)).toBe(`${"👋".repeat(75)} (10)`);
  });
});

describe("two texts of a note that began as one", () => {
  const labels = { mine: "Mine", theirs: "Theirs" };
  const texts = { base: "a\nb\nc", mine: "a\nb\nc!", theirs: "a?\nb\nc", labels };

  it("are merged line by line, with or without an end of the last line", () => {
    expect(mergeNote(texts)).toMatchObject({ merged: "a?\nb\nc!", collisions: 0 });
    expect(mergeNote({ ...texts, base: "a\nb\nc\n" })).toMatchObject({ merged: "a?\nb\nc!", collisions: 0 });
    expect(mergeNote({ ...texts, theirs: "" }).collisions).toBeGreaterThan(0);
  });

  it("are both kept whole where merging takes too long", () => {
    const { merged, collisions, difference } = joinNoteVersions(texts);
    for (const line of ["a?", "c!"]) expect(merged).toContain(line);
    expect(merged).not.toMatch(/\n$/);
    expect(collisions).toBeGreaterThan(0);
    expect(difference).toEqual([
      { side: "first", pieces: [{ text: texts.theirs, changed: true }] },
      { side: "second", pieces: [{ text: texts.mine, changed: true }] },
    ]);
  });
});
