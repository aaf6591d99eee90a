import { type Collection, type Document, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { createRunResult, removeRunResults } from "#db/code-runs/run-results.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { restoreVersion } from "#db/files/file-history.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { saveFiles } from "#db/files/file-uploads.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { saveUnderFreeName } from "#db/files/free-name.server.ts";
import { recordFileOpening, toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { addSampleFiles } from "#db/files/sample.server.ts";
import { addTags, setFavorites } from "#db/files/selection.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { checkLibraryRoom, readUsage, recountLibraries } from "#db/files/usage/library-usage.server.ts";
import { syncCollection } from "#db/local/move/sync-collection.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { createIndexQueue } from "#db/search/index-queue.ts";
import { indexLeftovers } from "#db/search/search-index.server.ts";
import { mergeSegments, rewriteSparseSegments } from "#db/segments/segment-merge.server.ts";
import { allocateNumbers, createSegments } from "#db/segments/segments.server.ts";
import type { CodeRunResult } from "#domain/code-runs/code-run.ts";
import { RUN_RESULTS_PER_FILE } from "#domain/code-runs/run-result.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { NOON } from "#tests/support/store.ts";
import { until } from "#tests/support/test-runs/until.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { ANOTHER_NUMBER, givenCountedFile, givenFile, givenFiles, givenUsage, toIds } from "./given.ts";

const KEYS = Uint32Array.from([1, 2]);

async function givenSegments(db: Db): Promise<void> {
  await db.search_numbers.insertOne({ _id: OWNER, last: 8, format: 2 });
  for (let n = 1; n <= 8; n += 1) await createSegments(db, OWNER, [{ n, keys: KEYS }]);
}

const PAST = new Date(NOON.getTime() - 2 * DAY_MS);
const LEFT_ALONE = "a sample file that is there already is left as it is";
const RAN = { status: "ok", stdout: "1\n", stderr: "", exit_code: 0 } as unknown as CodeRunResult;

const files = {
  "marks/recordFileOpening": row(givenFile, (db, file) => recordFileOpening(db, OWNER, file, NOON)),
  "file-uploads/saveFiles": row(
    (db) => givenUsage(db, 0),
    (db) => {
      const inputs = ["one.py", "two.py"].map((file_name) => ({ file_name, body: "print(3)\n" }));
      return saveFiles(db, OWNER, inputs, NOON);
    },
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "file-uploads/saveFiles (onto a file)": row(
    givenCountedFile,
    (db) => saveFiles(db, OWNER, [{ file_name: "a.py", body: "print(3)\n" }], NOON),
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "file-uploads/saveFiles (the same text)": row(givenCountedFile, (db) =>
    saveFiles(db, OWNER, [{ file_name: "a.py", body: "print(2)\n", tags: ["x"] }], NOON),
  ),
  "free-name/saveUnderFreeName": row(
    givenCountedFile,
    (db) => saveUnderFreeName(db, OWNER, { file_name: "a.py", body: "print(3)\n" }, NOON),
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "file-edits/editFile": row(givenCountedFile, (db, { id }) => {
    const onto = { id, version: 2 };
    return editFile(db, OWNER, { file_name: "a.py", body: "print(2)\n", tags: ["x"], onto }, NOON);
  }),
  "files/saveFile": row(
    givenCountedFile,
    (db) => saveFile(db, OWNER, { file_name: "a.py", body: "print(3)\n", byJob: true }, NOON),
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "file-puts/putFile": row(
    givenCountedFile,
    (db) => {
      const expects = (current: { file_name: string } | null) => current?.file_name === "a.py";
      return putFile(db, OWNER, { file_name: "a.py", folders: [], body: "print(3)\n", expects }, NOON);
    },
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "file-details/updateDetails": row(givenFile, (db, { id }) =>
    updateDetails(db, OWNER, id, { file_name: "b.md", tags: ["x"] }),
  ),
  "file-history/restoreVersion": row(
    givenCountedFile,
    (db, { id }) => restoreVersion(db, OWNER, id, 1, NOON),
    { mayDiffer: ANOTHER_NUMBER },
  ),
  "marks/toggleFavorite": row(givenFile, (db, { id }) => toggleFavorite(db, OWNER, id)),
  "marks/togglePin": row(givenFile, (db, { id }) => togglePin(db, OWNER, id)),
  "selection/setFavorites": row(givenFiles, (db, chosen) => setFavorites(db, OWNER, toIds(chosen), true)),
  "selection/addTags": row(givenFiles, (db, chosen) => addTags(db, OWNER, toIds(chosen), ["x"])),
  "sample/addSampleFiles": row(
    (db) => givenUsage(db, 0),
    (db) =>
      addSampleFiles(
        db,
        OWNER,
        [{ file_name: "s.py", body: "print(1)\n", favorite: true, pinned: true }],
        NOON,
      ),
    { mayDiffer: { is_favorite: LEFT_ALONE, is_pinned: LEFT_ALONE, pin_slot: LEFT_ALONE } },
  ),
};

const libraries = {
  "library-tally/tallyLibrary": row(givenFile, (db) => tallyLibrary(db, OWNER)),
  "library-usage/readUsage": row(givenFile, (db) => readUsage(db, OWNER, NOON)),
  "library-usage/checkLibraryRoom": row(givenFile, (db) => checkLibraryRoom(db, OWNER, 10, NOON)),
  "library-usage/recountLibraries": row(
    async (db) => {
      await Promise.all([givenFile(db), givenUsage(db, 99)]);
      await db.library_usage.updateOne({ _id: OWNER }, { $set: { counted_at: PAST } });
    },
    (db) => recountLibraries(db, NOON),
  ),
  "search-index/indexLeftovers": row(
    (db) => Promise.all([givenFile(db, "a.py", { n: undefined }), givenFile(db, "b.py", { n: undefined })]),
    (db) => indexLeftovers(db),
    {
      finish: // Another save of the same first file comes in between.
        async (db) => {
          await allocateNumbers(db, "another person", 1);
          await indexLeftovers(db);
        },
      isSilent: true,
    },
  ),
  "index-queue/createIndexQueue": row(
    (db) => givenFile(db, "a.py", { n: undefined, unindexed: "marked" }),
    async (db, { id }) => {
      const queue = createIndexQueue(db, { log: silentLog, delayMs: 0, retryMs: 1 });
      queue.add(OWNER, [id]);
      await until(async () => (await db.files.countDocuments({ unindexed: { $gt: "" } })) === 0, 10_000);
      await queue.close();
    },
    { finish: async () => {}, isSilent: true },
  ),
  "segments/allocateNumbers": row(nothing, (db) => allocateNumbers(db, OWNER, 3)),
  "segments/createSegments": row(nothing, (db) => createSegments(db, OWNER, [{ n: 1, keys: KEYS }])),
  "segment-merge/mergeSegments": row(givenSegments, (db) => mergeSegments(db, OWNER, { now: NOON })),
  "segment-merge/rewriteSparseSegments": row(
    async (db) => {
      await givenSegments(db);
      await db.search_numbers.updateOne(
        { _id: OWNER },
        { $set: { settled: 8, settling: { last: 8, at: NOON } } },
      );
    },
    (db) => rewriteSparseSegments(db, OWNER, { now: NOON }),
  ),
  "segment-merge/rewriteSparseSegments (of several chunks)": row(
    async (db) => {
      await db.search_numbers.insertOne({
        _id: OWNER,
        last: 1,
        format: 2,
        settled: 1,
        settling: { last: 1, at: NOON },
      });
      await createSegments(db, OWNER, [
        { n: 1, keys: Uint32Array.from({ length: 20_000 }, (_, i) => i * 40) },
      ]);
    },
    (db) => rewriteSparseSegments(db, OWNER, { now: NOON }),
  ),
};

/** Not a verb of pages or jobs: `npm run seed`, which continues after the existing files. */
export const SEED_ROWS: Record<string, VerbRow> = {
  "local/library/fillLibrary": row(
    nothing,
    (db) => fillLibrary(db, { ownerId: OWNER, from: 0, to: 4, now: NOON }),
    {
      finish: async (db) =>
        fillLibrary(db, { ownerId: OWNER, from: await db.files.countDocuments(), to: 4, now: NOON }),
    },
  ),
  "local/move/sync-collection/syncCollection": row(
    async (db) => {
      const names = (ids: string[]) => ids.map((_id) => ({ _id, received_at: NOON }));
      await db.job_settings.insertMany(["a", "b", "c"].map((_id) => ({ _id, enabled: true })));
      await db.webhook_deliveries.insertMany(names(["a", "d", "e"]));
    },
    (db) =>
      syncCollection({
        collection: "job_settings",
        source: db.job_settings as unknown as Collection<Document>,
        target: db.webhook_deliveries as unknown as Collection<Document>,
        comparedFrom: 0,
        onProgress: () => {},
      }),
  ),
};

const results = {
  "run-results/createRunResult": row(
    async (db) => {
      const [file] = await Promise.all([givenFile(db), givenUsage(db, 18 + 2 * (RUN_RESULTS_PER_FILE + 2))]);
      const old = Array.from({ length: RUN_RESULTS_PER_FILE + 2 }, () => ({
        ...{ ...RAN, _id: new ObjectId(), user_id: OWNER, file_id: new ObjectId(file.id) },
        ...{ version: 1, created_at: PAST, expires_at: new Date(NOON.getTime() + DAY_MS) },
      }));
      await db.run_results.insertMany(old);
      return file;
    },
    (db, { id }) => createRunResult(db, OWNER, { fileId: id, version: 2, result: RAN }, NOON),
    {
      mayDiffer: {
        run_results: "a result that was kept and then told to have failed is kept beside the next",
        bytes: "and counted",
      },
    },
  ),
  "run-results/removeRunResults": row(
    async (db) => {
      const [file] = await Promise.all([givenFile(db), givenUsage(db, 22)]);
      const result = {
        user_id: OWNER,
        file_id: new ObjectId(file.id),
        version: 1,
        created_at: NOON,
        expires_at: NOON,
      };
      await db.run_results.insertMany([1, 2].map(() => ({ ...RAN, _id: new ObjectId(), ...result })));
      return file;
    },
    (db, { id }) => removeRunResults(db, OWNER, id, NOON),
  ),
};

export const FILE_VERBS: Record<string, VerbRow> = { ...files, ...libraries, ...results };
