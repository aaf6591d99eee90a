import { orThrow } from "#tests/support/test-runs/or-throw.ts";
/**
 * A folder of 5,000 files (`--files=`; `--quick`: 500) in 100 folders within it: moved, renamed, deleted with all that is in it and brought back. Moving
 * is told beside writing each of the files, which a path on every file would take. Fails where a move changes a file.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectMongo, type Db } from "#db/client.ts";
import { deleteFolder, restoreTrashedFolder } from "#db/folders/folder-trash.server.ts";
import { createFolder, makeFolders, updateFolder } from "#db/folders/folders.server.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { itemAt } from "#domain/required.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { ms, time } from "./measure.ts";
import { option, quick } from "./options.ts";

const OWNER = "1";
const NOW = new Date("2026-11-14T12:00:00.000Z");
const FILES = option("files", quick ? 500 : 5_000);
const FOLDERS = 100;
const CALLS = quick ? 10 : 50;

type Filled = { big: string; other: string };

/** `big` with its folders and files, and `other` to move it into. */
async function fill(db: Db): Promise<Filled> {
  await fillLibrary(db, { ownerId: OWNER, from: 0, to: FILES, now: NOW });
  const places: string[] = [];
  for (let i = 0; i < FOLDERS; i += 1)
    places.push(orThrow(await makeFolders(db, OWNER, ["big", `part ${i}`], NOW)) ?? "");
  const ids = await db.files.find({ user_id: OWNER }, { projection: { _id: 1 } }).toArray();
  await db.files.bulkWrite(
    ids.map(({ _id }, i) => ({
      updateOne: {
        filter: { _id, user_id: OWNER },
        update: { $set: { folder_id: itemAt(places, i % FOLDERS) } },
      },
    })),
  );
  const big = orThrow(await makeFolders(db, OWNER, ["big"], NOW)) ?? "";
  const { id: other } = orThrow(await createFolder(db, OWNER, { name: "other", parent_id: null }, NOW));
  return { big, other };
}

async function measure(db: Db, { big, other }: Filled): Promise<Figure[]> {
  const before = JSON.stringify(await db.files.find({ user_id: OWNER }).sort({ _id: 1 }).toArray());
  const move = await time(CALLS, async (call) =>
    orThrow(await updateFolder(db, OWNER, big, { parent_id: call % 2 === 0 ? other : null }, NOW)),
  );
  const rename = await time(CALLS, async (call) =>
    orThrow(await updateFolder(db, OWNER, big, { name: `big ${call}` }, NOW)),
  );
  const after = JSON.stringify(await db.files.find({ user_id: OWNER }).sort({ _id: 1 }).toArray());
  if (before !== after) throw new Error("Moving a folder changed its files");
  const everyFile = await time(3, (call) =>
    db.files.updateMany({ user_id: OWNER, deleted_at: null }, { $set: { description: `moved ${call}` } }),
  );
  const startedMs = performance.now();
  const deletion = orThrow(await deleteFolder(db, OWNER, big, {}, NOW));
  const deletedMs = performance.now();
  const restored = orThrow(await restoreTrashedFolder(db, OWNER, big, NOW));
  const restoredMs = performance.now();
  if (deletion.files !== FILES || restored.files !== FILES) throw new Error("Files stayed behind");
  console.log(`\nmove ${ms(move.p50)} ms, beside every file ${ms(everyFile.p50)} ms`);
  return [
    { what: "move", ours: move.p50, baseline: everyFile.p50, unit: "ms", goal: { atMost: 0.1, of: "ratio" } },
    { what: "rename", ours: rename.p50, baseline: everyFile.p50, unit: "ms" },
    { what: "delete with its files", ours: deletedMs - startedMs, unit: "ms" },
    { what: "bring back with its files", ours: restoredMs - deletedMs, unit: "ms" },
  ];
}

export async function run(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-folders-"));
  const documents = await startDocuments(directory);
  const mongo = await connectMongo(documents.uri, { appName: "codeshelf-bench", timeoutMs: 120_000 });
  try {
    await ensureIndexes(mongo.collection);
    const db: Db = { ...mongo.collections, emit: () => {} };
    return await measure(db, await fill(db));
  } finally {
    await mongo.close();
    await documents.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
