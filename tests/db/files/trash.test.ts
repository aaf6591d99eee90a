import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { type FileRecord, findFile, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { trashFile, trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash, purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreDeletion, restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { listTrash } from "#db/files/trash/trash.server.ts";
import {
  announceTrashExpiry,
  checkTrashExpiry,
  dateCutOff,
  finishDeletions,
  undateLiving,
} from "#db/files/trash/trash-upkeep.server.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, mongo, events } = await openTestStore();
const LATER = new Date(NOON.getTime() + DAY_MS);
const PAST_EXPIRY = new Date(NOON.getTime() + 31 * DAY_MS);

async function given(owner: string, file_name: string, ...bodies: string[]): Promise<FileRecord> {
  for (const body of bodies) await saveFile(db, owner, { file_name, body }, NOON);
  const { files } = orThrow(await listFiles(db, owner, { sort: "created_at_desc", limit: 100 }));
  return required(files.find((file) => file.file_name === file_name));
}

/** What is kept of a file, by kind, and which of it goes by itself. */
async function kept(fileId: string) {
  const _id = new ObjectId(fileId);
  const [file, versions, bodies] = await Promise.all([
    db.files.findOne({ _id }),
    db.file_versions.find({ file_id: _id }).toArray(),
    db.file_bodies.find({ _id: { $gte: fileId, $lt: `${fileId};` } }).toArray(),
  ]);
  const dated = [...versions, ...bodies].filter(({ expires_at }) => expires_at).length;
  return {
    file: Number(file !== null),
    versions: versions.length,
    bodies: bodies.length,
    dated,
    expiring: file?.expiring ?? false,
  };
}

/** A store that breaks at one verb of one collection. */
const broken = (collection: "reminders" | "file_versions" | "file_bodies", verb: string): Db => ({
  ...db,
  [collection]: new Proxy(db[collection] as object, {
    get: (target, key) => (key === verb ? () => Promise.reject(new Error("gone")) : Reflect.get(target, key)),
  }),
});

/** A store in which something happens just before its versions are dated. */
const interrupted = (first: () => Promise<unknown>): Db => ({
  ...db,
  file_versions: new Proxy(db.file_versions, {
    get: (target, key) => {
      const own = Reflect.get(target, key);
      if (key !== "updateMany") return typeof own === "function" ? own.bind(target) : own;
      return async (...args: unknown[]) => {
        await first();
        return own.apply(target, args);
      };
    },
  }),
});

describe("a file that comes back while it is still being deleted", () => {
  const living = { file: 1, versions: 2, bodies: 2, dated: 0, expiring: false };

  it("keeps no date: it would go by itself later", async () => {
    const file = await given("waverer", "back.py", "1", "2");
    let restored = false;
    const store = interrupted(async () => {
      if (restored) return;
      restored = true;
      orThrow(await restoreFile(db, "waverer", file.id, LATER));
    });

    await trashFile(store, "waverer", file.id, LATER);

    expect(restored).toBe(true);
    expect(await findFile(db, "waverer", file.id)).not.toBeNull();
    expect(await kept(file.id)).toEqual(living);
  });

  it("loses the date by the upkeep where the deletion was cut off", async () => {
    const file = await given("waverer", "cut.py", "1", "2");
    const trashed = await given("waverer", "trashed.py", "1");
    await trashFile(db, "waverer", trashed.id, LATER);
    const expires_at = PAST_EXPIRY;
    await db.file_versions.updateMany({ file_id: new ObjectId(file.id) }, { $set: { expires_at } });
    await db.file_bodies.updateMany(
      { _id: { $gte: `${file.id}:`, $lt: `${file.id};` } },
      { $set: { expires_at } },
    );
    expect(await kept(file.id)).toMatchObject({ dated: 4 });

    expect(await undateLiving(db)).toBe(1);

    expect(await kept(file.id)).toEqual(living);
    expect(await kept(trashed.id)).toMatchObject({ dated: 2, expiring: true });
  });
});

describe("deleting a file", () => {
  it("puts it out of sight with a date for all that it is made of, and does not count as a change", async () => {
    const file = await given("deleter", "a.py", "1", "2", "3");

    const deletion = orThrow(await trashFile(db, "deleter", file.id, LATER));

    expect(deletion).toEqual({
      deleted: 1,
      deleted_at: LATER,
      expires_at: new Date(LATER.getTime() + 30 * DAY_MS),
    });
    expect(await findFile(db, "deleter", file.id)).toBeNull();
    expect(await kept(file.id)).toEqual({ file: 1, versions: 3, bodies: 3, dated: 6, expiring: true });
    const { files } = orThrow(await listTrash(db, "deleter", { limit: 10 }));
    expect(files).toMatchObject([
      { id: file.id, updated_at: NOON, deleted_at: LATER, ...expiryOf(deletion) },
    ]);
  });

  const expiryOf = ({ expires_at }: { expires_at: Date }) => ({ expires_at });

  it("frees its name at once", async () => {
    const old = await given("freer", "a.py", "old");
    await trashFile(db, "freer", old.id, NOON);
    const fresh = await given("freer", "a.py", "new");
    expect(fresh).toMatchObject({ version: 1, file_name: "a.py" });
    expect(fresh.id).not.toBe(old.id);
  });

  it("is refused for what is not there, is someone else's, or was deleted before", async () => {
    const file = await given("owner", "mine.py", "x");
    for (const id of ["nonsense", "0".repeat(24)])
      expect(await trashFile(db, "owner", id, NOON)).toMatchObject({ refused: "file_not_found" });
    expect(await trashFile(db, "stranger", file.id, NOON)).toMatchObject({ refused: "file_not_found" });
    expect(await findFile(db, "owner", file.id)).not.toBeNull();
    await trashFile(db, "owner", file.id, NOON);
    expect(await trashFile(db, "owner", file.id, LATER)).toMatchObject({ refused: "file_not_found" });
  });

  it("changes nothing when one of several is missing", async () => {
    const file = await given("several", "a.py", "x");
    const missing = "0".repeat(24);
    expect(await trashFiles(db, "several", [file.id, missing], NOON)).toMatchObject({
      refused: "files_not_found",
      context: { missing: [missing] },
    });
    expect(await findFile(db, "several", file.id)).not.toBeNull();
  });

  it.each([
    ["versions are dated", "file_versions", "updateMany"],
    ["texts are dated", "file_bodies", "bulkWrite"],
    ["reminders are dated", "reminders", "updateMany"],
  ] as const)(
    "that breaks before %s leaves a file in the trash, whole, announced and restorable",
    async (step, collection, verb) => {
      const owner = `breaks ${step}`;
      const file = await given(owner, "a.py", "1", "2");
      const before = (await events("db_delete_file_error")).length;

      await expect(trashFile(broken(collection, verb), owner, file.id, NOON)).rejects.toThrow("gone");

      expect((await events("db_delete_file_error")).slice(before)).toMatchObject([{ error: "Error" }]);
      expect(await kept(file.id)).toMatchObject({ file: 1, versions: 2, bodies: 2, expiring: false });
      expect(await restoreFile(db, owner, file.id, LATER)).toMatchObject({ file_name: "a.py", version: 2 });
      expect(await kept(file.id)).toMatchObject({ dated: 0 });
    },
  );

  it("of several that broke is gone on with by whoever asks again, and undone whole", async () => {
    const files = [await given("again", "a.py", "1"), await given("again", "b.py", "2")];
    const ids = files.map(({ id }) => id);
    await expect(trashFiles(broken("file_bodies", "bulkWrite"), "again", ids, NOON)).rejects.toThrow();

    const deletion = orThrow(await trashFiles(db, "again", ids, LATER));

    expect(deletion).toMatchObject({ deleted: 2, deleted_at: NOON });
    for (const id of ids) expect(await kept(id)).toMatchObject({ dated: 2, expiring: true });
    expect(await trashFiles(db, "again", ids, LATER)).toMatchObject({ refused: "files_not_found" });
    const restored = await restoreDeletion(db, "again", deletion.deleted_at, LATER);
    expect(restored.map(({ file_name }) => file_name).sort()).toEqual(["a.py", "b.py"]);
  });

  it("that broke is finished by upkeep, an hour later and not before", async () => {
    const file = await given("resumed", "a.py", "1", "2");
    await expect(trashFile(broken("file_bodies", "bulkWrite"), "resumed", file.id, NOON)).rejects.toThrow();
    await dateCutOff(db, new Date(NOON.getTime() + 59 * 60_000));
    expect(await kept(file.id)).toMatchObject({ dated: 2, expiring: false });

    await dateCutOff(db, new Date(NOON.getTime() + 61 * 60_000));

    expect(await kept(file.id)).toMatchObject({ dated: 4, expiring: true });
  });

  it("that upkeep finishes while the file is restored leaves it alive, without a date", async () => {
    const file = await given("undecided", "a.py", "1", "2");
    await trashFile(db, "undecided", file.id, NOON);
    let reads = 0;
    const meanwhile: Db = {
      ...db,
      file_bodies: new Proxy(db.file_bodies, {
        get: (target, key) => {
          const own = Reflect.get(target, key);
          if (key !== "findOne") return typeof own === "function" ? own.bind(target) : own;
          return async (...given: Parameters<typeof target.findOne>) => {
            reads += 1;
            if (reads === 1) await dateCutOff(db, LATER);
            return target.findOne(...given);
          };
        },
      }),
    };

    expect(await restoreFile(meanwhile, "undecided", file.id, LATER)).toMatchObject({ file_name: "a.py" });

    expect(reads).toBe(2);
    expect(await kept(file.id)).toMatchObject({ file: 1, dated: 0, expiring: false });
  });

  it("that broke is finished once its date has passed, with nothing left behind", async () => {
    const file = await given("unfinished", "a.py", "1", "2");
    await expect(
      trashFile(broken("file_bodies", "bulkWrite"), "unfinished", file.id, NOON),
    ).rejects.toThrow();
    await finishDeletions(db, LATER);
    expect(await kept(file.id)).toMatchObject({ file: 1, bodies: 2 });

    await finishDeletions(db, PAST_EXPIRY);

    expect(await kept(file.id)).toEqual({ file: 0, versions: 0, bodies: 0, dated: 0, expiring: false });
  });

  it("while others save it keeps every text, in the trash or alive", async () => {
    const file = await given("racer", "a.txt", "first");
    const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);

    const [, ...saved] = await Promise.all([
      trashFile(db, "racer", file.id, NOON),
      ...texts.map((body) => saveFile(db, "racer", { file_name: "a.txt", body }, NOON)),
    ]);

    const bodies = await Promise.all(
      saved.map(async (one) => {
        const { file, version } = orThrow(one);
        return readBody(db, "racer", { ...file, version });
      }),
    );
    expect(bodies).toEqual(texts);
    const left = await kept(file.id);
    expect(left).toMatchObject({ file: 1, expiring: true, dated: left.versions + left.bodies });
    expect(left.versions).toBe(left.bodies);
  });
});

describe("restoring a file", () => {
  it("brings back every version and does not count as a change", async () => {
    const file = await given("restorer", "a.py", "1", "2");
    await trashFile(db, "restorer", file.id, LATER);

    const restored = orThrow(await restoreFile(db, "restorer", file.id, LATER));

    expect(restored).toEqual(file);
    expect(await kept(file.id)).toEqual({ file: 1, versions: 2, bodies: 2, dated: 0, expiring: false });
    expect(await readBody(db, "restorer", { ...file, version: 1 })).toBe("1");
  });

  it("gives it a number where its name lives again", async () => {
    const ids: string[] = [];
    for (const body of ["one", "two", "three"]) {
      const file = await given("namer", "a.py", body);
      ids.push(file.id);
      await trashFile(db, "namer", file.id, NOON);
    }
    await given("namer", "a.py", "four");
    const restored = await Promise.all(ids.map((id) => restoreFile(db, "namer", id, NOON)));
    expect(restored.map((file) => orThrow(file).file_name).sort()).toEqual([
      "a (2).py",
      "a (3).py",
      "a (4).py",
    ]);
  });

  it("pins it again where there is a place, and frees the place meanwhile", async () => {
    const pinned = await given("pinner", "p.py", "x");
    await pinFile(db, "pinner", pinned.id);
    await trashFile(db, "pinner", pinned.id, NOON);
    const other = await given("pinner", "q.py", "x");
    expect(await pinFile(db, "pinner", other.id)).toMatchObject({ is_pinned: true });
    expect(await restoreFile(db, "pinner", pinned.id, NOON)).toMatchObject({ is_pinned: true });
  });

  it("is refused for a living, foreign, missing or overdue file", async () => {
    const file = await given("refuser", "a.py", "x");
    const notFound = { refused: "file_not_found" };
    expect(await restoreFile(db, "refuser", file.id, NOON)).toMatchObject(notFound);
    await trashFile(db, "refuser", file.id, NOON);
    expect(await restoreFile(db, "stranger", file.id, NOON)).toMatchObject(notFound);
    expect(await restoreFile(db, "refuser", "x", NOON)).toMatchObject(notFound);
    expect(await restoreFile(db, "refuser", file.id, PAST_EXPIRY)).toMatchObject(notFound);
    expect(await restoreFile(db, "refuser", file.id, LATER)).toMatchObject({ id: file.id });
  });

  it("succeeds once for many at the same time, and the file is whole", async () => {
    const file = await given("many", "a.py", "1", "2");
    await trashFile(db, "many", file.id, NOON);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => restoreFile(db, "many", file.id, NOON)),
    );
    expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
    expect(await kept(file.id)).toMatchObject({ file: 1, versions: 2, bodies: 2, dated: 0 });
  });
});

