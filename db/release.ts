import { connectMongo, WEAKNESSES } from "#db/client.ts";
import { ensureIndexes, verifyIndexes } from "#db/indexes.ts";
import { openOrExit, probeMongo } from "#db/open-database.ts";
import { releaseQueue } from "#db/queue.server.ts";
import { resealTokens } from "#db/sealed-tokens.server.ts";
import { readEnvOrExit } from "#platform/env.ts";
import { createLog } from "#platform/log.ts";

/** The release step: brings indexes, the queue's schema and sealed secrets to what this version of the code expects, before it serves. */
const env = readEnvOrExit("release");
const log = createLog({ process: "release", level: env.logLevel });

const documents = { name: "MongoDB", uri: env.mongodbUri, log } as const;
const { wrong, sealed } = await openOrExit(documents, async () => {
  await probeMongo(env.mongodbUri);
  const mongo = await connectMongo(env.mongodbUri, { appName: "codeshelf-release" });
  const weakness = await mongo.findWeakness();
  if (weakness) log.warn("mongodb_promises_less", { weakness, message: WEAKNESSES[weakness] });
  await ensureIndexes(mongo.collection);
  const reports = await verifyIndexes(mongo.collection);
  const resealing = await resealTokens(mongo.collections, env.dataKeys);
  await mongo.close();
  return { wrong: reports.filter(({ state }) => state !== "present"), sealed: resealing };
});
const jobs = { name: "PostgreSQL", uri: env.databaseUrl, log } as const;
await openOrExit(jobs, () => releaseQueue({ databaseUrl: env.databaseUrl, log }));

if (wrong.length > 0) {
  log.error("release_incomplete", { indexes: wrong });
  process.exit(1);
}
if (sealed.unreadable > 0) log.warn("sealed_secrets_unreadable", sealed);
log.info("released", { resealed: sealed.resealed });
