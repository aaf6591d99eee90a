import { beforeEach, describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { DATA_VERSION, readDataVersion, writeDataVersion } from "#db/installation/data-version.ts";
import { migrateData } from "#db/installation/migrate.ts";
import { MIGRATIONS, type Migration } from "#db/installation/migrations.ts";
import { createLog, silentLog } from "#platform/log.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
beforeEach(() => db.installation.deleteMany({}));

describe("migrations", () => {
  it("lead to the version that this release reads", () => {
    expect(MIGRATIONS).toHaveLength(DATA_VERSION);
  });

  it("are done once, in their order, and one that was cut off is begun again", async () => {
    const done: string[] = [];
    let isCut = true;
    const second = async () => {
      done.push("second");
      if (isCut) throw new Error("cut off");
    };
    const migrations: Migration[] = [
      { name: "first", run: async () => void done.push("first") },
      { name: "second", run: second },
      { name: "third", run: async () => void done.push("third") },
    ];
    const lines: string[] = [];
    const log = createLog({ process: "release", level: "info", write: (line) => lines.push(line) });

    await expect(migrateData(db, { log, now: NOON, migrations })).rejects.toThrow("cut off");
    expect(await readDataVersion(db)).toBe(1);
    isCut = false;
    expect(await migrateData(db, { log, now: NOON, migrations })).toBe(2);
    expect(await migrateData(db, { log, now: NOON, migrations })).toBe(0);

    expect(done).toEqual(["first", "second", "second", "third"]);
    expect(await readDataVersion(db)).toBe(3);
    expect(lines.filter((line) => line.includes('"migration_done"'))).toHaveLength(3);
  });

  it("refuse data that is newer than they are, and never take a version back", async () => {
    await writeDataVersion(db, DATA_VERSION + 1, NOON);
    await expect(migrateData(db, { log: silentLog, now: NOON })).rejects.toThrow(
      `The data has version ${DATA_VERSION + 1} and this release reads up to ${DATA_VERSION}`,
    );
    await writeDataVersion(db, 1, NOON);
    expect(await readDataVersion(db)).toBe(DATA_VERSION + 1);
  });

  it("take the search index of an earlier release over", async () => {
    await saveFile(db, "7", { file_name: "a.py", body: "needle" }, NOON);
    await db.search_numbers.updateOne({ _id: "7" }, { $unset: { format: "" } });
    await db.postings.insertOne({ _id: "7:nee:0" });

    await migrateData(db, { log: silentLog, now: NOON });

    expect(await db.postings.findOne({})).toBe(null);
    expect(await db.search_numbers.findOne({ _id: "7" })).toHaveProperty("format");
  });

  it("give every file of an earlier release, those in the trash too, its place in a list by names", async () => {
    for (const file_name of ["Zebra.py", "file10.py", "file9.py", "apple.py"])
      await saveFile(db, "8", { file_name, body: "x" }, NOON);
    await db.files.updateOne({ file_name: "apple.py" }, { $set: { deleted_at: NOON } });
    await db.files.updateMany({}, { $unset: { name_order: "" } } as object);

    await migrateData(db, { log: silentLog, now: NOON });

    const files = await db.files.find({ user_id: "8" }).sort({ name_order: 1 }).toArray();
    expect(files.map(({ file_name }) => file_name)).toEqual([
      "apple.py",
      "file9.py",
      "file10.py",
      "Zebra.py",
    ]);
  });

  it("give every file of an earlier release what its tags are found by", async () => {
    await saveFile(db, "9", { file_name: "a.py", body: "x", tags: ["Web"] }, NOON);
    await writeDataVersion(db, 2, NOON);
    await db.files.updateMany({}, { $unset: { tag_keys: "" } } as object);

    await migrateData(db, { log: silentLog, now: NOON });

    expect(await db.files.findOne({ user_id: "9" })).toMatchObject({ tags: ["Web"], tag_keys: ["web"] });
  });
});
