/**
 * The way of an alert through a real Prometheus and a real Alertmanager (Debian's packages `prometheus` and `prometheus-alertmanager`):
 * they watch the product by docs/operations/alert-rules.yml for a minute (`--seconds=`; `--quick`: 15), in which no rule may fire; then
 * the worker is killed, until the alert is on the page of alerts, and started again, until it is resolved there; then runs of a job fail, which
 * is over once it is long ago. A rule that waits for minutes before it fires waits for five seconds here, and a rule that looks back
 * for a quarter of an hour looks back for a minute. Fails where a rule or a panel's expression is not accepted, or an alert is not told once.
 */

import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { openQueue } from "#db/jobs/queue.server.ts";
import { PROMETHEUS_RULES } from "#domain/alerts/alert.ts";
import { itemAt, required } from "#domain/required.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { type BenchStore, withClosing, withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";
import { endProcess, logIn, type Site, startWeb, startWorker } from "./product.ts";
import { listMissingPrograms, startWatcher, type Watcher } from "./prometheus.ts";

const CALM_SECONDS = option("seconds", quick ? 15 : 60);
const PENDING_SECONDS = 5;
const PATIENCE_SECONDS = 120;
const ADMIN_ID = "9";
const FAILED_RUNS = 4;
/** With `for:` of five seconds these fire wherever other programs take the processors. */
const OF_A_BUSY_MACHINE = [
  "CodeshelfEventLoopHeld",
  "CodeshelfSlow",
  "CodeshelfDatabaseWaits",
  "slow_endpoint",
];
const TOKENS = { metricsToken: "metrics-of-the-bench", alertsToken: "alerts-of-the-bench" };

type ToldAlert = { name: string; status: string; timestamp: string; ended_at: string | null };
type Stage = { web: Site; cookie: string; watcher: Watcher };

async function waitUntil(isSo: () => Promise<boolean>, what: string): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > PATIENCE_SECONDS * SECOND_MS)
      throw new Error(`It never came true: ${what}`);
    await delay(200);
  }
  return (performance.now() - began) / SECOND_MS;
}

