/**
 * The web process as `app/server.ts` makes it, with events, log, metrics and timings on or, with OBSERVED=0, replaced by ones that
 * do nothing: what watching costs is the difference.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createRunsUnderWay } from "#app/code-runs/runs-under-way.ts";
import { createCodehost } from "#app/codehost/codehost.ts";
import { createExplainer } from "#app/explain/explainer.ts";
import { watchAnnouncement } from "#app/http/answers/announcement-watch.ts";
import { openPages } from "#app/http/answers/open-pages.ts";
import { createApp } from "#app/http/app.ts";
import { createRateCounter } from "#app/http/door/rate-limit.ts";
import { watchVisitors } from "#app/http/door/visitors.ts";
import { checkReadiness } from "#app/http/health/readiness.ts";
import { createBearers } from "#app/http/session/bearer.ts";
import { findActiveAnnouncement } from "#db/alerts/announcements.server.ts";
import { connectMongo } from "#db/client.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { createRequestTimings } from "#db/events/request-timings.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { systemClock } from "#platform/clock.ts";
import { readEnvOrExit } from "#platform/env/env.ts";
import { createLog, silentLog } from "#platform/log.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";

const observed = process.env.OBSERVED !== "0";
const clock = systemClock;
const env = readEnvOrExit("web");
const log = observed ? createLog({ process: "web", level: "info" }) : silentLog;
const metrics = createMetrics();
const unmeasured = { ...metrics, count: () => {}, observe: () => {} };
const mongo = await connectMongo(env.mongodbUri, {
  appName: "codeshelf-bench-web",
  ...(observed ? { metrics } : {}),
});
const emitter = createEmitter({ collections: mongo.collections, log, metrics, clock });
const threads = createThreadPool();
const db = { ...mongo.collections, emit: observed ? emitter.emit : () => {}, threads };
const timings = createRequestTimings({ collections: mongo.collections, log, clock });
const untimed = { ...timings, record: () => {} };
const queue = await openQueue({ databaseUrl: env.databaseUrl, log });
const app = createApp({
  services: {
    env,
    db,
    queue,
    threads,
    visitors: watchVisitors(),
    explainer: createExplainer({ ...env.explain, threads, log, clock }),
    codehost: createCodehost({ ...env.codehost, log }),
    announcement: watchAnnouncement(() => findActiveAnnouncement(db), clock),
    oidc: null,
    bearers: createBearers(db, clock),
    runsUnderWay: createRunsUnderWay(),
    rateCounter: createRateCounter(clock),
    log,
    metrics: observed ? metrics : unmeasured,
    timings: observed ? timings : untimed,
    clock,
  },
  ...(await openPages(env)),
  readiness: () => checkReadiness({ mongo, db, queue, clock }),
});
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
process.once("disconnect", () => process.exit());
process.once("SIGTERM", () => process.exit());
process.send?.({ ready: true, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
