import { beforeEach, describe, expect, it } from "vitest";
import { DATA_VERSION, readDataVersion, writeDataVersion } from "#db/core/installation/data-version.ts";
import { migrateData } from "#db/open/migrations/migrate.ts";
import { MIGRATIONS, type Migration } from "#db/open/migrations/migrations.ts";
import { createLog, silentLog } from "#platform/log.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, given } = await openTestStore();
beforeEach(() => db.installation.deleteMany({}));

describe("migrations", () => {
  it("lead to the version that this release reads", () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(versions.at(-1)).toBe(DATA_VERSION);
  });

  it("are done once, in their order, and one that was cut off is begun again", async () => {
    const done: string[] = [];
    let isCut = true;
    const second = async () => {
      done.push("second");
      if (isCut) throw new Error("cut off");
    };
    const migrations: Migration[] = [
      { version: 1, name: "first", run: async () => void done.push("first") },
      { version: 2, name: "second", run: second },
      { version: 3, name: "third", run: async () => void done.push("third") },
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

  it.each([
    [0, "its place in a list by names"],
    [2, "the keys that its tags are found by"],
  ])(
    "from version %i on give every file of an earlier release, those in the trash too, %s",
    async (version) => {
      const owner = `of ${version}`;
      await given.saved(owner, { file_name: "file10.py", body: "x", tags: ["Web"] });
      for (const name of ["file9.py", "Zebra.py"]) await given.file(owner, name);
      await given.trashed(owner, "apple.py");
      if (version > 0) await writeDataVersion(db, version, NOON);
      await db.files.updateMany({}, {
        $unset: version === 0 ? { name_order: "" } : { tag_keys: "" },
      } as object);

      await migrateData(db, { log: silentLog, now: NOON });

      const files = await db.files.find({ user_id: owner }).sort({ name_order: 1 }).toArray();
      expect(files.map(({ file_name, tag_keys }) => [file_name, ...(tag_keys ?? ["no keys"])])).toEqual([
        ["apple.py"],
        ["file9.py"],
        ["file10.py", "web"],
        ["Zebra.py"],
      ]);
    },
  );
});
