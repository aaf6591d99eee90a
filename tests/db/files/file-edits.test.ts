import { describe, expect, it } from "vitest";
import { editFile } from "#db/files/file-edits.server.ts";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { type FileRecord, findFile, readBody } from "#db/files/file-records.server.ts";
import { saveFiles } from "#db/files/file-uploads.server.ts";
import { findVersion, listVersions, readVersionBody } from "#db/files/file-versions.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { readUsage } from "#db/files/usage/library-usage.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, events, given } = await openTestStore();

const edit = (owner: string, file: FileRecord, body: string, file_name = file.file_name, now = NOON) =>
  saveFile(db, owner, { file_name, body, onto: { id: file.id, version: file.version } }, now);
const numbers = async (owner: string, file: FileRecord) =>
  (await listVersions(db, owner, file, { limit: 100 })).versions.map(({ version }) => version);

describe("editing a file", () => {
  it("lets one of two concurrent edits win and tells the other which version it met", async () => {
    const file = await given.file("pair", "a.txt", "base");

    const outcomes = await Promise.all(["mine", "theirs"].map((body) => edit("pair", file, body)));

    const { version } = orThrow(required(outcomes.find((outcome) => !isRefusal(outcome))));
    const stale = { refused: "stale_edit", context: { file_id: file.id, version } };
    expect(outcomes.filter(isRefusal)).toEqual([stale]);
    expect(await numbers("pair", required(await findFile(db, "pair", file.id)))).toEqual([version, 1]);
  });

  it("renames the file, and old versions keep the name they had", async () => {
    const file = await given.file("renamer", "old.txt", "x");

    const { file: renamed } = orThrow(await edit("renamer", file, "x", "new.py"));

    expect(renamed).toMatchObject({ id: file.id, file_name: "new.py", language: "python" });
    expect(await findVersion(db, "renamer", renamed, 1)).toMatchObject({ file_name: "old.txt" });
    expect(await saveFile(db, "renamer", { file_name: "old.txt", body: "" }, NOON)).toMatchObject({
      created: true,
    });
  });

  it("is refused for a name that another living file has, and leaves both as they were", async () => {
    const [one, two] = [await given.file("namer", "one", "1"), await given.file("namer", "two", "2")];

    expect(await edit("namer", one, "changed", "two")).toEqual({
      refused: "file_name_taken",
      context: { file_name: "two" },
    });

    const after = required(await findFile(db, "namer", one.id));
    expect(after).toMatchObject({ file_name: "one", version: 1 });
    expect(await readBody(db, "namer", after)).toBe("1");
    expect(await findFile(db, "namer", two.id)).toMatchObject({ file_name: "two", version: 1 });
    expect(await db.file_bodies.countDocuments({ user_id: "namer" })).toBe(2);
  });
});

describe("a text that the file shows already", () => {
  const onto = (file: FileRecord) => ({ id: file.id, version: file.version });
  it.each<[string, (owner: string, file: FileRecord) => Promise<unknown>]>([
    ["uploaded again", (owner) => saveFiles(db, owner, [{ file_name: "a.py", body: "same" }], NOON)],
    ["restored", (owner, file) => restoreVersion(db, owner, file.id, 1, NOON)],
    [
      "edited",
      (owner, file) => editFile(db, owner, { file_name: "a.py", body: "same", onto: onto(file) }, NOON),
    ],
    ["put", (owner) => putFile(db, owner, { folders: [], file_name: "a.py", body: "same" }, NOON)],
  ])("and is %s makes no version, takes no room and changes nothing", async (way, save) => {
    const owner = `again ${way}`;
    const file = await given.file(owner, "a.py", "same");
    const usage = await readUsage(db, owner, NOON);

    const saved = [await save(owner, file)].flat()[0];

    expect(saved).toMatchObject({ version: 1, created: false, unchanged: true });
    expect(await numbers(owner, file)).toEqual([1]);
    expect(await readUsage(db, owner, NOON)).toEqual(usage);
  });

  it("is uploaded many times at once and makes one version, whether it begins the file or changes it", async () => {
    const owner = "double click";
    const upload = async (body: string) =>
      orThrow(await saveFiles(db, owner, [{ file_name: "a.py", body }], NOON));
    const uploadAtOnce = async (body: string) => {
      const saved = (await Promise.all(Array.from({ length: 4 }, () => upload(body)))).flat();
      return saved.filter(({ unchanged }) => !unchanged).length;
    };

    expect(await uploadAtOnce("first")).toBe(1);
    const usage = await readUsage(db, owner, NOON);
    expect(await uploadAtOnce("other")).toBe(1);

    expect(await db.file_versions.countDocuments({ user_id: owner })).toBe(2);
    expect((await readUsage(db, owner, NOON)).used_bytes).toBe(usage.used_bytes + "other".length);
  });

  it("takes what else is said about it, and another text is a version", async () => {
    await given.file("again", "a.py", "same");
    const upload = (body: string) =>
      saveFiles(db, "again", [{ file_name: "a.py", body, description: "new words" }], NOON);

    expect(await upload("same")).toMatchObject([
      { version: 1, unchanged: true, described: true, file: { description: "new words" } },
    ]);
    expect(await upload("same")).toMatchObject([{ version: 1, unchanged: true, described: false }]);
    expect(await upload("other")).toMatchObject([{ version: 2 }]);
  });
});