describe("deleting for good", () => {
  it("leaves nothing behind, and only of what is in the trash", async () => {
    const [gone, living] = [await given("purger", "a", "1", "2"), await given("purger", "b", "1")];
    expect(await purgeFile(db, "purger", living.id, NOON)).toMatchObject({ refused: "file_not_found" });
    await trashFile(db, "purger", gone.id, NOON);
    expect(await purgeFile(db, "stranger", gone.id, NOON)).toMatchObject({ refused: "file_not_found" });

    expect(await purgeFile(db, "purger", gone.id, NOON)).toBe(true);

    expect(await kept(gone.id)).toEqual({ file: 0, versions: 0, bodies: 0, dated: 0, expiring: false });
    expect(await kept(living.id)).toMatchObject({ file: 1, versions: 1, bodies: 1 });
  });

  it("that breaks is announced, cannot be restored and is finished later", async () => {
    const file = await given("half purged", "a", "1");
    await trashFile(db, "half purged", file.id, NOON);
    const before = (await events("db_delete_file_error")).length;
    await expect(
      purgeFile(broken("file_versions", "deleteMany"), "half purged", file.id, LATER),
    ).rejects.toThrow("gone");
    expect(await events("db_delete_file_error")).toHaveLength(before + 1);
    expect(await restoreFile(db, "half purged", file.id, LATER)).toMatchObject({ refused: "file_not_found" });
    expect(await purgeFile(db, "half purged", file.id, LATER)).toBe(true);
    expect(await kept(file.id)).toMatchObject({ file: 0, versions: 0, bodies: 0 });
  });

  it("empties the whole trash of one person", async () => {
    const mine = [await given("emptier", "a", "1"), await given("emptier", "b", "1")];
    const theirs = await given("neighbour", "a", "1");
    await trashFiles(
      db,
      "emptier",
      mine.map(({ id }) => id),
      NOON,
    );
    await trashFile(db, "neighbour", theirs.id, NOON);

    expect(await emptyTrash(db, "emptier", LATER)).toBe(2);

    for (const { id } of mine) expect(await kept(id)).toMatchObject({ file: 0, versions: 0, bodies: 0 });
    expect(await kept(theirs.id)).toMatchObject({ file: 1 });
  });
});

