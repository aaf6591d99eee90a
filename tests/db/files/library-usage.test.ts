import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { createRunResult, removeRunResults } from "#db/code-runs/run-results.server.ts";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { saveFiles } from "#db/files/file-uploads.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash, purgeFile } from "#db/files/trash/file-removal.server.ts";
import { measureLibrary } from "#db/files/usage/library-measuring.server.ts";
import {
  freeBytes,
  readUsage,
  recountLibraries,
  recountUsage,
  runWithinQuota,
} from "#db/files/usage/library-usage.server.ts";
import { createNote, HISTORY_MAX, updateNote } from "#db/notes/notes.server.ts";
import { codeRunResult } from "#domain/code-runs/code-run.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { NEW_NOTE, type NoteFields } from "#domain/notes/note-schema.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { onFile } from "#tests/support/given.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const store = await openTestStore();
/** Room that was reserved at noon has been used by this time. */
const STORED = afterNoon(5 * MINUTE_MS + 1);
const limited = (maxLibraryBytes: number, uploadsPerMinute = 1_000): Db => ({
  ...store.db,
  limits: { maxLibraryBytes, uploadsPerMinute },
});
const db = limited(100);
const usedBy = async (owner: string) => (await readUsage(db, owner, NOON)).used_bytes;
const save = (owner: string, file_name: string, bytes: number, on = db) =>
  saveFile(on, owner, { file_name, body: "x".repeat(bytes) }, NOON);
const FULL = { refused: "library_full", context: { max_bytes: 100 } };

describe("the room in a library", () => {
  it("takes what fits to the last byte, and refuses more before anything is stored", async () => {
    expect(await save("filler", "a.txt", 60)).toMatchObject({ version: 1 });
    expect(await save("filler", "a.txt", 40)).toMatchObject({ version: 2 });

    expect(await save("filler", "b.txt", 1)).toMatchObject({
      ...FULL,
      context: { max_bytes: 100, used_bytes: 100 },
    });

    expect(await db.files.countDocuments({ user_id: "filler" })).toBe(1);
    expect(await db.file_bodies.countDocuments({ user_id: "filler" })).toBe(2);
    expect(await save("filler", "empty.txt", 0)).toMatchObject({ version: 1 });
    expect(await usedBy("filler")).toBe(100);
  });

  it("is each person's own", async () => {
    await save("first", "a.txt", 100);
    expect(await save("first", "b.txt", 1)).toMatchObject(FULL);
    expect(await save("second", "a.txt", 100)).toMatchObject({ version: 1 });
  });

  it("is asked for all files of one upload together: either all find room or none is kept", async () => {
    const files = [30, 30, 41].map((bytes, i) => ({ file_name: `${i}.txt`, body: "x".repeat(bytes) }));
    expect(await saveFiles(db, "uploader", files, NOON)).toMatchObject(FULL);
    expect(await db.files.countDocuments({ user_id: "uploader" })).toBe(0);
    expect(await saveFiles(db, "uploader", files.slice(0, 2), NOON)).toHaveLength(2);
    expect(await usedBy("uploader")).toBe(60);
  });

  it("holds where many save at once", async () => {
    const saves = Array.from({ length: 40 }, (_, i) => save("crowd", `${i}.txt`, 9));
    const outcomes = await Promise.all(saves);
    expect(outcomes.filter((outcome) => "file" in outcome)).toHaveLength(11);
    expect(await measureLibrary(db, "crowd")).toBe(99);
    expect(await usedBy("crowd")).toBe(99);
  });

  it("is needed for a version that comes back as the newest one", async () => {
    const { file } = orThrow(await save("restorer", "a.txt", 50));
    await save("restorer", "a.txt", 10);
    expect(await restoreVersion(db, "restorer", file.id, 1, NOON)).toMatchObject(FULL);
    expect(await restoreVersion(limited(110), "restorer", file.id, 1, NOON)).toMatchObject({ version: 3 });
  });

  it("is given back by a refused save and by an edit that came too late", async () => {
    const { file } = orThrow(await save("editor", "a.txt", 10));
    const onto = { id: file.id, version: 7 };
    for (const base of [onto, "nothing" as const])
      await saveFile(db, "editor", { file_name: "a.txt", body: "x".repeat(80), onto: base }, NOON);
    expect(await usedBy("editor")).toBe(10);
  });

  it("stays taken while a file is in the trash, and is free once it is deleted for good", async () => {
    const { file } = orThrow(await save("binner", "a.txt", 50));
    await save("binner", "a.txt", 50);
    orThrow(await trashFile(db, "binner", file.id, NOON));
    expect(await save("binner", "b.txt", 50)).toMatchObject(FULL);

    await emptyTrash(db, "binner", NOON);

    expect(await usedBy("binner")).toBe(0);
    expect(await save("binner", "b.txt", 100)).toMatchObject({ version: 1 });
  });
});

