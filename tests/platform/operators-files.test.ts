import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { PROMETHEUS_RULES } from "#domain/alerts/alert.ts";
import { required } from "#domain/required.ts";
import { isMetricName, METRICS, type MetricName } from "#platform/metric-names.ts";

const read = (name: string) => readFileSync(join(PROJECT_ROOT, "docs/operations", name), "utf8");
type Dashboard = { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] };
const dashboard: Dashboard = JSON.parse(read("grafana.json"));
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const FILES: Record<string, string[]> = {
  "grafana.json": targets.map(({ expr }) => expr),
  "alert-rules.yml": [...read("alert-rules.yml").matchAll(/^\s+expr: (.+)$/gm)].map(([, expr = ""]) => expr),
};
const expressions = Object.values(FILES).flat();

const metricsIn = (expr: string) =>
  [...expr.matchAll(/\b(?:codeshelf|process|nodejs)_\w+/g)].map(([name]) => name);
const baseOf = (name: string) => name.replace(/_(bucket|count|sum)$/, "");
/** What Prometheus adds to every series, what the histogram has, and what tells workers apart. */
const ALWAYS = ["le", "instance", "worker"];

it("alert-rules.yml names the alerts that an explanation knows", () => {
  const names = [...read("alert-rules.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(names).toEqual([...PROMETHEUS_RULES]);
});

describe.each(Object.keys(FILES))("%s", (file) => {
  it("asks for figures that there are, as what they are", () => {
    expect(required(FILES[file]).length).toBeGreaterThan(9);
    const unknown = required(FILES[file])
      .flatMap(metricsIn)
      .filter((name) => {
        if (isMetricName(name)) return METRICS[name].type === "histogram";
        const base = baseOf(name);
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

  it("asks for labels that those figures have", () => {
    for (const expr of required(FILES[file])) {
      const known = metricsIn(expr).flatMap((name) => METRICS[baseOf(name) as MetricName]?.labels ?? []);
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => required(list).split(", "));
      const matched = [...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, label]) => label);
      expect(
        [...grouped, ...matched].filter((label) => ![...known, ...ALWAYS].includes(required(label))),
        expr,
      ).toEqual([]);
    }
  });
});

it("every figure is on the dashboard", () => {
  const shown = new Set(required(FILES["grafana.json"]).flatMap(metricsIn).map(baseOf));
  expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
});

it("every parenthesis of an expression is closed", () => {
  for (const expr of expressions)
    expect(expr.match(/\(/g)?.length ?? 0, expr).toBe(expr.match(/\)/g)?.length ?? 0);
});
