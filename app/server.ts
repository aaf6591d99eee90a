import type { AddressInfo } from "node:net";
import { createRunsUnderWay } from "#app/code-runs/runs-under-way.ts";
import { createCodehost } from "#app/codehost/codehost.ts";
import { createExplainer } from "#app/explain/explainer.ts";
import { createApp } from "#app/main/app.ts";
import { startThreadMetrics } from "#app/main/thread-jobs.ts";
import { watchAnnouncement } from "#app/web/answers/announcement-watch.ts";
import { loadOrWatchPages } from "#app/web/answers/open-pages.ts";
import { listen } from "#app/web/door/listen.ts";
import { prepareOrderlyClose } from "#app/web/door/orderly-close.ts";
import { createRateCounter } from "#app/web/door/rate-limit.ts";
import { watchVisitors } from "#app/web/door/visitors.ts";
import { checkReadiness } from "#app/web/health/readiness.ts";
import { createBearerLookup } from "#app/web/session/bearer.ts";
import { createOidcProvider } from "#app/web/session/oidc/oidc-provider.ts";
import { findActiveAnnouncement } from "#db/alerts/announcements.server.ts";
import { connectMongo, type Db } from "#db/client.ts";
import { exitOnUnusableData } from "#db/core/installation/data-version.ts";
import { openWhenReady, probeMongo } from "#db/core/open-database.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { createRequestTimings } from "#db/events/request-timings.server.ts";
import { createTextCache } from "#db/files/text-memory.ts";
import { finishDeletions, reportMissingTrashIndex } from "#db/files/trash/trash-upkeep.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { createIndexQueue } from "#db/search/index-queue.ts";
import { createPreferredCache } from "#db/search/preferred-memory.ts";
import { indexLeftovers } from "#db/search/search-index.server.ts";
import { systemClock } from "#platform/clock.ts";
import { readEnvOrExit } from "#platform/env/env.ts";
import { generateRequestId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { measureEventLoop } from "#platform/metrics/event-loop-lag.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { collectGarbageWhenIdle } from "#platform/processes/idle-memory.ts";
import { openShutdown } from "#platform/processes/shutdown.ts";
import { awaitStartMessage } from "#platform/processes/start-message.ts";
import { withRequestId } from "#platform/request-id.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";

/** The web process. Connections are opened here once and passed to every request. */

const DATABASE_TIMEOUT_MS = 5_000;
// An election takes up to 12 seconds, and every request is answered within 15.
const DATABASE_SILENCE_MAX_MS = 13_000;
const STOP_DEADLINE_MS = 10_000;

// Loading the pages' code, in parallel with connecting to the databases, sets this variable for React.
const { NODE_ENV } = process.env;
const opening = loadOrWatchPages({ development: NODE_ENV === "development" });
await awaitStartMessage();
const startedAt = performance.now();
const env = readEnvOrExit("web", { ...process.env, NODE_ENV });
const log = createLog({ process: "web", level: env.logLevel });
const shutdown = openShutdown({ deadlineMs: STOP_DEADLINE_MS, log });
const metrics = createMetrics();
measureEventLoop(metrics);
collectGarbageWhenIdle();
const clock = systemClock;

const { signal } = shutdown;
const openingMongo = openWhenReady({ name: "MongoDB", uri: env.mongodbUri, log, signal }, async () => {
  await probeMongo(env.mongodbUri);
  const opened = await connectMongo(env.mongodbUri, {
    appName: "codeshelf-web",
    timeoutMs: DATABASE_TIMEOUT_MS,
    silenceMaxMs: DATABASE_SILENCE_MAX_MS,
    metrics,
    whilePaused: { waitMs: 0 },
  });
  await exitOnUnusableData(opened.collections, log);
  return opened;
});
const openingQueue = openWhenReady({ name: "PostgreSQL", uri: env.databaseUrl, log, signal }, () =>
  openQueue({ databaseUrl: env.databaseUrl, log }),
);
const mongo = await openingMongo;
shutdown.defer("mongodb", () => mongo.close());
const emitter = createEmitter({ collections: mongo.collections, log, metrics, clock });
shutdown.defer("events", () => emitter.close());
const timings = createRequestTimings({ collections: mongo.collections, log, clock });
shutdown.defer("timings", () => timings.close());
const queue = await openingQueue;
shutdown.defer("queue", () => queue.close());
startThreadMetrics(metrics);
const visitors = watchVisitors();
const threads = createThreadPool({ metrics, log, isBusyFor: visitors.isBusyFor });
shutdown.defer("threads", () => threads.close());

const explainer = createExplainer({ ...env.explain, threads, log, clock });
shutdown.defer("explainer", async () => explainer.close());
const codehost = createCodehost({ ...env.codehost, log });
shutdown.defer("codehost", async () => codehost.close());

const memories = { texts: createTextCache(), preferred: createPreferredCache() };
const db: Db = { ...mongo.collections, emit: emitter.emit, limits: env.storage, threads, ...memories };
db.indexQueue = createIndexQueue(db, { log });
shutdown.defer("index", () => db.indexQueue?.close());
// The server starts even if this check fails; the health checks report problems of the store. The events of a start share one id, like
// those of a request.
const startId = generateRequestId();
void withRequestId(startId, () => reportMissingTrashIndex(db))
  .then(() => finishDeletions(db, clock()))
  .catch((error) => log.error("bin_not_checked", { error }));
const announcement = watchAnnouncement(() => findActiveAnnouncement(db), clock);
const { pages, assets } = await opening;
const app = createApp({
  services: {
    env,
    db,
    queue,
    threads,
    visitors,
    explainer,
    codehost,
    announcement,
    oidc: createOidcProvider(env.oidc),
    bearers: createBearerLookup(db, clock),
    runsUnderWay: createRunsUnderWay(),
    rateCounter: createRateCounter(clock),
    log,
    metrics,
    timings,
    clock,
  },
  pages,
  assets,
  readiness: () => checkReadiness({ mongo, db, queue, clock }),
});

const server = await listen(app, env.port, env.host, {
  onCut: (phase) => metrics.count("codeshelf_slow_clients_total", { phase }),
});
shutdown.defer("http", prepareOrderlyClose(server));

const { port } = server.address() as AddressInfo; // It listens on a port and not on a path.
const url = `http://${toReachableHost(env.host)}:${port}`;
const signInUrl = env.localSignIn ? `${url}/login?code=${env.signInCode}` : "";
const ms = Math.round(performance.now() - startedAt);
withRequestId(startId, () => emitter.emit("internal_web_started", { port, ms }));
log.info("ready", { url });
process.send?.({ ready: true, url, signInUrl });
// Interrupted saves leave files unindexed. Searches find them anyway, only more slowly, so a failure is only logged.
await indexLeftovers(db).catch((error) => log.error("index_leftovers_failed", { error }));

/** Returns a host that a browser on this machine can open. */
function toReachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