describe("notes and outputs of runs", () => {
  const givenTarget = async (owner: string) => onFile(orThrow(await save(owner, "a.py", 10)).file);
  const write = (owner: string, target: NoteTarget, content: string) =>
    createNote(db, owner, { target, fields: { ...NEW_NOTE, mode: "surface", content }, quota, now: NOON });
  const rewrite = (owner: string, id: string, changes: Partial<NoteFields>) =>
    updateNote(db, owner, id, changes, { now: NOON });
  const quota = { maxPerUser: 100 };

  it("count as texts do, with what notes said before", async () => {
    const target = await givenTarget("noter");
    const { id } = orThrow(await write("noter", target, "x".repeat(40)));
    expect(await rewrite("noter", id, { content: "y".repeat(51) })).toMatchObject(FULL);
    orThrow(await rewrite("noter", id, { content: "y".repeat(50) }));
    expect(await usedBy("noter")).toBe(100);
    expect(await write("noter", target, "z")).toMatchObject(FULL);
    orThrow(await rewrite("noter", id, { color: "pink" }));
    expect(await measureLibrary(db, "noter")).toBe(100);
  });

  it("give back what a note forgets", async () => {
    const { id } = orThrow(await write("forgetful", await givenTarget("forgetful"), "xx"));
    for (let i = 0; i < HISTORY_MAX + 15; i += 1)
      orThrow(await rewrite("forgetful", id, { content: i % 2 ? "a" : "bb" }));
    expect(await usedBy("forgetful")).toBe(await measureLibrary(db, "forgetful"));
  });

  it("go with their file", async () => {
    const target = await givenTarget("leaver");
    orThrow(await write("leaver", target, "שלום"));
    const output = { stdout: "x".repeat(20), stderr: "é", truncated: false, ms: 3, grownBytes: 0 };
    const result = codeRunResult({ timeout: 5, memory_limit_mb: 64 }, { exit: 0 }, output);
    const ran = { fileId: target.file_id, version: 1, result };
    for (let i = 0; i < 2; i += 1) await createRunResult(db, "leaver", ran, NOON);
    expect(await usedBy("leaver")).toBe(10 + 8 + 2 * 22);
    expect(await createRunResult(limited(70), "leaver", ran, NOON)).toMatchObject({
      refused: "library_full",
    });
    expect(await removeRunResults(db, "leaver", target.file_id, NOON)).toBe(2);
    expect(await usedBy("leaver")).toBe(18);
    orThrow(await trashFile(db, "leaver", target.file_id, NOON));
    orThrow(await purgeFile(db, "leaver", target.file_id, NOON));
    expect(await usedBy("leaver")).toBe(0);
  });
});

