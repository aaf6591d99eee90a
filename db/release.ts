import { connectMongo, WEAKNESSES } from "#db/client.ts";
import { ensureIndexes, verifyIndexes } from "#db/indexes.ts";
import { openOrExit, probeMongo } from "#db/open-database.ts";
import { releaseQueue } from "#db/queue.server.ts";
import { readEnvOrExit } from "#platform/env.ts";
import { createLog } from "#platform/log.ts";

/** The release step: brings indexes and the queue's schema to what this version of the code expects, before it serves. */
const env = readEnvOrExit("release");
const log = createLog({ process: "release", level: env.logLevel });

const documents = { name: "MongoDB", uri: env.mongodbUri, log } as const;
const wrong = await openOrExit(documents, async () => {
  await probeMongo(env.mongodbUri);
  const mongo = await connectMongo(env.mongodbUri, { appName: "codeshelf-release" });
  const weakness = await mongo.findWeakness();
  if (weakness) log.warn("mongodb_promises_less", { weakness, message: WEAKNESSES[weakness] });
  await ensureIndexes(mongo.collection);
  const reports = await verifyIndexes(mongo.collection);
  await mongo.close();
  return reports.filter(({ state }) => state !== "present");
});
const jobs = { name: "PostgreSQL", uri: env.databaseUrl, log } as const;
await openOrExit(jobs, () => releaseQueue({ databaseUrl: env.databaseUrl, log }));

if (wrong.length > 0) {
  log.error("release_incomplete", { indexes: wrong });
  process.exit(1);
}
log.info("released");
