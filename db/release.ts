import { inviteFirstAdministrator } from "#db/accounts/invitations.server.ts";
import { endObsoleteAlerts } from "#db/alerts/alert-endings.server.ts";
import { type Connection, connectMongo, WEAKNESSES } from "#db/client.ts";
import { IndexNotBuilt } from "#db/core/indexes/index-collisions.ts";
import { exitOnUnusableData } from "#db/core/installation/data-version.ts";
import { openOrExit, probeMongo } from "#db/core/open-database.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { reportMissingTrashIndex } from "#db/files/trash/trash-upkeep.server.ts";
import { installQueue } from "#db/jobs/queue.server.ts";
import { buildIndex, type IndexReport, verifyIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { migrateData } from "#db/open/migrations/migrate.ts";
import { createStepRunner } from "#db/open/release-steps.ts";
import { reencryptTokens } from "#db/repos/encrypted-tokens.server.ts";
import { invitationPath } from "#domain/accounts/invitation.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { systemClock } from "#platform/clock.ts";
import { readEnvOrExit } from "#platform/env/env.ts";
import { generateRequestId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { noMetrics } from "#platform/metrics/no-metrics.ts";
import { awaitStartMessage } from "#platform/processes/start-message.ts";
import { withRequestId } from "#platform/request-id.ts";

/** The release step: prepares indexes, documents, the queue's schema and encrypted secrets for this version before it serves. */
await awaitStartMessage();
const env = readEnvOrExit("release");
const log = createLog({ process: "release", level: env.logLevel });
const runStep = createStepRunner({ timeoutMs: env.releaseTimeoutSeconds * SECOND_MS, log });

const documents = { name: "MongoDB", uri: env.mongodbUri, log } as const;
const mongo = await openOrExit(documents, async () => {
  const connection = await runStep("connecting to MongoDB", async () => {
    await probeMongo(env.mongodbUri);
    return connectMongo(env.mongodbUri, { appName: "codeshelf-release" });
  });
  await exitOnUnusableData(connection.collections, log);
  return connection;
});
const jobs = { name: "PostgreSQL", uri: env.databaseUrl, log } as const;
const [{ wrong, reencryption }] = await Promise.all([
  openOrExit(documents, () => withRequestId(generateRequestId(), prepareDocumentStore)),
  openOrExit(jobs, () =>
    runStep("the queue's schema in PostgreSQL", () => installQueue({ databaseUrl: env.databaseUrl, log })),
  ),
]);
await mongo.close();

async function prepareDocumentStore() {
  const weakness = await mongo.findWeakness();
  if (weakness) log.warn("mongodb_promises_less", { weakness, message: WEAKNESSES[weakness] });
  await runStep("checking the trash", () => checkTrashIndex(mongo));
  const reports = await buildIndexes(mongo);
  const reencryption = await runStep("encrypting secrets again", () =>
    reencryptTokens(mongo.collections, env.dataKeys),
  );
  await runStep("migrating the data", () => migrate(mongo));
  if (env.signUp === "invited") await printFirstInvitation(mongo);
  return { wrong: reports.filter(({ state }) => state !== "present"), reencryption };
}

/** Reports a store that does not empty the trash, before the indexes are built: at a first start, and after one was lost. */
async function checkTrashIndex({ collections }: Connection): Promise<void> {
  const emitter = createEmitter({ collections, log, metrics: noMetrics, clock: systemClock });
  await reportMissingTrashIndex({ ...collections, emit: emitter.emit });
  await emitter.close();
}

/** Runs after the indexes are built, because migrations may use them and alerts may end with them. */
async function migrate({ collections }: Connection): Promise<void> {
  const emitter = createEmitter({ collections, log, metrics: noMetrics, clock: systemClock });
  const db = { ...collections, emit: emitter.emit };
  await migrateData(db, { log, now: systemClock() });
  await endObsoleteAlerts(db, systemClock());
  await emitter.close();
}

/** Prints the first invitation for the person who runs the release step. It makes one administrator, once. */
async function printFirstInvitation({ collections }: Connection): Promise<void> {
  const emitter = createEmitter({ collections, log, metrics: noMetrics, clock: systemClock });
  const token = await inviteFirstAdministrator({ ...collections, emit: emitter.emit }, systemClock());
  await emitter.close();
  const path = token && invitationPath(token);
  if (path)
    console.log(
      `The first administrator logs in by ${env.publicOrigin ?? "the address of this server"}${path}`,
    );
}

/** Builds missing or different indexes and reports the state of all. It continues after a failure, so that one run reports every problem. */
async function buildIndexes(mongo: Connection): Promise<IndexReport[]> {
  const verify = () => runStep("checking the indexes", () => verifyIndexes(mongo.collection));
  const reports = await verify();
  const unfinished = reports.filter(({ state }) => state !== "present");
  for (const report of unfinished) {
    const { collection, index } = report;
    try {
      await runStep(`index ${collection}.${index}`, () => buildIndex(mongo.collection(collection), report));
    } catch (error) {
      if (!(error instanceof IndexNotBuilt)) throw error;
      log.error("index_not_built", { collection, index, message: error.message });
    }
  }
  return unfinished.length > 0 ? verify() : reports;
}

if (wrong.length > 0) {
  log.error("release_incomplete", { indexes: wrong });
  process.exit(1);
}
if (reencryption.unreadable > 0) log.warn("sealed_secrets_unreadable", reencryption);
log.info("released", { reencrypted: reencryption.reencrypted });
