/**
 * `npm run recycle-backfill`: repairs the trash, on MONGODB_URI or on the engine of DATA_DIR, running or not. Files in it
 * without a date get one, and the indexes that empty it are built. It fails if the trash still does not empty itself.
 */

import { connectMongo } from "#db/client.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { reportTrashExpiry, setMissingExpiryDates } from "#db/files/trash/trash-repair.server.ts";
import { reportMissingTrashIndex } from "#db/files/trash/trash-upkeep.server.ts";
import { buildIndexes } from "#db/open/indexes/index-report.server.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { noMetrics } from "#platform/metrics/no-metrics.ts";
import { openStore } from "./open-store.ts";

const log = createLog({ process: "recycle-backfill", level: "info" });
const store = await openStore();
const mongo = await connectMongo(store.uri, { appName: "codeshelf-recycle-backfill" });
const emitter = createEmitter({
  collections: mongo.collections,
  log,
  metrics: noMetrics,
  clock: systemClock,
});
try {
  const db = { ...mongo.collections, emit: emitter.emit };
  // Announced before the repair, because the missing index is the reason why the trash was not emptied.
  await reportMissingTrashIndex(db);
  const datedCount = await setMissingExpiryDates(db, systemClock());
  const { built, failed } = await buildIndexes(db, ({ index }) => index === "bin_expiry");
  const state = await reportMissingTrashIndex(db);
  const { overdue } = await reportTrashExpiry(db, systemClock());
  console.log(`${datedCount} files in the trash got their date. ${built} indexes built, ${failed} failed.`);
  console.log(`The index that empties the trash is ${state}. ${overdue ?? "?"} files are overdue.`);
  if (state !== "present") process.exitCode = 1;
} finally {
  await emitter.close();
  await mongo.close();
  await store.close();
}