async function readAnswer({ web, cookie }: Stage, path: string, accept: string): Promise<string> {
  const answer = await fetch(`${web.url}${path}`, { headers: { Cookie: cookie, Accept: accept } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.text();
}

async function listToldAlerts(stage: Stage): Promise<ToldAlert[]> {
  const text = await readAnswer(stage, "/api/observability/alerts?timerange=30m", "application/json");
  return (JSON.parse(text) as { alerts: ToldAlert[] }).alerts;
}

/** Whether the page shows it to an operator who asks for alerts of that status. */
async function isOnPage(stage: Stage, rule: string, status: string): Promise<boolean> {
  const page = await readAnswer(stage, `/admin/observability?status=${status}&timerange=30m`, "text/html");
  return page.includes(rule);
}

/** Grafana puts its own values into an expression before it asks. */
const fillGrafanaVariables = (expression: string) => expression.replaceAll("$__rate_interval", "1m");

async function checkExpressions({ watcher }: Stage): Promise<Figure[]> {
  const rules = await watcher.listRules();
  const wrong = rules
    .filter(({ health }) => health !== "ok")
    .map(({ name, lastError }) => `${name}: ${lastError}`);
  if (rules.length !== PROMETHEUS_RULES.length || wrong.length > 0)
    throw new Error(`Of ${PROMETHEUS_RULES.length} rules ${rules.length} are there.\n${wrong.join("\n")}`);
  const { panels } = JSON.parse(readFileSync(join(PROJECT_ROOT, "docs/operations/grafana.json"), "utf8")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const drawn = await Promise.all(
    panels.flatMap(({ title, targets }) =>
      targets.map(async ({ expr }) => ({
        title,
        series: await watcher.countSeries(fillGrafanaVariables(expr)),
      })),
    ),
  );
  const empty = drawn.filter(({ series }) => series === 0).map(({ title }) => title);
  console.log(
    `${drawn.length} expressions of the dashboard are accepted; without a series yet: ${empty.join(", ") || "none"}`,
  );
  return [
    { what: "rules evaluated", ours: rules.length, unit: "" },
    { what: "expressions of the dashboard accepted", ours: drawn.length, unit: "" },
  ];
}

/** Nothing may be told of a product that works, whose pages people read, but that its machine is busy. */
async function watchCalm(stage: Stage): Promise<void> {
  const until = performance.now() + CALM_SECONDS * SECOND_MS;
  while (performance.now() < until) {
    await readAnswer(stage, "/files", "text/html");
    await delay(SECOND_MS);
  }
  const told = (await listToldAlerts(stage)).map(({ name }) => name);
  const wrong = told.filter((name) => !OF_A_BUSY_MACHINE.includes(name));
  if (wrong.length > 0) throw new Error(`${wrong} in a product that works`);
  console.log(`${CALM_SECONDS} s without a fault: ${told.length === 0 ? "no alert" : `only ${told}`}`);
}

/** A fault, the rule that is about it, and what ends it; where nothing does, it ends by itself. */
type Fault = { name: string; rule: string; provoke(): Promise<unknown>; heal?(): Promise<unknown> };

async function followAlert(stage: Stage, { name, rule, provoke, heal }: Fault): Promise<Figure[]> {
  await provoke();
  const began = performance.now();
  const isFiring = async () =>
    (await stage.watcher.listAlerts()).some(
      ({ labels, state }) => labels.alertname === rule && state === "firing",
    );
  const fired = await waitUntil(isFiring, `Prometheus fires ${rule}`);
  await waitUntil(() => isOnPage(stage, rule, "firing"), `${rule} is on the page`);
  const shown = (performance.now() - began) / SECOND_MS;
  await checkStart(stage, rule);
  await heal?.();
  const resolved = await waitUntil(
    () => isOnPage(stage, rule, "resolved"),
    `${rule} is resolved on the page`,
  );
  const told = (await listToldAlerts(stage)).filter((alert) => alert.name === rule);
  if (told.length !== 1 || !itemAt(told, 0).ended_at)
    throw new Error(`One alert is told as ${JSON.stringify(told)}`);
  console.log(
    `${name}: Prometheus fires after ${fired.toFixed(1)} s, the page says so after ${shown.toFixed(1)} s; ` +
      `resolved there ${resolved.toFixed(1)} s after ${heal ? "its cause" : "that"} (load ${loadavg()[0]?.toFixed(1)})`,
  );
  const goal = { atMost: 60 };
  return [
    { what: `${name}, until Prometheus fires`, ours: fired, unit: "s" },
    { what: `${name}, until it is on the page`, ours: shown, unit: "s", goal },
    { what: `${name}, until it is resolved there`, ours: resolved, unit: "s", ...(heal ? { goal } : {}) },
  ];
}

/** An alert that came in began when Prometheus says that it did. */
async function checkStart({ watcher, ...stage }: Stage, rule: string): Promise<void> {
  const [active] = (await watcher.listAlerts()).filter(({ labels }) => labels.alertname === rule);
  const [told] = (await listToldAlerts({ watcher, ...stage })).filter(({ name }) => name === rule);
  // Prometheus says since when the cause is there; the alert begins when it has lasted.
  const apart = Date.parse(required(told).timestamp) - Date.parse(required(active).activeAt);
  if (apart < 0 || apart > 2 * PENDING_SECONDS * SECOND_MS)
    throw new Error(`${rule} is dated ${apart} ms from when Prometheus says that it began`);
}

/** Imports of a mirror that there is not, all within one look of Prometheus. */
async function failImports({ databases, db }: BenchStore): Promise<void> {
  const queue = await openQueue({ databaseUrl: databases.databaseUrl, log: silentLog });
  for (let i = 0; i < FAILED_RUNS; i += 1)
    await triggerJob(db, queue, "repo_import", "manual", new Date(), { repo_id: `${i}`.padStart(24, "0") });
  await queue.close();
}

export async function run(): Promise<Figure[]> {
  const missing = listMissingPrograms();
  if (missing.length > 0) {
    console.log(
      `${missing.join(", ")} (Debian: prometheus, prometheus-alertmanager) not installed, so nothing is measured.`,
    );
    return [];
  }
  Object.assign(process.env, {
    METRICS_TOKEN: TOKENS.metricsToken,
    ALERTS_TOKEN: TOKENS.alertsToken,
    ADMIN_USER_IDS: ADMIN_ID,
  });
  return withStore((store) =>
    withClosing(async (closing) => {
      const web = await startWeb(store.databases);
      closing(web.stop);
      let worker = await startWorker(store.databases);
      closing(() => endProcess(worker));
      const watcher = await startWatcher({ url: web.url, ...TOKENS, pendingSeconds: PENDING_SECONDS });
      closing(() => watcher.stop());
      const stage = { web, cookie: await logIn(web.url, ADMIN_ID), watcher };
      await waitUntil(watcher.isScraping, "Prometheus reads the figures");
      await watchCalm(stage);
      const startAgain = async () => {
        worker = await startWorker(store.databases);
      };
      const faults: Fault[] = [
        {
          name: "worker killed",
          rule: "CodeshelfNoWorker",
          provoke: () => endProcess(worker, "SIGKILL"),
          heal: startAgain,
        },
        { name: "jobs fail", rule: "CodeshelfJobsFail", provoke: () => failImports(store) },
      ];
      const figures = await checkExpressions(stage);
      for (const fault of faults) figures.push(...(await followAlert(stage, fault)));
      return figures;
    }),
  );
}