describe("an edit of what is known about a file", () => {
  const words = { description: "what it is", tags: ["kept"], language: "go" as const };
  const setDetails = (owner: string, { id, version, file_name }: FileRecord, more = {}) => {
    const edited = { file_name, body: "same\r\n", onto: { id, version }, ...words, ...more };
    return editFile(db, owner, edited, afterNoon(1_000));
  };

  it("makes no version and is no change of the text", async () => {
    const file = await given.file("describer", "a.txt", "same\r\n");

    const edited = await setDetails("describer", file);

    expect(edited).toMatchObject({ described: true, version: 1 });
    const now = required(await findFile(db, "describer", file.id));
    expect(now).toMatchObject({ ...words, version: 1, updated_at: NOON });
    expect(await numbers("describer", now)).toEqual([1]);
    expect(await findVersion(db, "describer", now, 1)).toMatchObject({ language: "go" });
  });

  it.each([
    ["text", { body: "other" }],
    ["name", { file_name: "b.txt" }],
  ])("makes one where the %s changed too", async (what, more) => {
    const owner = `changer of the ${what}`;
    const file = await given.file(owner, "a.txt", "same\r\n");
    expect(await setDetails(owner, file, more)).toMatchObject({ described: false, version: 2, file: words });
  });

  it("is stale where a version came meanwhile, and finds no file in the trash", async () => {
    const file = await given.file("late", "a.txt", "same\r\n");
    orThrow(await edit("late", file, "newer"));
    expect(await setDetails("late", file)).toMatchObject({ refused: "stale_edit" });
    await trashFiles(db, "late", [file.id], NOON);
    expect(await setDetails("late", { ...file, version: 2 })).toMatchObject({ refused: "file_not_found" });
    expect(await restoreVersion(db, "late", file.id, 1, NOON)).toMatchObject({ refused: "file_not_found" });
  });
});

it("the versions of a file exclude one that is written and not yet visible", async () => {
  const file = await given.file("early", "a", "1");
  orThrow(await edit("early", file, "2"));
  expect(await numbers("early", file)).toEqual([1]);
  expect(await readVersionBody(db, "early", file, 2)).toBeNull();
  expect(await findVersion(db, "early", file, 2)).toBeNull();
});

it("restoring a version works among concurrent saves: every text has a version of its own", async () => {
  const file = await given.file("rush", "a", "first");
  await edit("rush", file, "second");
  const outcomes = await Promise.all([
    restoreVersion(db, "rush", file.id, 1, NOON),
    saveFile(db, "rush", { file_name: "a", body: "by name" }, NOON),
    saveFile(db, "rush", { file_name: "a", body: "by another" }, NOON),
  ]);
  const versions = outcomes.map((outcome) => orThrow(outcome).version);
  expect(new Set([1, 2, ...versions]).size).toBe(5);
  const end = required(await findFile(db, "rush", file.id));
  const texts = await Promise.all(versions.map((version) => readVersionBody(db, "rush", end, version)));
  expect(texts).toEqual(["first", "by name", "by another"]);
});

it("reading the latest version emits only the kind of a fault and passes the fault on", async () => {
  const file = await given.file("reader", "private-name", "private text");
  const failing = new Proxy(db.file_bodies, { get: () => () => Promise.reject(new TypeError("private")) });

  await expect(readBody({ ...db, file_bodies: failing }, "reader", file)).rejects.toThrow("private");

  expect(await events("db_get_latest_version_error")).toMatchObject([
    { severity: "error", error: "TypeError" },
  ]);
  expect(JSON.stringify(await events("db_get_latest_version_error"))).not.toContain("private");
});
