import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MongoClient } from "mongodb";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { startThreadMetrics } from "#app/main/thread-jobs.ts";
import type { Stores } from "#db/client.ts";
import { measurePool } from "#db/core/driver/pool-metrics.ts";
import { measureEvent, startRunMetrics } from "#db/events/event-metrics.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { PROMETHEUS_RULES } from "#domain/alerts/alert.ts";
import { required } from "#domain/required.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import { isMetricName, METRICS, type MetricName } from "#platform/metrics/metric-names.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { measurePush } from "#platform/outbound/measured-push.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { measureCodeRunner } from "#worker/measured-code-runner.ts";

const read = (name: string) => readFileSync(join(PROJECT_ROOT, "docs/operations", name), "utf8");
type Dashboard = {
  panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[];
};
const dashboard: Dashboard = JSON.parse(read("grafana.json"));
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const FILES: Record<string, string[]> = {
  "grafana.json": targets.map(({ expr }) => expr),
  "alert-rules.yml": [...read("alert-rules.yml").matchAll(/^\s+expr: (.+)$/gm)].map(([, expr = ""]) => expr),
};

const metricsIn = (expr: string) =>
  [...expr.matchAll(/\b(?:codeshelf|process|nodejs)_\w+/g)].map(([name]) => name);
const toBaseName = (name: string) => name.replace(/_(bucket|count|sum)$/, "");
/** Labels that Prometheus adds to every series, the histogram's label, and the workers' label. */
const ALWAYS = ["le", "instance", "worker"];

