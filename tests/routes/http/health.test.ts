import express from "express";
import { describe, expect, it, vi } from "vitest";
import { createHealthRouter } from "#app/web/health/health.ts";
import { READINESS_SHARED_MS, type Readiness } from "#app/web/health/readiness.ts";
import { recordHeartbeat, removeWorker } from "#db/jobs/workers.server.ts";
import { isMetricName, METRICS } from "#platform/metrics/metric-names.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";
import { sendRaw } from "#tests/support/raw-requests.ts";
import { serve } from "#tests/support/serve.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({}, { ownThreads: true });
const guarded = await openTestWeb({ METRICS_TOKEN: "a token for metrics" });
const proxied = await openTestWeb({ TRUST_PROXY: "1", RATE_LIMIT_REQUESTS_PER_MINUTE: "5" });
const visitor = web.visitor();
const later = (ms: number) => new Date(web.clock().getTime() + ms);
const checks = async () => {
  web.clock.set(later(READINESS_SHARED_MS));
  const response = await visitor.ask("/readyz");
  return { status: response.status, ...(await response.json()).checks };
};

describe("the process", () => {
  it("says that it is up, to GET and HEAD", async () => {
    expect((await visitor.send("GET", "/healthz")).body).toEqual({ ok: true });
    expect((await visitor.ask("/healthz", { method: "HEAD" })).status).toBe(200);
  });

  it("is ready while databases and indexes are there and a worker sends heartbeats", async () => {
    const good = { mongodb: "ok", postgresql: "ok", indexes: "ok" };
    expect(await checks()).toEqual({ status: 503, ...good, worker: "absent" });
    await recordHeartbeat(web.db, "w1", web.clock(), later(READINESS_SHARED_MS - 30_000));
    expect(await checks()).toEqual({ status: 200, ...good, worker: "ok" });
    await recordHeartbeat(web.db, "w1", web.clock(), later(READINESS_SHARED_MS - 30_001));
    expect(await checks()).toEqual({ status: 503, ...good, worker: "silent" });
    await removeWorker(web.db, "w1");
  });

  it("is not ready without an index", async () => {
    await web.mongo.collection("files").dropIndex("by_creation");
    expect(await checks()).toMatchObject({ status: 503, indexes: "missing" });
  });
});

describe("readiness, asked by many", () => {
  it("is checked once for all who ask within two seconds", async () => {
    web.clock.set(later(READINESS_SHARED_MS));
    const ping = vi.spyOn(web.queue, "ping");
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.ask("/readyz")));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    web.clock.set(later(READINESS_SHARED_MS - 1));
    await visitor.ask("/readyz");
    expect(ping).toHaveBeenCalledTimes(1);

    web.clock.set(later(1));
    await visitor.ask("/readyz");
    expect(ping).toHaveBeenCalledTimes(2);
    ping.mockRestore();
  });

  it("has a limit of its own per address, and uses none of the caller's other limits", async () => {
    const ask = (address: string) =>
      proxied.visitor().ask("/readyz", { headers: { "X-Forwarded-For": address } });
    for (let i = 0; i < 5; i += 1) expect((await ask("10.1.0.1")).status).toBe(503);

    const refused = await ask("10.1.0.1");

    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await refused.json()).toMatchObject({ error: "rate_limit_exceeded", retry_after: 60 });
    expect((await ask("10.1.0.2")).status).toBe(503);
    const headers = { "X-Forwarded-For": "10.1.0.1" };
    expect((await proxied.visitor().ask("/healthz", { headers })).status).toBe(200);
    expect((await proxied.visitor().ask("/api/me", { headers })).status).toBe(200);
  });
});