describe("counting anew", () => {
  const forget = (owner: string) => db.file_versions.deleteMany({ user_id: owner });

  it("finds what the store removed by itself: within minutes where somebody would be refused, else within a day", async () => {
    for (const owner of ["refused", "quiet"]) await save(owner, "a.txt", 100);
    await Promise.all([forget("refused"), forget("quiet")]);

    expect(await save("refused", "b.txt", 30)).toMatchObject(FULL);
    const soon = await saveFile(db, "refused", { file_name: "b.txt", body: "x" }, STORED);
    expect(soon).toMatchObject({ version: 1 });
    expect(await usedBy("quiet")).toBe(100);
    expect(await recountLibraries(db, afterNoon(23 * HOUR_MS))).toBe(0);
    expect(await recountLibraries(db, afterNoon(25 * HOUR_MS))).toBeGreaterThan(0);
    expect(await usedBy("quiet")).toBe(0);
  });

  it("waits for whoever is storing or deleting, and gives up where one begins meanwhile", async () => {
    await save("busy", "a.txt", 10);
    await runWithinQuota(db, "busy", { bytes: 20 }, NOON, async () => {
      expect(await recountUsage(db, "busy", NOON)).toBe(false);
    });
    expect(await usedBy("busy")).toBe(30);
    await freeBytes(db, "busy", STORED, async (free) => {
      expect(await recountUsage(db, "busy", STORED)).toBe(false);
      free(20);
    });
    expect(await recountUsage(db, "busy", STORED)).toBe(true);
    const counting = replaceVerb(db, "notes", "find", (find, ...words) => {
      const cursor = find(...words);
      const readAll = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        await save("busy", "b.txt", 40);
        return readAll();
      };
      return cursor;
    });
    expect(await recountUsage(counting, "busy", STORED)).toBe(false);
    expect(await usedBy("busy")).toBe(50);
  });

  it("takes saving that began five minutes and deleting that began an hour ago for abandoned, and its bytes with it", async () => {
    await save("crashed", "a.txt", 10);
    const dies = runWithinQuota(db, "crashed", { bytes: 60 }, NOON, () =>
      Promise.reject(new Error("killed")),
    );
    await expect(dies).rejects.toThrow("killed");
    expect(await usedBy("crashed")).toBe(70);
    expect(await recountUsage(db, "crashed", afterNoon(5 * MINUTE_MS))).toBe(false);
    expect(await recountUsage(db, "crashed", STORED)).toBe(true);
    expect(await usedBy("crashed")).toBe(10);

    const alsoDies = freeBytes(db, "crashed", NOON, () => Promise.reject(new Error("killed")));
    await expect(alsoDies).rejects.toThrow("killed");
    expect(await recountUsage(db, "crashed", afterNoon(HOUR_MS))).toBe(false);
    expect(await recountUsage(db, "crashed", afterNoon(HOUR_MS + 1))).toBe(true);
  });

  it("begins by itself for a library that was never counted", async () => {
    const { file } = orThrow(await save("upgraded", "a.txt", 70));
    await db.library_usage.deleteOne({ _id: "upgraded" });
    expect(await save("upgraded", "b.txt", 31)).toMatchObject(FULL);
    expect(await usedBy("upgraded")).toBe(70);
    expect(file.size_bytes).toBe(70);
  });

  it("ends the same as the counter after many have saved, edited, deleted and counted at once", async () => {
    const on = limited(4_000);
    const rounds = Array.from({ length: 20 }, async (_, i) => {
      const saved = await save("mixed", `${i % 7}.txt`, 10 + i, on);
      if ("file" in saved && i % 3 === 0) await trashFile(on, "mixed", saved.file.id, NOON);
      if (i % 5 === 0) await emptyTrash(on, "mixed", NOON);
      if (i % 4 === 0) await recountUsage(on, "mixed", NOON);
    });
    await Promise.all(rounds);
    const stored = await measureLibrary(on, "mixed");
    expect(await usedBy("mixed")).toBeGreaterThanOrEqual(stored);
    expect(await recountUsage(on, "mixed", STORED)).toBe(true);
    expect(await usedBy("mixed")).toBe(stored);
  });
});

describe("the uploads of a minute", () => {
  it("are bounded for each person over all ways, and say when the next may come", async () => {
    const few = limited(10_000, 3);
    const reserveAt = (ms: number, owner = "hasty") =>
      saveFile(few, owner, { file_name: `${new ObjectId()}.txt`, body: "x" }, afterNoon(ms));
    for (let i = 0; i < 3; i += 1) expect(await reserveAt(1_000)).toMatchObject({ version: 1 });

    expect(await reserveAt(15_000)).toMatchObject({
      refused: "rate_limit_exceeded",
      context: { retry_after: 45 },
    });

    const two = [1, 2].map((i) => ({ file_name: `${i}.txt`, body: "x" }));
    expect(await reserveAt(1_000, "other")).toMatchObject({ version: 1 });
    expect(await saveFiles(few, "other", two, afterNoon(1_000))).toHaveLength(2);
    expect(await saveFiles(few, "other", two, afterNoon(1_000))).toMatchObject({
      refused: "rate_limit_exceeded",
    });
    expect(await reserveAt(MINUTE_MS)).toMatchObject({ version: 1 });
    expect(await db.files.countDocuments({ user_id: "hasty" })).toBe(4);
  });

  it("do not bound what a job saves", async () => {
    const few = limited(10_000, 1);
    for (let i = 0; i < 3; i += 1) {
      const saved = saveFile(few, "job", { file_name: `${i}.txt`, body: "x", byJob: true }, NOON);
      expect(await saved).toMatchObject({ version: 1 });
    }
  });
});
