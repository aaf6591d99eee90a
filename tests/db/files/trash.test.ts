import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { trashFile, trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash, purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreDeletion, restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { listTrash } from "#db/files/trash/trash.server.ts";
import {
  checkTrashExpiry,
  dateInterruptedDeletions,
  finishDeletions,
  reportMissingTrashIndex,
  resetLivingFilesExpiry,
} from "#db/files/trash/trash-upkeep.server.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { beforeVerb, breakVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, mongo, events, given } = await openTestStore();
const LATER = afterNoon(DAY_MS);
const PAST_EXPIRY = afterNoon(31 * DAY_MS);
const NOT_FOUND = { refused: "file_not_found" };
const GONE = { file: 0, versions: 0, bodies: 0, dated: 0, expiring: false };
const LIVING = { file: 1, versions: 2, bodies: 2, dated: 0, expiring: false };

/** How much the store has of a file, by kind, and how much of it will expire. */
async function count(fileId: string) {
  const _id = new ObjectId(fileId);
  const [file, versions, bodies] = await Promise.all([
    db.files.findOne({ _id }),
    db.file_versions.find({ file_id: _id }).toArray(),
    db.file_bodies.find({ _id: { $gte: fileId, $lt: `${fileId};` } }).toArray(),
  ]);
  const dated = [...versions, ...bodies].filter(({ expires_at }) => expires_at).length;
  const numbers = { file: Number(file !== null), versions: versions.length, bodies: bodies.length };
  return { ...numbers, dated, expiring: file?.expiring ?? false };
}

const trashBroken = (owner: string, ...ids: string[]) =>
  expect(trashFiles(breakVerb(db, "file_bodies", "bulkWrite"), owner, ids, NOON)).rejects.toThrow("gone");

describe("a file that comes back while it is still being deleted", () => {
  it("keeps no date, by which it would go later", async () => {
    const file = await given.file("waverer", "back.py", "1", "2");
    const restore = async () => orThrow(await restoreFile(db, "waverer", file.id, LATER));

    await trashFile(beforeVerb(db, "file_versions", "updateMany", restore), "waverer", file.id, LATER);

    expect(await findFile(db, "waverer", file.id)).not.toBeNull();
    expect(await count(file.id)).toEqual(LIVING);
  });

  it("loses the date by the upkeep if the deletion was cut off", async () => {
    const file = await given.file("waverer", "cut.py", "1", "2");
    const trashed = await given.trashed("waverer", "trashed.py", "1");
    const dated = { $set: { expires_at: PAST_EXPIRY } };
    await db.file_versions.updateMany({ file_id: new ObjectId(file.id) }, dated);
    await db.file_bodies.updateMany({ _id: { $gte: `${file.id}:`, $lt: `${file.id};` } }, dated);
    expect(await count(file.id)).toMatchObject({ dated: 4 });

    expect(await resetLivingFilesExpiry(db)).toBe(1);

    expect(await count(file.id)).toEqual(LIVING);
    expect(await count(trashed.id)).toMatchObject({ dated: 2, expiring: true });
  });

  it("stays alive, without a date, if the upkeep finishes the deletion meanwhile", async () => {
    const file = await given.trashed("undecided", "a.py", "1", "2");
    let reads = 0;
    const meanwhile = replaceVerb(db, "file_bodies", "findOne", async (findOne, ...words) => {
      reads += 1;
      if (reads === 1) await dateInterruptedDeletions(db, LATER);
      return findOne(...words);
    });

    expect(await restoreFile(meanwhile, "undecided", file.id, LATER)).toMatchObject({ file_name: "a.py" });

    expect(reads).toBe(2);
    expect(await count(file.id)).toMatchObject({ file: 1, dated: 0, expiring: false });
  });
});

describe("deleting a file", () => {
  it("puts it out of sight with a date for all that it is made of, and does not count as a change", async () => {
    const file = await given.file("deleter", "a.py", "1", "2", "3");

    const deletion = orThrow(await trashFile(db, "deleter", file.id, LATER));

    const expires_at = afterNoon(31 * DAY_MS);
    expect(deletion).toEqual({ deleted: 1, deleted_at: LATER, expires_at });
    expect(await findFile(db, "deleter", file.id)).toBeNull();
    expect(await count(file.id)).toEqual({ file: 1, versions: 3, bodies: 3, dated: 6, expiring: true });
    const { files } = orThrow(await listTrash(db, "deleter", { limit: 10 }));
    expect(files).toMatchObject([{ id: file.id, updated_at: NOON, deleted_at: LATER, expires_at }]);
  });

  it("is refused for a file that is not there, is someone else's, or was deleted before", async () => {
    const file = await given.file("owner", "mine.py");
    for (const id of ["nonsense", ABSENT_ID])
      expect(await trashFile(db, "owner", id, NOON)).toMatchObject(NOT_FOUND);
    expect(await trashFile(db, "stranger", file.id, NOON)).toMatchObject(NOT_FOUND);
    expect(await trashFiles(db, "owner", [file.id, ABSENT_ID], NOON)).toMatchObject({
      refused: "files_not_found",
      context: { missing: [ABSENT_ID] },
    });
    expect(await findFile(db, "owner", file.id)).not.toBeNull();
    await trashFile(db, "owner", file.id, NOON);
    expect(await trashFile(db, "owner", file.id, LATER)).toMatchObject(NOT_FOUND);
  });

  it("that breaks leaves a file in the trash, whole, announced and restorable", async () => {
    const file = await given.file("breaks", "a.py", "1", "2");

    await trashBroken("breaks", file.id);

    expect(await events("db_delete_file_error")).toMatchObject([{ error: "Error" }]);
    expect(await count(file.id)).toMatchObject({ file: 1, versions: 2, bodies: 2, expiring: false });
    expect(await restoreFile(db, "breaks", file.id, LATER)).toMatchObject({ file_name: "a.py", version: 2 });
    expect(await count(file.id)).toMatchObject({ dated: 0 });
  });

  it("of several that broke is gone on with when it is asked for again, and undone whole", async () => {
    const files = [await given.file("again", "a.py"), await given.file("again", "b.py")];
    const ids = files.map(({ id }) => id);
    await trashBroken("again", ...ids);

    const deletion = orThrow(await trashFiles(db, "again", ids, LATER));

    expect(deletion).toMatchObject({ deleted: 2, deleted_at: NOON });
    for (const id of ids) expect(await count(id)).toMatchObject({ dated: 2, expiring: true });
    const restored = await restoreDeletion(db, "again", deletion.deleted_at, LATER);
    expect(restored.map(({ file_name }) => file_name).sort()).toEqual(["a.py", "b.py"]);
  });

  it.each([
    ["an hour later", dateInterruptedDeletions, afterNoon(59 * MINUTE_MS), afterNoon(61 * MINUTE_MS), [2, 4]],
    ["once its date has passed, with nothing left behind", finishDeletions, LATER, PAST_EXPIRY, [2, 0]],
  ] as const)(
    "that broke is finished by the upkeep %s and not before",
    async (when, finish, early, late, dated) => {
      const file = await given.file(when, "a.py", "1", "2");
      await trashBroken(when, file.id);
      await finish(db, early);
      expect(await count(file.id)).toMatchObject({ dated: dated[0], expiring: false });

      await finish(db, late);

      expect(await count(file.id)).toEqual(dated[1] === 0 ? GONE : { ...LIVING, dated: 4, expiring: true });
    },
  );

  it("while others save it keeps every text, in the trash or alive", async () => {
    const file = await given.file("racer", "a.txt", "first");
    const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);

    const [, ...saved] = await Promise.all([
      trashFile(db, "racer", file.id, NOON),
      ...texts.map(async (body) => orThrow(await saveFile(db, "racer", { file_name: "a.txt", body }, NOON))),
    ]);

    const bodies = saved.map(({ file, version }) => readBody(db, "racer", { ...file, version }));
    expect(await Promise.all(bodies)).toEqual(texts);
    const counts = await count(file.id);
    expect(counts).toMatchObject({ file: 1, expiring: true, dated: counts.versions + counts.bodies });
    expect(counts.versions).toBe(counts.bodies);
  });
});