describe("the list of the trash", () => {
  it("goes page by page from the last deleted, those of one moment included", async () => {
    const files: FileRecord[] = [];
    for (let i = 0; i < 5; i += 1) files.push(await given("lister", `${i}`, "x"));
    await trashFiles(
      db,
      "lister",
      files.slice(0, 4).map(({ id }) => id),
      NOON,
    );
    await trashFile(db, "lister", itemAt(files, 4).id, LATER);

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = orThrow(await listTrash(db, "lister", { limit: 2, cursor }));
      seen.push(...page.files.map(({ file_name }) => file_name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);

    expect(seen).toEqual(["4", "3", "2", "1", "0"]);
    expect(await listTrash(db, "lister", { limit: 2, cursor: "bad" })).toMatchObject({
      refused: "invalid_cursor",
    });
  });
});

describe("the promise of the trash", () => {
  it.each([
    ["files", "missing"],
    ["file_versions", "different"],
    ["file_bodies", "missing"],
  ] as const)("is announced as broken when the TTL index of %s is %s", async (collection, state) => {
    expect(await announceTrashExpiry(db)).toBe("present");
    const before = (await events("db_recycle_bin_ttl_index_missing")).length;
    await mongo.collection(collection).dropIndex("bin_expiry");
    if (state === "different")
      await mongo.collection(collection).createIndex({ expires_at: 1 }, { name: "bin_expiry" });

    expect(await announceTrashExpiry(db)).toBe(state);

    expect((await events("db_recycle_bin_ttl_index_missing")).slice(before)).toMatchObject([
      { severity: "error", state },
    ]);
    await ensureIndexes(mongo.collection);
    expect(await checkTrashExpiry(db)).toBe("present");
  });
});
