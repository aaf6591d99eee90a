import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, mongo, uri, events } = await openTestStore();

async function backfill(): Promise<{ code: number; said: string }> {
  const script = join(PROJECT_ROOT, "db", "local", "recycle-backfill.ts");
  const env = { ...process.env, MONGODB_URI: uri } as NodeJS.ProcessEnv;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, said: stdout };
  }
}

async function givenTrashed(file_name: string): Promise<ObjectId> {
  const saved = orThrow(await saveFile(db, "1", { file_name, body: "x" }, NOON));
  await trashFile(db, "1", saved.file.id, NOON);
  return new ObjectId(saved.file.id);
}

describe("recycle-backfill", () => {
  it("sets missing dates, a day ahead at least, and builds the index", async () => {
    const undated = await givenTrashed("undated.txt");
    const fine = await givenTrashed("fine.txt");
    const { expires_at: untouched } = required(await db.files.findOne({ _id: fine }));
    await db.files.updateOne({ _id: undated }, { $set: { expires_at: null }, $unset: { expiring: 1 } });
    await db.file_versions.updateMany({ file_id: undated }, { $unset: { expires_at: 1 } });
    await mongo.collection("files").dropIndex("bin_expiry");

    const { code, said } = await backfill();

    expect(said).toContain("1 files in the trash got their date. 1 indexes built, 0 failed.");
    expect(said).toContain("The index that empties the trash is present.");
    expect(code).toBe(0);
    const repaired = required(await db.files.findOne({ _id: undated }));
    expect(repaired.expiring).toBe(true);
    expect(required(repaired.expires_at).getTime()).toBeGreaterThanOrEqual(NOON.getTime() + 30 * DAY_MS);
    const versions = await db.file_versions.find({ file_id: undated }).toArray();
    expect(versions.map(({ expires_at }) => expires_at)).toEqual([repaired.expires_at]);
    expect(required(await db.files.findOne({ _id: fine })).expires_at).toEqual(untouched);
    // The event was emitted before the repair.
    expect(await events("db_recycle_bin_ttl_index_missing")).toMatchObject([{ state: "missing" }]);
    expect(isRefusal(await restoreFile(db, "1", undated.toHexString(), NOON))).toBe(false);
  });

  itDrawn("an index that cannot be built", 3)(
    "fails and tells why when the index cannot be built",
    async () => {
      const bodies = mongo.collection("file_bodies");
      await bodies.dropIndex("bin_expiry");
      await bodies.createIndex({ expires_at: 1 }, { name: "in_the_way", expireAfterSeconds: 9 });

      const { code, said } = await backfill();

      expect(code).toBe(1);
      expect(said).toContain("The index that empties the trash is missing.");
      const stored = [
        ...(await events("db_index_create_error")),
        ...(await events("db_recycle_bin_ttl_index_missing")).slice(-1),
      ];
      expect(stored).toMatchObject([
        { collection: "file_bodies", index: "bin_expiry" },
        { state: "missing", severity: "error" },
      ]);
      expect(itemAt(stored, 0).timestamp <= itemAt(stored, 1).timestamp).toBe(true);
    },
  );
});
