/**
 * `npm run seed -- --files 10000 --user 1`: fills a library with that many sample files for one person, on MONGODB_URI or on
 * the engine of DATA_DIR, running or not. The same numbers give the same files; with a larger number, it adds the others.
 * `--from <folder>` uses the sources in a folder instead.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { connectMongo } from "#db/client.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { readSourceTexts } from "#db/local/sample/source-texts.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { isUserId } from "#domain/accounts/identity.ts";
import { itemAt } from "#domain/required.ts";
import { openStore } from "./open-store.ts";

const { values } = parseArgs({
  options: { files: { type: "string" }, user: { type: "string" }, from: { type: "string" } },
});
const files = Number(values.files ?? 1_000);
const ownerId = values.user ?? "1";
if (!Number.isInteger(files) || files < 1 || files > 1_000_000 || !isUserId(ownerId)) {
  console.error("Give --files a number from 1 to 1000000 and --user a person's id in digits.");
  process.exit(1);
}

if (values.from !== undefined && !existsSync(values.from)) {
  console.error(`There is no folder ${values.from}.`);
  process.exit(1);
}
const sources = values.from === undefined ? null : readSourceTexts(values.from, files);
const target = sources?.length ?? files;

const store = await openStore();
const mongo = await connectMongo(store.uri, { appName: "codeshelf-seed" });
try {
  await ensureIndexes(mongo.collection);
  const db = { ...mongo.collections, emit: () => {} };
  const existingCount = await countFiles(db, ownerId, {});
  const startedAt = performance.now();
  await fillLibrary(db, {
    ...{ ownerId, from: existingCount, to: target, now: new Date() },
    ...(sources ? { text: (number) => itemAt(sources, number) } : {}),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${Math.max(0, target - existingCount)} files saved for user ${ownerId} in ${seconds.toFixed(1)} s.`,
  );
} finally {
  await mongo.close();
  await store.close();
}