describe("restoring a file", () => {
  it("brings back every version and does not count as a change", async () => {
    const file = await given.file("restorer", "a.py", "1", "2");
    await trashFile(db, "restorer", file.id, LATER);

    expect(await restoreFile(db, "restorer", file.id, LATER)).toEqual(file);

    expect(await count(file.id)).toEqual(LIVING);
    expect(await readBody(db, "restorer", { ...file, version: 1 })).toBe("1");
  });

  it("gives it a number if its name lives again", async () => {
    const ids: string[] = [];
    for (const body of ["one", "two", "three"]) ids.push((await given.trashed("namer", "a.py", body)).id);
    await given.file("namer", "a.py", "four");
    const restored = await Promise.all(ids.map((id) => restoreFile(db, "namer", id, NOON)));
    const names = restored.map((file) => orThrow(file).file_name).sort();
    expect(names).toEqual(["a (2).py", "a (3).py", "a (4).py"]);
  });

  it("pins it again if there is a place, and frees the place meanwhile", async () => {
    const pinned = await given.file("pinner", "p.py");
    await pinFile(db, "pinner", pinned.id);
    await trashFile(db, "pinner", pinned.id, NOON);
    const other = await given.file("pinner", "q.py");
    expect(await pinFile(db, "pinner", other.id)).toMatchObject({ is_pinned: true });
    expect(await restoreFile(db, "pinner", pinned.id, NOON)).toMatchObject({ is_pinned: true });
  });

  it("is refused for a living, foreign, missing or overdue file", async () => {
    const file = await given.file("refuser", "a.py");
    expect(await restoreFile(db, "refuser", file.id, NOON)).toMatchObject(NOT_FOUND);
    await trashFile(db, "refuser", file.id, NOON);
    expect(await restoreFile(db, "stranger", file.id, NOON)).toMatchObject(NOT_FOUND);
    expect(await restoreFile(db, "refuser", "x", NOON)).toMatchObject(NOT_FOUND);
    expect(await restoreFile(db, "refuser", file.id, PAST_EXPIRY)).toMatchObject(NOT_FOUND);
    expect(await restoreFile(db, "refuser", file.id, LATER)).toMatchObject({ id: file.id });
  });

  it("succeeds once for many at the same time, and the file is whole", async () => {
    const { id } = await given.trashed("many", "a.py", "1", "2");
    const results = await Promise.all(Array.from({ length: 8 }, () => restoreFile(db, "many", id, NOON)));
    expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
    expect(await count(id)).toEqual(LIVING);
  });
});

