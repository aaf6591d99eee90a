import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import {
  createRunResult,
  findRunResult,
  listRunResults,
  removeRunResults,
} from "#db/code-runs/run-results.server.ts";
import { trashFile, trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { codeRunResult } from "#domain/code-runs/code-run.ts";
import { computeRunResultExpiry, RUN_RESULTS_PER_FILE } from "#domain/code-runs/run-result.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
const OWNER = "runner";
const later = (minutes: number) => afterNoon(minutes * MINUTE_MS);

const saying = (stdout: string) =>
  codeRunResult(
    { timeout: 5, memory_limit_mb: 64 },
    { exit: 0 },
    { stdout, stderr: "", truncated: false, ms: 3, grownBytes: 0 },
  );

const givenFile = async (name: string) => (await given.file(OWNER, name)).id;
const keep = async (fileId: string, stdout: string, at = NOON) =>
  orThrow(await createRunResult(db, OWNER, { fileId, version: 1, result: saying(stdout) }, at));

const dates = async (fileId: string) =>
  (await db.run_results.find({ file_id: new ObjectId(fileId) }).toArray()).map(
    ({ expires_at }) => expires_at,
  );

describe("results of runs", () => {
  it("are listed newest first without what they said, and read whole one by one", async () => {
    const fileId = await givenFile("listed.py");
    const first = await keep(fileId, "one");
    await keep(fileId, "two", later(1));

    const listed = await listRunResults(db, OWNER, fileId);

    expect(listed.map(({ created_at }) => created_at)).toEqual([later(1), NOON]);
    expect(listed[0]).not.toHaveProperty("stdout");
    expect(await findRunResult(db, OWNER, fileId, required(first).id)).toMatchObject({
      stdout: "one",
      version: 1,
    });
  });

  it("are their owner's alone, and those of their own file", async () => {
    const [fileId, other] = [await givenFile("own.py"), await givenFile("other.py")];
    const { id } = required(await keep(fileId, "mine"));
    expect(await findRunResult(db, OWNER, fileId, id)).not.toBeNull();

    expect(await findRunResult(db, "stranger", fileId, id)).toBeNull();
    expect(await findRunResult(db, OWNER, other, id)).toBeNull();
    expect(await findRunResult(db, OWNER, fileId, "last")).toBeNull();
    expect(await listRunResults(db, "stranger", fileId)).toEqual([]);
    expect(await removeRunResults(db, "stranger", fileId, NOON)).toBe(0);
    expect(await removeRunResults(db, OWNER, fileId, NOON)).toBe(1);
  });

  it("are the newest few, even where many come at one moment", async () => {
    const fileId = await givenFile("many.py");
    const old = await keep(fileId, "old", later(-5));

    const results = await Promise.all(
      Array.from({ length: RUN_RESULTS_PER_FILE + 4 }, (_, i) => keep(fileId, `${i}`)),
    );

    expect(results).not.toContain(null);
    expect(await db.run_results.countDocuments({ file_id: new ObjectId(fileId) })).toBe(RUN_RESULTS_PER_FILE);
    expect(await findRunResult(db, OWNER, fileId, required(old).id)).toBeNull();
  });

  it("go by themselves after their time, or with their file from the trash where that is sooner", async () => {
    const fileId = await givenFile("trashed.py");
    await keep(fileId, "kept");
    expect(await dates(fileId)).toEqual([computeRunResultExpiry(NOON)]);

    const deletion = orThrow(await trashFiles(db, OWNER, [fileId], later(1), 7));
    expect(await dates(fileId)).toEqual([deletion.expires_at]);

    await restoreFile(db, OWNER, fileId, later(2));
    expect(await dates(fileId)).toEqual([computeRunResultExpiry(NOON)]);
  });

  it("go at once with a file that is deleted for good", async () => {
    const fileId = await givenFile("purged.py");
    await keep(fileId, "kept");
    await trashFile(db, OWNER, fileId, later(1));
    expect(await dates(fileId)).toHaveLength(1);

    await purgeFile(db, OWNER, fileId, later(2));

    expect(await dates(fileId)).toEqual([]);
  });

  it("are not kept for a file that was deleted during the run", async () => {
    const fileId = await givenFile("gone.py");
    await trashFile(db, OWNER, fileId, later(1));

    expect(await keep(fileId, "late", later(2))).toBeNull();
    expect(await dates(fileId)).toEqual([]);
  });
});