it("alert-rules.yml names the alerts that an explanation knows", () => {
  const names = [...read("alert-rules.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(names).toEqual([...PROMETHEUS_RULES]);
});

/** Prometheus' own tools, if installed: Debian's packages prometheus and prometheus-alertmanager have them. */
const hasTool = (name: string) => spawnSync(name, ["--version"]).status === 0;

it.runIf(hasTool("promtool"))("alert-rules.yml is accepted by promtool", () => {
  const checked = spawnSync("promtool", [
    "check",
    "rules",
    join(PROJECT_ROOT, "docs/operations/alert-rules.yml"),
  ]);
  expect([checked.status, String(checked.stdout)]).toEqual([
    0,
    expect.stringContaining(`SUCCESS: ${PROMETHEUS_RULES.length} rules found`),
  ]);
});

it.runIf(hasTool("amtool"))("the receiver of the guide is accepted by amtool", async () => {
  const [, receivers = ""] = required(/```yaml\n(receivers:[\s\S]*?)```/.exec(read("alerts.md")));
  const config = join(await temporaryDirectory("amtool"), "alertmanager.yml");
  writeFileSync(config, `route: { receiver: codeshelf }\n${receivers}`);
  const checked = spawnSync("amtool", ["check-config", config]);
  expect([checked.status, String(checked.stdout)]).toEqual([0, expect.stringContaining("SUCCESS")]);
});

it.runIf(hasTool("systemd-analyze")).each(["app/server.ts", "worker/index.ts"])(
  "the unit of the guide for %s is accepted by systemd-analyze",
  async (program) => {
    const guide = readFileSync(join(PROJECT_ROOT, "docs/operations.md"), "utf8");
    const [, unit = ""] = required(/```\n(\[Unit\][\s\S]*?)```/.exec(guide));
    expect(unit).toContain("ExecStart=/usr/bin/node app/server.ts");
    const file = join(await temporaryDirectory("systemd"), "codeshelf.service");
    writeFileSync(file, unit.replace("/usr/bin/node app/server.ts", `${process.execPath} ${program}`));
    const checked = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    const complaints = checked.stderr.split("\n").filter((line) => line.includes("codeshelf.service"));
    expect([checked.status, complaints]).toEqual([0, []]);
  },
);

itInFullRun("grafana.json is a dashboard by Grafana's own types, and a wrong one would not be", () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const right = read("grafana.json");
  expect(checkDashboard(right)).toEqual([]);
  const wrong = right.replace('"type": "datasource"', '"type": "nonsense"');
  expect(wrong).not.toBe(right);
  expect(checkDashboard(wrong).join()).toContain("Type '\"nonsense\"' is not assignable");
});

/** The compiler's errors for the text as a value of Grafana's type. The file exists in memory only. */
function checkDashboard(text: string): string[] {
  const name = join(PROJECT_ROOT, "tests/platform/dashboard.ts");
  const source = `import type { Dashboard } from "@grafana/schema";\nexport const dashboard: Dashboard = ${text};`;
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe.each(Object.keys(FILES))("%s", (file) => {
  it("uses existing metrics, by their types", () => {
    expect(required(FILES[file]).length).toBeGreaterThan(9);
    const unknown = required(FILES[file])
      .flatMap(metricsIn)
      .filter((name) => {
        if (isMetricName(name)) return METRICS[name].type === "histogram";
        const base = toBaseName(name);
        return !isMetricName(base) || METRICS[base].type !== "histogram";
      });
    expect(unknown).toEqual([]);
  });

  it("has a figure in every expression, and counts only grow where a rate is taken", () => {
    for (const expr of required(FILES[file])) {
      const names = metricsIn(expr);
      expect(names.length, expr).toBeGreaterThan(0);
      const ofGauges = names.filter((name) => isMetricName(name) && METRICS[name].type === "gauge");
      expect(/rate\(|increase\(/.test(expr), expr).toBe(ofGauges.length === 0);
    }
  });

  it("uses labels that those metrics have", () => {
    for (const expr of required(FILES[file])) {
      const labels = metricsIn(expr).flatMap((name) => METRICS[toBaseName(name) as MetricName]?.labels ?? []);
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => required(list).split(", "));
      const matched = [...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, label]) => label);
      expect(
        [...grouped, ...matched].filter((label) => ![...labels, ...ALWAYS].includes(required(label))),
        expr,
      ).toEqual([]);
    }
  });
});

it("a counter whose increase a rule watches is reported as zero from the start", async () => {
  const metrics = createMetrics();
  createEmitter({ collections: {} as Stores, log: silentLog, metrics, clock: systemClock });
  measurePool(new EventEmitter() as MongoClient, metrics);
  startRunMetrics(metrics);
  startThreadMetrics(metrics);
  measurePush(async () => ({ result: "delivered", status: 201 }), metrics);
  measureCodeRunner(async () => ({ outcome: "ran" }), metrics);
  const reported = [...parseMetrics(await metrics.text()).values()].flatMap(({ series }) => series);
  const watched = required(FILES["alert-rules.yml"]).flatMap((expr) =>
    [...expr.matchAll(/increase\((\w+)(?:\{(\w+)=~?"([^"]+)"\})?/g)].flatMap(([, name, label, values = ""]) =>
      values.split("|").map((value) => ({ name, label, value })),
    ),
  );
  expect(watched.length).toBeGreaterThan(5);
  const absent = watched.filter(
    ({ name, label, value }) =>
      !reported.some(
        (entry) => entry.name === name && entry.value === 0 && (!label || entry.labels[label] === value),
      ),
  );
  expect(absent).toEqual([]);
});

it("a run that failed because of a person's input is no failure to watch for", async () => {
  const metrics = createMetrics();
  for (const reason of ["remote_not_found", "git_missing"])
    measureEvent(metrics, { event: "job_failed", job_id: "repo_sync", ms: 5, reason });
  const { histograms } = await metrics.snapshot();
  expect(histograms.map(({ labels, count }) => [labels.status, count])).toEqual([
    ["refused", 1],
    ["failed", 1],
  ]);
});

it("every figure is on the dashboard", () => {
  const shown = new Set(required(FILES["grafana.json"]).flatMap(metricsIn).map(toBaseName));
  expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
});