describe("deleting for good", () => {
  it("leaves nothing behind, and only of what is in the trash", async () => {
    const [gone, living] = [
      await given.file("purger", "a", "1", "2"),
      await given.file("purger", "b", "1", "2"),
    ];
    expect(await purgeFile(db, "purger", living.id, NOON)).toMatchObject(NOT_FOUND);
    await trashFile(db, "purger", gone.id, NOON);
    expect(await purgeFile(db, "stranger", gone.id, NOON)).toMatchObject(NOT_FOUND);

    expect(await purgeFile(db, "purger", gone.id, NOON)).toBe(true);

    expect(await count(gone.id)).toEqual(GONE);
    expect(await count(living.id)).toEqual(LIVING);
  });

  it("that breaks is announced, and the file cannot be restored and goes later", async () => {
    const file = await given.trashed("half purged", "a", "1");
    const before = (await events("db_delete_file_error")).length;
    const purging = purgeFile(breakVerb(db, "file_versions", "deleteMany"), "half purged", file.id, LATER);
    await expect(purging).rejects.toThrow("gone");
    expect(await events("db_delete_file_error")).toHaveLength(before + 1);
    expect(await restoreFile(db, "half purged", file.id, LATER)).toMatchObject(NOT_FOUND);
    expect(await purgeFile(db, "half purged", file.id, LATER)).toBe(true);
    expect(await count(file.id)).toEqual(GONE);
  });

  it("empties the whole trash of one person", async () => {
    const mine = [await given.trashed("emptier", "a"), await given.trashed("emptier", "b")];
    const theirs = await given.trashed("neighbour", "a");

    expect(await emptyTrash(db, "emptier", LATER)).toBe(2);

    for (const { id } of mine) expect(await count(id)).toEqual(GONE);
    expect(await count(theirs.id)).toMatchObject({ file: 1 });
  });
});

it("the list of the trash goes page by page from the last deleted file, including files deleted at one moment", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push((await given.file("lister", `${i}`)).id);
  await trashFiles(db, "lister", ids.slice(0, 4), NOON);
  await trashFile(db, "lister", itemAt(ids, 4), LATER);

  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = orThrow(await listTrash(db, "lister", { limit: 2, cursor }));
    names.push(...page.files.map(({ file_name }) => file_name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);

  expect(names).toEqual(["4", "3", "2", "1", "0"]);
  expect(await listTrash(db, "lister", { limit: 2, cursor: "bad" })).toMatchObject({
    refused: "invalid_cursor",
  });
});

it.each([
  ["files", "missing"],
  ["file_versions", "different"],
  ["file_bodies", "missing"],
] as const)(
  "an event says that the trash does not empty itself when the TTL index of %s is %s",
  async (collection, state) => {
    expect(await reportMissingTrashIndex(db)).toBe("present");
    const before = (await events("db_recycle_bin_ttl_index_missing")).length;
    await mongo.collection(collection).dropIndex("bin_expiry");
    if (state === "different")
      await mongo.collection(collection).createIndex({ expires_at: 1 }, { name: "bin_expiry" });

    expect(await reportMissingTrashIndex(db)).toBe(state);

    expect((await events("db_recycle_bin_ttl_index_missing")).slice(before)).toMatchObject([
      { severity: "error", state },
    ]);
    await ensureIndexes(mongo.collection);
    expect(await checkTrashExpiry(db)).toBe("present");
  },
);
