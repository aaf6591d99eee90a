import { connectMongo } from "#db/client.ts";
import { ensureIndexes, verifyIndexes } from "#db/indexes.ts";
import { releaseQueue } from "#db/queue.server.ts";
import { readEnvOrExit } from "#platform/env.ts";
import { createLog } from "#platform/log.ts";

/** The release step: brings indexes and the queue's schema to what this version of the code expects, before it serves. */
const env = readEnvOrExit("release");
const log = createLog({ process: "release", level: env.logLevel });

const mongo = await connectMongo(env.mongodbUri, { appName: "codeshelf-release" });
await ensureIndexes(mongo.collection);
const wrong = (await verifyIndexes(mongo.collection)).filter(({ state }) => state !== "present");
await mongo.close();
await releaseQueue({ databaseUrl: env.databaseUrl, log });

if (wrong.length > 0) {
  log.error("release_incomplete", { indexes: wrong });
  process.exit(1);
}
log.info("released");