describe("the metrics", () => {
  it("are available to this machine, by route and never by address", async () => {
    await visitor.ask("/file/not-a-label");
    const metrics = async () => (await visitor.ask("/metrics")).text();
    // An answer is measured after it was sent, perhaps after it has arrived.
    await expect
      .poll(metrics)
      .toContain('codeshelf_http_request_seconds_count{route="/file/:id",method="GET",status="4xx"} 1');
    expect(await metrics()).not.toContain("not-a-label");
  });

  it("show what waits in the queue", async () => {
    await web.queue.send("trash_check", { trigger: "manual", payload: {} });
    const text = (await visitor.send("GET", "/metrics")).body;
    expect(text).toContain('codeshelf_queue_waiting{job="trash_check"} 1');
    expect(text).toMatch(/^codeshelf_queue_oldest_seconds\{job="trash_check"\} [\d.]+$/m);
  });

  it("show what living workers have counted, each under its name, and nothing of silent ones", async () => {
    const counted = createMetrics();
    counted.observe("codeshelf_job_run_seconds", 2, { job: "trash_check", status: "completed" });
    counted.observe("codeshelf_push_send_seconds", 0.1, { result: "delivered" });
    counted.observe("codeshelf_sandbox_run_seconds", 1, { outcome: "ran" });
    const snapshot = await counted.snapshot();
    await recordHeartbeat(web.db, "w-alive", web.clock(), web.clock(), { metrics: snapshot });
    await recordHeartbeat(web.db, "w-silent", web.clock(), later(-30_001), { metrics: snapshot });
    const text = (await visitor.send("GET", "/metrics")).body;
    expect(text).toContain(
      'codeshelf_job_run_seconds_count{job="trash_check",status="completed",worker="w-alive"} 1',
    );
    expect(text).toContain("codeshelf_workers 1");
    expect(text).not.toContain("w-silent");
  });

  it("are in Prometheus' format, each as the catalogue has it", async () => {
    await web.person("5");
    const families = parseMetrics((await visitor.send("GET", "/metrics")).body);
    for (const [name, { type, series }] of families) {
      expect(isMetricName(name), name).toBe(true);
      const spec = METRICS[name as keyof typeof METRICS];
      expect(type, name).toBe(spec.type);
      const labels = new Set(series.flatMap(({ labels }) => Object.keys(labels)));
      expect([...labels].filter((label) => ![...spec.labels, "le", "worker"].includes(label))).toEqual([]);
    }
    const untold = Object.keys(METRICS).filter((name) => !families.has(name));
    expect(untold).toEqual([
      "codeshelf_slow_clients_total",
      "codeshelf_events_refused_total",
      "codeshelf_sandbox_layer",
      "codeshelf_backup_age_seconds",
      "codeshelf_backup_bytes",
      "codeshelf_thread_job_seconds",
    ]);
  });

  it("follow the driver's connections", async () => {
    const families = parseMetrics((await visitor.send("GET", "/metrics")).body);
    const [open = 0, inUse] =
      families.get("codeshelf_db_connections")?.series.map(({ value }) => value) ?? [];
    expect(open).toBeGreaterThan(0);
    expect(inUse).toBeLessThanOrEqual(open);
    const waits = families.get("codeshelf_db_checkout_seconds")?.series ?? [];
    expect(waits.find(({ name }) => name.endsWith("_count"))?.value).toBeGreaterThan(5);
  });

  it("are hidden from requests through a proxy, and under a foreign name of this machine", async () => {
    expect((await visitor.ask("/metrics", { headers: { "X-Forwarded-For": "127.0.0.1" } })).status).toBe(404);
    const { port } = new URL(web.url);
    const ask = async (Host: string) =>
      (await sendRaw(web.url, { path: "/metrics", headers: { Host } })).status;
    expect(await ask(`localhost:${port}`)).toBe(200);
    expect(await ask("evil.example")).toBe(404);
  });

  it("are computed once for many who ask at once", async () => {
    const queried = Promise.withResolvers<void>();
    let [arrived, computed] = [0, 0];
    const metrics = async () => {
      computed += 1;
      await queried.promise;
      return String(computed);
    };
    const readiness = async () => ({ ok: true }) as Readiness;
    const rateCounter = { wait: () => null };
    const app = express();
    app.use((_req, _res, next) => {
      next();
      arrived += 1;
      if (arrived === 20) queried.resolve();
    });
    app.use(
      createHealthRouter({ metrics, readiness, rateCounter, requestsPerMinute: 1, metricsToken: undefined }),
    );
    const url = `${await serve(app)}/metrics`;
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url)).text()));
    expect(new Set(answers).size).toBe(computed);
    expect(computed).toBeLessThanOrEqual(2);
  });

  it("require the token if one is set, even from this machine", async () => {
    const ask = (headers = {}) => guarded.visitor().ask("/metrics", { headers });
    expect((await ask()).status).toBe(404);
    expect((await ask({ Authorization: "Bearer a token for metric" })).status).toBe(404);
    expect((await ask({ Authorization: "Bearer a token for metrics" })).status).toBe(200);
  });
});
